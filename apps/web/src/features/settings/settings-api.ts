import type { Preferences } from '@draftshelf/domain/access/preferences';
import type { Settings } from '@draftshelf/domain/access/settings';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { showChange } from '../../api/assume.ts';
import { call, callWithHeaders, readOf, toCacheKey } from '../../api/call.ts';
import type { ToastRequest } from '../../ui/feedback/toast-state.ts';
import { useCall, useCalls } from '../../ui/feedback/use-call.ts';

/** Settings with the version that was read. A save sends this version, so that it overwrites no other save. */
export type VersionedSettings = { settings: Settings; version: string | null };

const versioned = ({ reply, headers }: { reply: Settings; headers: Headers }): VersionedSettings => ({
  settings: reply,
  version: headers.get('etag'),
});

export const settingsRead = () =>
  queryOptions({
    queryKey: toCacheKey('getSettings'),
    queryFn: async ({ signal }) => versioned(await callWithHeaders('getSettings', { signal })),
  });

export const useSettings = () => useQuery({ ...settingsRead(), select: ({ settings }) => settings });

/** `numbers` are preferences of full auto, saved after the settings. */
type SettingsSave = VersionedSettings & { numbers: Partial<Preferences> };

/** Saves the settings, then the numbers. `failure`: error of saving the numbers. Fails with 409 after a conflict. */
export const useSettingsSave = () =>
  useCalls(
    async ({ settings, version, numbers }: SettingsSave) => {
      const headers: Record<string, string> = version === null ? {} : { 'if-match': version };
      const saved = versioned(await callWithHeaders('saveSettings', { body: settings, headers }));
      if (Object.keys(numbers).length === 0) return { saved, failure: null };
      return call('savePreferences', { body: numbers }).then(
        (preferences) => ({ saved, preferences, failure: null }),
        (failure: Error) => ({ saved, failure }),
      );
    },
    () => [{ name: 'saveSettings' }],
    {
      onSuccess: ({ saved, ...numbers }, _input, client) => {
        client.setQueryData(settingsRead().queryKey, saved);
        if ('preferences' in numbers) client.setQueryData(preferencesRead().queryKey, numbers.preferences);
      },
    },
  );

export const preferencesRead = () => readOf('getPreferences');

export const usePreferences = () => useQuery(preferencesRead());

/** Updates the cache at once, and restores it if the save fails. */
export const usePreferencesSave = (
  failed?: string,
  done?: (saved: Preferences, changed: Partial<Preferences>) => ToastRequest,
) =>
  useCall('savePreferences', {
    failed,
    done: done && ((saved, { body = {} }) => done(saved, body)),
    assume: (client, { body }) =>
      showChange<Preferences>(client, preferencesRead(), (now) => ({
        ...now,
        ...(body as Partial<Preferences>),
      })),
    onSuccess: (saved, _request, client) => client.setQueryData(preferencesRead().queryKey, saved),
  });
