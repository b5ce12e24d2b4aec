import { getSettings, saveSettings } from '@draftshelf/contract/settings';
import type { Settings } from '@draftshelf/domain/settings';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callWithHeaders } from './call.ts';
import { readKey } from './read.ts';

/** The settings and their version, which a save names so that it does not overwrite another one. */
export type VersionedSettings = { settings: Settings; version: string | null };

const versioned = ({ reply, headers }: { reply: Settings; headers: Headers }): VersionedSettings => ({
  settings: reply,
  version: headers.get('etag'),
});

export const settingsRead = () =>
  queryOptions({
    queryKey: readKey(getSettings.path),
    queryFn: async ({ signal }) => versioned(await callWithHeaders(getSettings, { signal })),
  });

export function useSettings() {
  return useQuery({ ...settingsRead(), select: ({ settings }) => settings });
}

export function useVersionedSettings() {
  return useQuery(settingsRead());
}

type SettingsSave = VersionedSettings & { before: readonly { save: () => Promise<void> }[] };

/**
 * Saves all settings, after what is saved `before` them. A save over somebody else's change fails with status 409.
 */
export function useSettingsSave() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ settings, version, before }: SettingsSave) => {
      for (const { save } of before) await save();
      const headers: Record<string, string> = version === null ? {} : { 'if-match': version };
      return versioned(await callWithHeaders(saveSettings, { body: settings, headers }));
    },
    onSuccess: (saved) => {
      client.setQueryData(settingsRead().queryKey, saved);
      // They decide what is watched.
      client.invalidateQueries({ queryKey: readKey('/api/folders') });
    },
  });
}
