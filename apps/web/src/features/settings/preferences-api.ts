import type { Preferences } from '@draftshelf/domain/access/preferences';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { assume } from '../../api/assume.ts';
import { call } from '../../api/call.ts';
import { readOf } from '../../api/read.ts';

export const preferencesRead = () => readOf('getPreferences');

export function usePreferences() {
  return useQuery(preferencesRead());
}

/** Saves preferences. They are shown at once, and as they were before if the save fails. */
export function usePreferencesSave() {
  const client = useQueryClient();
  const { queryKey } = preferencesRead();
  return useMutation({
    mutationFn: (changes: Partial<Preferences>) => call('savePreferences', { body: changes }),
    onMutate: (changes) => assume<Preferences>(client, { queryKey }, (now) => ({ ...now, ...changes })),
    onSuccess: (saved) => client.setQueryData(queryKey, saved),
    onError: (_error, _changes, takeBack) => takeBack?.(),
  });
}
