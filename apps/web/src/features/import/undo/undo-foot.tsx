import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { tallDialogFoot } from '../../../ui/tall-dialog.ts';
import { RelativeTime } from '../../../ui/time.tsx';
import classes from './push-undo.module.css';
import { useUndoPush } from './push-undo-api.ts';
import { productsOf } from './sum-lines.ts';
import { estimateWords, typedCount, undoButtonWords } from './undo-words.ts';
import { undosUnderWay } from './undos-under-way.ts';
import type { NextPreview } from './use-next-preview.tsx';

type UndoFootProps = {
  importId: string;
  filename: string;
  undo: PushUndo;
  next: NextPreview;
  onClose: () => void;
};

/** The button that carries a preview out. For many deletions their number has to be typed. */
export function UndoFoot({ importId, filename, undo, next, onClose }: UndoFootProps) {
  const [typed, setTyped] = useState('');
  const carryOut = useUndoPush(importId, () => {
    // Its end is told on every screen, also if it comes before the next poll.
    undosUnderWay.set(importId, filename);
    onClose();
  });
  const { run, sums, whenUnsure, asksForDeletions, previewedAt, estimate } = undo;
  const deletions = productsOf(sums, 'delete');
  const words = undoButtonWords(sums);
  const isTyped = !asksForDeletions || typedCount(typed) === deletions;
  const reason =
    words === null
      ? 'There is nothing to delete, archive or restore.'
      : isTyped
        ? null
        : `Type ${formatCount(deletions)} first.`;
  const start = () => {
    if (run === null || carryOut.isPending) return;
    carryOut.mutate({ run, ...(asksForDeletions && { deletions }) });
  };
  return (
    <div className={tallDialogFoot}>
      {carryOut.isError && <ErrorPanel title="The undo wasn’t started.">{carryOut.error.message}</ErrorPanel>}
      {next.error !== null && (
        <ErrorPanel title="The preview wasn’t made again.">{next.error.message}</ErrorPanel>
      )}
      <div className={`row-wrap ${classes.buttons}`} data-typed={asksForDeletions || undefined}>
        <p className={`flush quiet numbers ${classes.age}`}>
          {estimate !== null && words !== null && `${estimateWords(estimate)} `}
          {previewedAt !== null && (
            <>
              Compared with the store <RelativeTime time={previewedAt} />.{' '}
            </>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            busy={next.isPending}
            onClick={() => next.begin(whenUnsure)}
          >
            Preview Again
          </Button>
        </p>
        {asksForDeletions && (
          <TextInput
            className={classes.typed}
            label={`Type ${formatCount(deletions)} to confirm the deletions`}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Button data-close variant="default" onClick={onClose}>
          Close
        </Button>
        <ReasonedButton
          reason={reason}
          color={deletions > 0 ? 'red' : undefined}
          loading={carryOut.isPending}
          onClick={start}
        >
          {words ?? 'Nothing to Undo'}
        </ReasonedButton>
      </div>
    </div>
  );
}
