import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CallRequest, call } from '../../api/call.ts';
import { readKey, readOf } from '../../api/read.ts';

/** The AI service, its limits and what it took today. */
export function useAi() {
  return useQuery(readOf('readAi'));
}

function useRefreshed() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: readKey('readAi') });
}

/** Tests address, model and key, and saves them if the service answers; limits and prices are saved as they are. */
export function useAiSave() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (body: CallRequest<'saveAi'>['body']) => call('saveAi', { body }),
    onSuccess: refresh,
  });
}

export function useAiTest() {
  const refresh = useRefreshed();
  return useMutation({ mutationFn: () => call('testAi', {}), onSuccess: refresh });
}

export function useAiKeyRemoval() {
  const refresh = useRefreshed();
  return useMutation({ mutationFn: () => call('removeAiKey', {}), onSuccess: refresh });
}
