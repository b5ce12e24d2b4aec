import { getSettings, saveSettings } from '@draftshelf/contract/settings';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CallRequest, call } from './call.ts';
import { readKey, readOf } from './read.ts';

export const settingsRead = () => readOf(getSettings);

export function useSettings() {
  return useQuery(settingsRead());
}

export function useSettingsSave() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: NonNullable<CallRequest<typeof saveSettings>['body']>) =>
      call(saveSettings, { body: changes }),
    onSuccess: (settings) => client.setQueryData(readKey(getSettings.path), settings),
  });
}
