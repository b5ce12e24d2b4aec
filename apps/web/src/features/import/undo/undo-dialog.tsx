import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Modal, Progress, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { tallDialog, tallDialogFoot } from '../../../ui/tall-dialog.ts';
import { Moment } from '../../../ui/time.tsx';
import { goneActionLabels } from '../list/gone-words.ts';
import classes from './push-undo.module.css';
import { usePushUndo, useUndoPreview } from './push-undo-api.ts';
import { sumsByAction } from './sum-lines.ts';
import { UndoColumns } from './undo-columns.tsx';
import { UndoPreview } from './undo-preview.tsx';
import { actionWords, firstFilter } from './undo-words.ts';

export type UndoDialogProps = {
  importId: string;
  filename: string;
  opened: boolean;
  onClose: () => void;
};

const dialogClasses = tallDialog();

/** Gets the focus when a new preview replaces the control that had it. */
const nextFocus = '[role="dialog"] :is(input:checked, [data-close])';

/** The undo of an import's push: its preview, which the operator carries out, and afterwards its result. */
export function UndoDialog({ importId, filename, opened, onClose }: UndoDialogProps) {
  const { data: undo } = usePushUndo(importId);
  const fullScreen = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="72rem"
      fullScreen={fullScreen}
      padding={0}
      title={
        <>
          {undo?.gone == null ? 'Undo push' : `Undo “${goneActionLabels[undo.gone]}”`}
          {undo?.pushedAt != null && (
            <>
              {' '}
              of <Moment time={undo.pushedAt} />
            </>
          )}{' '}
          <Text component="span" size="sm" c="dimmed" fw={400} className="break-words" dir="auto">
            {filename}
          </Text>
        </>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ header: { role: 'presentation' }, content: { 'data-focus-next': nextFocus } }}
      classNames={dialogClasses}
      transitionProps={{ duration: 120 }}
    >
      <Content importId={importId} filename={filename} onClose={onClose} />
    </Modal>
  );
}

/** What the dialog has in each state of the undo. */
function Content({ importId, filename, onClose }: Omit<UndoDialogProps, 'opened'>) {
  const read = usePushUndo(importId);
  const undo = read.data;
  if (undo === undefined) {
    return (
      <div className={`${classes.form} ${classes.message}`}>
        <ReadFailure what="the undo" reads={[read]} />
      </div>
    );
  }
  const props = { importId, undo, onClose };
  if (undo.state === 'previewing') return <PreviewProgress undo={undo} onClose={onClose} />;
  if (undo.state === 'ready') return <UndoPreview key={undo.previewedAt} {...props} filename={filename} />;
  if (undo.results.length > 0 || undo.state === 'undoing' || undo.state === 'paused') {
    return <UndoResult {...props} />;
  }
  return <NoPreview {...props} />;
}

type NoPreviewProps = { importId: string; undo: PushUndo; onClose: () => void };

/** Begins the first preview at once. A preview that has stopped or failed is repeated on request. */
function NoPreview({ importId, undo, onClose }: NoPreviewProps) {
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
            <ErrorPanel title="Couldn’t begin the preview.">
              <Text size="sm">{preview.error.message}</Text>
            </ErrorPanel>
          )}
          {!isUndoable && (
            <Text>
              Nothing can be undone: no push of this import wrote to the store in the last 90 days, or it was
              undone already.
            </Text>
          )}
          {isUndoable && state === 'none' && !preview.isError && <Text role="status">Asking the store…</Text>}
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

/** A preview that is being made: how far it is, what it waits for, and the numbers so far. */
function PreviewProgress({ undo, onClose }: { undo: PushUndo; onClose: () => void }) {
  const { done, total, message, sums } = undo;
  return (
    <div className={classes.form}>
      <div className={`${classes.columns} ${classes.making}`}>
        <div className={`stack ${classes.summary}`}>
          <Text role="status" className="numbers">
            {total === 0
              ? 'Asking the store…'
              : `Comparing with the store: ${formatCount(done)} of ${countOf(total, 'product')}`}
          </Text>
          <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label="Compared" />
          <Text size="sm" c="dimmed">
            {message ?? 'Nothing is written to the store. You can close this, the preview goes on.'}
          </Text>
          <ul className={`list ${classes.sums}`} aria-label="What will be done, so far">
            {sumsByAction(sums).map(({ action, products }) => (
              <li key={action} className={`${classes.sum} numbers`} data-action={action} data-still>
                <strong>{formatCount(products)}</strong>{' '}
                <span>{actionWords(action, products, { isDone: false, gone: undo.gone })}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <ClosingFoot onClose={onClose} />
    </div>
  );
}

type UndoResultProps = { importId: string; undo: PushUndo; onClose: () => void };

/** What an undo has done so far, and which products stayed for which reason. */
function UndoResult({ importId, undo, onClose }: UndoResultProps) {
  const preview = useUndoPreview(importId, undo);
  const { results } = undo;
  const isRunning = undo.state === 'undoing' || undo.state === 'paused';
  return (
    <div className={classes.form}>
      <UndoColumns
        {...{ importId, undo }}
        sums={results}
        isDone
        first={isRunning ? null : firstFilter(results, true)}
        above={<Standing undo={undo} />}
        below={
          preview.isError && (
            <ErrorPanel title="Couldn’t begin the preview.">{preview.error.message}</ErrorPanel>
          )
        }
      />
      <ClosingFoot onClose={onClose}>
        {!isRunning && undo.undoableUntil !== null && (
          <Button
            variant="default"
            loading={preview.isPending}
            onClick={() => preview.mutate(undo.whenUnsure)}
          >
            New Preview
          </Button>
        )}
      </ClosingFoot>
    </div>
  );
}

/** How far an undo is, or why it ended before its last product. */
function Standing({ undo: { state, done, total, message } }: { undo: PushUndo }) {
  if (state === 'failed') {
    return <ErrorPanel title="The undo stopped.">{message ?? 'The store didn’t answer.'}</ErrorPanel>;
  }
  return (
    <>
      {(state === 'undoing' || state === 'paused') && (
        <>
          <Text role="status" className="numbers">
            {state === 'paused' ? 'Paused' : 'Undoing'}: {formatCount(done)} of {countOf(total, 'product')}
          </Text>
          <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label="Undone" />
        </>
      )}
      {state === 'stopped' && (
        <Text>The undo was stopped. What was undone stays undone; the other products are as they were.</Text>
      )}
      {message !== null && (
        <Text size="sm" c="dimmed">
          {message}
        </Text>
      )}
    </>
  );
}

type ClosingFootProps = {
  onClose: () => void;
  /** Further buttons. */
  children?: ReactNode;
};

/** The foot of the dialog while there is no preview to carry out. */
function ClosingFoot({ onClose, children }: ClosingFootProps) {
  return (
    <div className={tallDialogFoot}>
      <div className={`row-wrap ${classes.buttons}`}>
        <Button data-close variant="default" onClick={onClose}>
          Close
        </Button>
        {children}
      </div>
    </div>
  );
}
