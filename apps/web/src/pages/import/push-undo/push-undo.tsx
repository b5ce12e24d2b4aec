import { Suspense, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type { ShownImport } from '../../../api/imports.ts';
import { usePushUndo } from '../../../api/push-undo.ts';
import { Button } from '../../../components/button.tsx';
import { resultWords } from '../../../components/push-ends/undo-sums.ts';
import { RelativeTime } from '../../../components/time.tsx';
import { addressNow } from '../../../lib/address-now.ts';
import { lazily } from '../../../lib/load-chunk.ts';
import { undoParam } from '../../../lib/paths.ts';
import { useEver } from '../../../lib/use-ever.ts';
import { Notice } from '../notice.tsx';

const UndoDialog = lazily(() => import('./undo-dialog.tsx').then((chunk) => chunk.UndoDialog));

/** The result of the last undo of a push in one line, and the dialog of an undo, which the URL opens (`?undo`). */
export function PushUndo({ record }: { record: ShownImport }) {
  const { id, filename, status, startedAt, completedAt } = record;
  const { data: undo, refetch } = usePushUndo(id);
  const [search, setSearch] = useSearchParams();
  const isOpened = search.has(undoParam);
  const isMounted = useEver(isOpened);
  const stage = `${status} ${startedAt} ${completedAt}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another stage may have changed what can be undone.
  useEffect(() => {
    void refetch();
  }, [refetch, stage]);
  const turn = (isOn: boolean) => {
    const next = addressNow();
    if (isOn) next.set(undoParam, 'push');
    else next.delete(undoParam);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  const isRunning = undo?.state === 'undoing' || undo?.state === 'paused';
  // A later push has a result of its own.
  const isLast = undo?.endedAt != null && (startedAt === null || undo.endedAt >= startedAt);
  return (
    <>
      {undo !== undefined && !isRunning && isLast && undo.results.length > 0 && (
        <Notice title={undo.state === 'undone' ? 'Push undone' : 'Undo stopped'}>
          <span className="numbers">
            <RelativeTime time={undo.endedAt ?? ''} />: {resultWords(undo.results)}.
          </span>{' '}
          <Button size="compact-sm" variant="subtle" onClick={() => turn(true)}>
            Show Products
          </Button>
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
