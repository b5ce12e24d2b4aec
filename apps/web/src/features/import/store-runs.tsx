import { Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CallRequest, call, pollMs, type Reply, readOf } from '../../api/call.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { QuietText } from '../../ui/basics.tsx';

/** A run that changes the store after a preview: the undo of a push, or a change of products no longer listed. */
export type StoreRun = 'getPushUndo' | 'getGone';

export type RunReply = Reply<StoreRun>;

export const isRunUnderWay = ({ state }: Pick<RunReply, 'state'>): boolean =>
  state === 'undoing' || state === 'paused';

const requestOf = <N extends StoreRun>(id: string) => ({ params: { id } }) as unknown as CallRequest<N>;

export const useStoreRun = <const N extends StoreRun>(name: N, importId: string) =>
  useQuery({
    ...readOf(name, requestOf<N>(importId)),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      if (data.state === 'previewing') return pollMs.preview;
      return isRunUnderWay(data) ? pollMs.undo : false;
    },
  });

export const readStoreRun = <const N extends StoreRun>(name: N, importId: string): Promise<Reply<N>> =>
  call(name, requestOf<N>(importId));

export type RunUnderWay = { run: StoreRun; filename: string };

/** Runs that have begun and whose end was not reported yet, by import id. A run may begin and end between two polls. */
export const runsUnderWay = new Map<string, RunUnderWay>();

type RunProgressProps = {
  of: Pick<RunReply, 'state' | 'done' | 'total' | 'message'>;
  doing: string;
  /** Shown unless the run has to wait. */
  otherwise?: string;
};

export function RunProgress({ of: { state, done, total, message }, doing, otherwise }: RunProgressProps) {
  const isPreview = state === 'previewing';
  const words = isPreview ? 'Comparing with the store' : state === 'paused' ? 'Paused' : doing;
  const note = message ?? otherwise;
  return (
    <>
      <Text role="status" className="numbers">
        {isPreview && total === 0
          ? 'Asking the store…'
          : `${words}: ${formatCount(done)} of ${countOf(total, 'product')}`}
      </Text>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={words} />
      {note !== undefined && <QuietText>{note}</QuietText>}
    </>
  );
}
