import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { Setting } from '../../ui/form.tsx';
import { type SettingsForm, settingLabels, switchDescriptions } from './use-settings-form.ts';

type SettingSwitchProps = { form: SettingsForm; name: keyof typeof switchDescriptions; children?: ReactNode };

/** `children` are shown next to the name of the setting. */
export const SettingSwitch = ({ form, name, children }: SettingSwitchProps) => (
  <Setting beside={children}>
    <Switch
      label={settingLabels[name]}
      // Without this label, the description would also be a part of the accessible name.
      aria-label={settingLabels[name]}
      description={switchDescriptions[name]}
      checked={form.values[name]}
      onChange={(event) => form.set(name, event.currentTarget.checked)}
    />
  </Setting>
);
