import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { ClosingFoot } from './closing-foot.tsx';
import classes from './push-undo.module.css';
import { useUndoPreview } from './push-undo-api.ts';

type NoPreviewProps = { importId: string; undo: PushUndo; onClose: () => void };

/** Begins the first preview at once. One that has stopped or failed is repeated on request. */
export function NoPreview({ importId, undo, onClose }: NoPreviewProps) {
  const preview = useUndoPreview(importId, undo);
  const { state, whenUnsure, message } = undo;
  const isUndoable = undo.undoableUntil !== null;
  const isBegun = useRef(false);
  useEffect(() => {
    if (state !== 'none' || !isUndoable || isBegun.current) return;
    isBegun.current = true;
    preview.mutate(whenUnsure);
  }, [state, isUndoable, whenUnsure, preview.mutate]);
  const canBegin = isUndoable && (state !== 'none' || preview.isError);
  return (
    <div className={classes.form}>
      <div className={`${classes.columns} ${classes.making}`}>
        <div className={`stack ${classes.summary}`}>
          {preview.isError && (
            <ErrorPanel title="The preview wasn’t begun.">
              <Text size="sm">{preview.error.message}</Text>
            </ErrorPanel>
          )}
          {!isUndoable && (
            <Text>
              Nothing can be undone: no push of this import wrote to the store in the last 90 days, or it was
              undone already.
            </Text>
          )}
          {isUndoable && state === 'none' && !preview.isError && (
            <Text role="status">Comparing with the store…</Text>
          )}
          {state === 'failed' && (
            <ErrorPanel title="The preview failed.">
              <Text size="sm">{message ?? 'The store didn’t answer.'}</Text>
            </ErrorPanel>
          )}
          {state === 'stopped' && <Text>{message ?? 'The preview was stopped before it was complete.'}</Text>}
        </div>
      </div>
      <ClosingFoot onClose={onClose}>
        {canBegin && (
          <Button loading={preview.isPending} onClick={() => preview.mutate(whenUnsure)}>
            Preview Again
          </Button>
        )}
      </ClosingFoot>
    </div>
  );
}
