import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button, PlainButton } from '../../../ui/button.tsx';
import { CallFailure, ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { TallDialog, TallFoot } from '../../../ui/overlays.tsx';
import { Moment, QuietText } from '../../../ui/text.tsx';
import { goneActionLabels } from '../list/gone-words.ts';
import { isCarriedOut, RunProgress, useStoreRun } from '../store-runs.tsx';
import classes from './push-undo.module.css';
import { useUndoPreview } from './push-undo-api.ts';
import { UndoPreview } from './undo-preview.tsx';
import { UndoColumns, UndoSums } from './undo-products.tsx';
import { firstFilter } from './undo-words.ts';

export type UndoDialogProps = { importId: string; filename: string; opened: boolean; onClose: () => void };

/** Gets the focus when a new preview replaces the focused control. */
const nextFocus = '[role="dialog"] :is(input:checked, [data-close])';

export function UndoDialog({ importId, filename, opened, onClose }: UndoDialogProps) {
  const { data: undo } = useStoreRun('getPushUndo', importId);
  return (
    <TallDialog
      opened={opened}
      onClose={onClose}
      size="72rem"
      fills="tablet"
      title={
        <>
          {undo?.gone == null ? 'Undo push' : `Undo “${goneActionLabels[undo.gone]}”`}
          {undo?.pushedAt != null && (
            <>
              {' '}
              of <Moment time={undo.pushedAt} />
            </>
          )}{' '}
          <QuietText component="span" fw={400} className="break-words" dir="auto">
            {filename}
          </QuietText>
        </>
      }
      attributes={{ header: { role: 'presentation' }, content: { 'data-focus-next': nextFocus } }}
    >
      <Content importId={importId} filename={filename} onClose={onClose} />
    </TallDialog>
  );
}

function Content({ importId, filename, onClose }: Omit<UndoDialogProps, 'opened'>) {
  const read = useStoreRun('getPushUndo', importId);
  const undo = read.data;
  if (undo === undefined) {
    return (
      <div className={`${classes.form} stack gap-0 pad`}>
        <ReadFailure what="the undo" reads={[read]} />
      </div>
    );
  }
  const props = { importId, undo, onClose };
  if (undo.state === 'previewing') return <PreviewProgress undo={undo} onClose={onClose} />;
  if (undo.state === 'ready') return <UndoPreview key={undo.previewedAt} {...props} filename={filename} />;
  if (undo.results.length > 0 || isCarriedOut(undo)) return <UndoResult {...props} />;
  return <NoPreview {...props} />;
}

/** The first preview begins at once; one that has stopped or failed is repeated on request. */
function NoPreview({ importId, undo, onClose }: { importId: string; undo: PushUndo; onClose: () => void }) {
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
    <Unpreviewed
      onClose={onClose}
      button={
        canBegin && (
          <Button loading={preview.isPending} onClick={() => preview.mutate(whenUnsure)}>
            Preview Again
          </Button>
        )
      }
    >
      <CallFailure error={preview.error} title="Couldn’t begin the preview." />
      {!isUndoable && (
        <Text>
          Nothing can be undone: no push of this import wrote to the store in the last 90 days, or it was
          undone already.
        </Text>
      )}
      {isUndoable && state === 'none' && !preview.isError && <Text role="status">Asking the store…</Text>}
      {state === 'failed' && (
        <ErrorPanel title="The preview failed.">{message ?? 'The store didn’t answer.'}</ErrorPanel>
      )}
      {state === 'stopped' && <Text>{message ?? 'The preview was stopped before it was complete.'}</Text>}
    </Unpreviewed>
  );
}

const PreviewProgress = ({ undo, onClose }: { undo: PushUndo; onClose: () => void }) => (
  <Unpreviewed onClose={onClose}>
    <RunProgress
      of={undo}
      doing="Undoing"
      otherwise="Nothing is written to the store. You can close this, the preview goes on."
    />
    <UndoSums sums={undo.sums} gone={undo.gone} label="What will be done, so far" />
  </Unpreviewed>
);

function UndoResult({ importId, undo, onClose }: { importId: string; undo: PushUndo; onClose: () => void }) {
  const preview = useUndoPreview(importId, undo);
  const { results } = undo;
  const isRunning = isCarriedOut(undo);
  return (
    <div className={`${classes.form} stack gap-0`}>
      <UndoColumns
        {...{ importId, undo }}
        sums={results}
        isDone
        first={isRunning ? null : firstFilter(results, true)}
        above={<Standing undo={undo} />}
        below={<CallFailure error={preview.error} title="Couldn’t begin the preview." />}
      />
      <ClosingFoot onClose={onClose}>
        {!isRunning && undo.undoableUntil !== null && (
          <PlainButton loading={preview.isPending} onClick={() => preview.mutate(undo.whenUnsure)}>
            New Preview
          </PlainButton>
        )}
      </ClosingFoot>
    </div>
  );
}

function Standing({ undo }: { undo: PushUndo }) {
  const { state, message } = undo;
  if (isCarriedOut(undo)) return <RunProgress of={undo} doing="Undoing" />;
  if (state === 'failed') {
    return <ErrorPanel title="The undo stopped.">{message ?? 'The store didn’t answer.'}</ErrorPanel>;
  }
  return (
    <>
      {state === 'stopped' && (
        <Text>The undo was stopped. What was undone stays undone; the other products are as they were.</Text>
      )}
      {message !== null && <QuietText>{message}</QuietText>}
    </>
  );
}

type UnpreviewedProps = { onClose: () => void; button?: ReactNode; children: ReactNode };

/** As high as with a preview. */
const Unpreviewed = ({ onClose, button, children }: UnpreviewedProps) => (
  <div className={`${classes.form} stack gap-0`}>
    <div className={`${classes.columns} block`}>
      <div className={`stack ${classes.summary} gap-md pad`}>{children}</div>
    </div>
    <ClosingFoot onClose={onClose}>{button}</ClosingFoot>
  </div>
);

const ClosingFoot = ({ onClose, children }: { onClose: () => void; children?: ReactNode }) => (
  <TallFoot>
    <div className={`row-wrap ${classes.buttons} gap-sm end`}>
      <PlainButton data-close onClick={onClose}>
        Close
      </PlainButton>
      {children}
    </div>
  </TallFoot>
);
