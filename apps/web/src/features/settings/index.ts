export { preferencesRead, usePreferences, usePreferencesSave } from './preferences-api.ts';
export { settingLabels } from './setting-words.ts';
export { settingsRead, useSettings } from './settings-api.ts';
export type { SettingsEdit, SettingsForm } from './use-settings-form.ts';
