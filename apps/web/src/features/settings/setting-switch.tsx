import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { Setting } from '../../ui/form.tsx';
import { type SettingsForm, settingLabels, switchWords } from './use-settings-form.ts';

type SettingSwitchProps = {
  form: SettingsForm;
  name: keyof typeof switchWords;
  /** A sentence that applies now. */
  warning?: string | null;
  /** Next to the name. */
  children?: ReactNode;
};

export const SettingSwitch = ({ form, name, warning = null, children }: SettingSwitchProps) => (
  <Setting beside={children}>
    <Switch
      label={settingLabels[name]}
      // Else the sentence would be a part of the name.
      aria-label={settingLabels[name]}
      description={
        <>
          {switchWords[name]}
          {warning !== null && (
            <span className="block warning" role="status">
              {warning}
            </span>
          )}
        </>
      }
      checked={form.values[name]}
      onChange={(event) => form.set(name, event.currentTarget.checked)}
    />
  </Setting>
);
