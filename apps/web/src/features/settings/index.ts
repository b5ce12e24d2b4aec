export {
  preferencesRead,
  settingsRead,
  usePreferences,
  usePreferencesSave,
  useSettings,
} from './settings-api.ts';
export type { SettingsEdit, SettingsForm } from './use-settings-form.ts';
export { settingLabels } from './use-settings-form.ts';
