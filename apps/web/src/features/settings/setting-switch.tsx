import type { Settings } from '@draftshelf/domain/access/settings';
import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { Setting } from '../../ui/form.tsx';
import { type SettingsForm, settingLabels } from './use-settings-form.ts';

type SettingSwitchProps = {
  form: SettingsForm;
  name: { [Name in keyof Settings]: Settings[Name] extends boolean ? Name : never }[keyof Settings];
  description: ReactNode;
  /** Next to the name. */
  children?: ReactNode;
};

export const SettingSwitch = ({ form, name, description, children }: SettingSwitchProps) => (
  <Setting beside={children}>
    <Switch
      label={settingLabels[name]}
      description={description}
      checked={form.values[name]}
      onChange={(event) => form.set(name, event.currentTarget.checked)}
    />
  </Setting>
);
