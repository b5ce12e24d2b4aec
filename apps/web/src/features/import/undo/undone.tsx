import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Text } from '@mantine/core';
import { undoParam } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { useAddressParam } from '../../../ui/hooks/use-address-param.ts';
import { RelativeTime } from '../../../ui/time.tsx';
import type { ShownImport } from '../imports-api.ts';
import { useStoreRun } from '../store-runs.tsx';
import { resultWords, undoneRun, undoStanding } from './undo-words.ts';

/** The undo of an import's last push once it has ended, also if it was stopped; null: there is none. */
function useEndedUndo({ id, startedAt }: Pick<ShownImport, 'id' | 'startedAt'>): PushUndo | null {
  const { data: undo } = useStoreRun('getPushUndo', id);
  if (undo?.endedAt == null || undo.results.length === 0) return null;
  // A later push has a result of its own.
  return startedAt === null || undo.endedAt >= startedAt ? undo : null;
}

/** How an undo has ended: the beginning of a sentence with its time and numbers. */
function endedWords(undo: PushUndo): string {
  switch (undoStanding(undo)) {
    case 'undone':
      return `${undoneRun(undo)} was undone`;
    case 'kept':
      return 'Nothing was undone';
    default:
      return 'The undo was stopped';
  }
}

/** A sentence with the result of the last undo, once it has ended. */
export function UndoneSentence({ record }: { record: ShownImport }) {
  const undo = useEndedUndo(record);
  if (undo === null) return null;
  return (
    <Text size="sm" lh="26px" className="break-words">
      {endedWords(undo)} <Undone undo={undo} />
    </Text>
  );
}

/** '2 minutes ago: 25 deleted, 2 stayed.' The button opens the list of what stayed. */
function Undone({ undo }: { undo: PushUndo }) {
  const [, open] = useAddressParam(undoParam);
  return (
    <>
      <span className="numbers">
        <RelativeTime time={undo.endedAt ?? ''} />: {resultWords(undo.results)}.
      </span>{' '}
      <Button size="compact-sm" variant="subtle" onClick={() => open('push')}>
        Show Products
      </Button>
    </>
  );
}
