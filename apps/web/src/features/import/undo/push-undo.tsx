import { Suspense, useEffect } from 'react';
import { lazily } from '../../../lib/load-chunk.ts';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import { useNarrow } from '../../../ui/hooks/use-narrow.ts';
import type { ShownImport } from '../imports-api.ts';
import { Notice } from '../notice.tsx';
import { usePushUndo } from './push-undo-api.ts';
import { endedWords, Undone, useEndedUndo } from './undone.tsx';
import { useUndoDialog } from './use-undo-dialog.ts';

const UndoDialog = lazily(() => import('./undo-dialog.tsx').then((chunk) => chunk.UndoDialog));

type PushUndoProps = {
  record: ShownImport;
  /** The section *In the Store* is there. It tells of an undo, too, unless it is folded, as on a phone. */
  hasSection: boolean;
};

/** The result of the last undo of a push in one line, and the dialog of an undo. */
export function PushUndo({ record, hasSection }: PushUndoProps) {
  const { id, filename, status, startedAt, completedAt } = record;
  const { refetch } = usePushUndo(id);
  const undo = useEndedUndo(record);
  const { isOpened, turn } = useUndoDialog();
  const isMounted = useEver(isOpened);
  const narrow = useNarrow();
  const stage = `${status} ${startedAt} ${completedAt}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another stage may have changed what can be undone.
  useEffect(() => {
    void refetch();
  }, [refetch, stage]);
  return (
    <>
      {undo !== null && (narrow || !hasSection) && (
        <Notice title={endedWords(undo).title}>
          <Undone undo={undo} />
        </Notice>
      )}
      {isMounted && (
        <Suspense fallback={null}>
          <UndoDialog importId={id} filename={filename} opened={isOpened} onClose={() => turn(false)} />
        </Suspense>
      )}
    </>
  );
}
