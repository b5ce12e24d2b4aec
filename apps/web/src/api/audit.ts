import { beginAudit, getAudit } from '@draftshelf/contract/audit';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call.ts';
import { freshMs, readKey, readOf } from './read.ts';

const pollMs = 3_000;

/** The newest audit, read once per visit, and polled while one is under way. */
export function useAudit() {
  return useQuery({
    ...readOf(getAudit),
    staleTime: freshMs,
    refetchInterval: ({ state }) => (state.data?.isRunning ? pollMs : false),
  });
}

/** Begins an audit. */
export function useBeginAudit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(beginAudit),
    onSuccess: () => client.invalidateQueries({ queryKey: readKey(getAudit.path) }),
  });
}
