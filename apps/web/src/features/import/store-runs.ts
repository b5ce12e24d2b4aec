import { useQuery } from '@tanstack/react-query';
import { type CallRequest, call, type Reply } from '../../api/call.ts';
import { pollMs } from '../../api/polls.ts';
import { readOf } from '../../api/read.ts';

/**
 * A run in the store besides a push: it previews what it would do, and carries that out when the operator says so. The
 * undo of a push, or a change of products that are no longer listed.
 */
export type StoreRun = 'getPushUndo' | 'getGone';

export type RunReply = Reply<StoreRun>;

/** Whether a preview is being carried out. */
export const isCarriedOut = ({ state }: Pick<RunReply, 'state'>): boolean =>
  state === 'undoing' || state === 'paused';

const requestOf = <N extends StoreRun>(id: string) => ({ params: { id } }) as unknown as CallRequest<N>;

/** A run of an import, read again while it is previewed or carried out. */
export function useStoreRun<const N extends StoreRun>(name: N, importId: string) {
  return useQuery({
    ...readOf(name, requestOf<N>(importId)),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      if (data.state === 'previewing') return pollMs.preview;
      return isCarriedOut(data) ? pollMs.undo : false;
    },
  });
}

/** How a run of an import gets on, read now. */
export const readStoreRun = <const N extends StoreRun>(name: N, importId: string): Promise<Reply<N>> =>
  call(name, requestOf<N>(importId));

/** A run that carries its preview out. */
export type UnderWay = { run: StoreRun; filename: string };

/**
 * By import id, runs that this tab has begun to carry out or has seen, until their end is told. It is told on every
 * screen, also if it comes before the next poll.
 */
export const runsUnderWay = new Map<string, UnderWay>();
