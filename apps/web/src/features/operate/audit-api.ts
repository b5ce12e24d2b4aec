import type { Audit } from '@draftshelf/contract/operate/audit';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { freshMs, readKey, readOf } from '../../api/read.ts';

type Difference = NonNullable<Audit['latest']>['differences'][number];

const pollMs = 3_000;

/** The newest audit, read once per visit, and polled while one is under way. */
export function useAudit() {
  return useQuery({
    ...readOf('getAudit'),
    staleTime: freshMs,
    refetchInterval: ({ state }) => (state.data?.isRunning ? pollMs : false),
  });
}

/** Begins an audit. */
export function useBeginAudit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('beginAudit'),
    onSuccess: () => client.invalidateQueries({ queryKey: readKey('getAudit') }),
  });
}

/** Unlinks all but the newest of our products from a product of the store, and begins an audit. */
export function useKeepNewestLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (link: NonNullable<Difference['link']>) => call('keepNewestLink', { body: link }),
    onSuccess: () => client.invalidateQueries({ queryKey: readKey('getAudit') }),
  });
}
