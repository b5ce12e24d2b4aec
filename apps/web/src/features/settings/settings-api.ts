import type { Preferences } from '@draftshelf/domain/access/preferences';
import type { Settings } from '@draftshelf/domain/access/settings';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { assume } from '../../api/assume.ts';
import { callWithHeaders } from '../../api/call.ts';
import { readKey, readOf } from '../../api/read.ts';
import type { ToastRequest } from '../../ui/feedback/toast-state.ts';
import { useCall, useCalls } from '../../ui/feedback/use-call.ts';

/** A save names the version, so that it does not overwrite another one. */
export type VersionedSettings = { settings: Settings; version: string | null };

const versioned = ({ reply, headers }: { reply: Settings; headers: Headers }): VersionedSettings => ({
  settings: reply,
  version: headers.get('etag'),
});

export const settingsRead = () =>
  queryOptions({
    queryKey: readKey('getSettings'),
    queryFn: async ({ signal }) => versioned(await callWithHeaders('getSettings', { signal })),
  });

export const useSettings = () => useQuery({ ...settingsRead(), select: ({ settings }) => settings });

export const useVersionedSettings = () => useQuery(settingsRead());

type SettingsSave = VersionedSettings & { after: readonly { save: () => Promise<void> }[] };

/** Returns the failure of saves `after` the settings. Status 409: another user has changed the settings. */
export const useSettingsSave = () =>
  useCalls(
    async ({ settings, version, after }: SettingsSave) => {
      const headers: Record<string, string> = version === null ? {} : { 'if-match': version };
      const saved = versioned(await callWithHeaders('saveSettings', { body: settings, headers }));
      return { saved, failure: await failureOf(after) };
    },
    () => [{ name: 'saveSettings' }],
    { onSuccess: ({ saved }, _input, client) => client.setQueryData(settingsRead().queryKey, saved) },
  );

/** Null: none has failed. */
async function failureOf(parts: SettingsSave['after']): Promise<Error | null> {
  try {
    for (const { save } of parts) await save();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export const preferencesRead = () => readOf('getPreferences');

export const usePreferences = () => useQuery(preferencesRead());

/** Shown at once, and taken back if the save fails. */
export const usePreferencesSave = (failed?: string, done?: (saved: Preferences) => ToastRequest) =>
  useCall('savePreferences', {
    failed,
    done,
    assume: (client, { body }) =>
      assume<Preferences>(client, preferencesRead(), (now) => ({
        ...now,
        ...(body as Partial<Preferences>),
      })),
    onSuccess: (saved, _request, client) => client.setQueryData(preferencesRead().queryKey, saved),
  });
