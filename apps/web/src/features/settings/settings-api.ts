import type { Settings } from '@draftshelf/domain/access/settings';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callWithHeaders } from '../../api/call.ts';
import { readKey } from '../../api/read.ts';

/** The settings and their version, which a save names so that it does not overwrite another one. */
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

export function useSettings() {
  return useQuery({ ...settingsRead(), select: ({ settings }) => settings });
}

export function useVersionedSettings() {
  return useQuery(settingsRead());
}

type SettingsSave = VersionedSettings & { after: readonly { save: () => Promise<void> }[] };

/**
 * Saves all settings, then what is saved `after` them, whose failure is returned. A save over somebody else's change
 * fails with status 409, and nothing is saved.
 */
export function useSettingsSave() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ settings, version, after }: SettingsSave) => {
      const headers: Record<string, string> = version === null ? {} : { 'if-match': version };
      const saved = versioned(await callWithHeaders('saveSettings', { body: settings, headers }));
      return { saved, failure: await failureOf(after) };
    },
    onSuccess: ({ saved }) => {
      client.setQueryData(settingsRead().queryKey, saved);
      // They decide what is watched.
      client.invalidateQueries({ queryKey: readKey('/api/folders') });
    },
  });
}

/** Saves one after the other, until one fails; null: none has failed. */
async function failureOf(parts: SettingsSave['after']): Promise<Error | null> {
  try {
    for (const { save } of parts) await save();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
