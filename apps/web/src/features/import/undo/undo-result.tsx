import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { ClosingFoot } from './closing-foot.tsx';
import classes from './push-undo.module.css';
import { type UndoFilter, useUndoPreview } from './push-undo-api.ts';
import { UndoProducts } from './undo-products.tsx';
import { UndoSums } from './undo-sums.tsx';
import { firstFilter } from './undo-words.ts';

type UndoResultProps = { importId: string; undo: PushUndo; onClose: () => void };

/** What an undo has done so far, and which products stayed for which reason. */
export function UndoResult({ importId, undo, onClose }: UndoResultProps) {
  const [asked, setAsked] = useState<UndoFilter | null>(null);
  const preview = useUndoPreview(importId, undo);
  const { state, results, done, total, message, whenUnsure } = undo;
  const isRunning = state === 'undoing' || state === 'paused';
  const shown = asked ?? (isRunning ? null : firstFilter(results, true));
  return (
    <div className={classes.form}>
      <div className={classes.columns}>
        <div className={`stack ${classes.summary}`}>
          {isRunning && (
            <>
              <Text role="status" className="numbers">
                {state === 'paused' ? 'Paused' : 'Undoing'}: {formatCount(done)} of{' '}
                {countOf(total, 'product')}
              </Text>
              <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label="Undone" />
            </>
          )}
          {state === 'stopped' && (
            <Text>
              The undo was stopped. What was undone stays undone; the other products are as they were.
            </Text>
          )}
          {state === 'failed' ? (
            <ErrorPanel title="The undo stopped.">{message ?? 'The store didn’t answer.'}</ErrorPanel>
          ) : (
            message !== null && (
              <Text size="sm" c="dimmed">
                {message}
              </Text>
            )
          )}
          <UndoSums sums={results} isDone shown={shown} onShow={setAsked} />
          {preview.isError && (
            <ErrorPanel title="The preview wasn’t begun.">{preview.error.message}</ErrorPanel>
          )}
        </div>
        {shown !== null && (
          <UndoProducts
            key={`${shown.action} ${shown.code}`}
            {...{ importId, undo }}
            filter={shown}
            isAsked={asked !== null}
          />
        )}
      </div>
      <ClosingFoot onClose={onClose}>
        {!isRunning && undo.undoableUntil !== null && (
          <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate(whenUnsure)}>
            New Preview
          </Button>
        )}
      </ClosingFoot>
    </div>
  );
}
