import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Button, ClockTime, PlainButton, QuietText, RelativeTime, TextButton } from '../../../ui/basics.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm.tsx';
import { CallFailure, ErrorPanel, ReadFailure } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { HintedButton } from '../../../ui/hint.tsx';
import { TallDialog, TallDialogFooter } from '../../../ui/overlays.tsx';
import { goneActionLabels } from '../list/gone-words.ts';
import { isRunUnderWay, RunProgress, runsUnderWay, useStoreRun } from '../store-runs.tsx';
import classes from './push-undo.module.css';
import { useUndoPreview } from './push-undo-api.ts';
import { UndoColumns, UndoSums } from './undo-products.tsx';
import {
  countActionProducts,
  findFirstFilter,
  listUndoFacts,
  parseTypedCount,
  undoButtonWords,
  undoEstimateWords,
} from './undo-words.ts';

type UndoDialogProps = { importId: string; filename: string; opened: boolean; onClose: () => void };

/** Selects the element to focus if a new preview removes the focused one. */
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
              of <ClockTime time={undo.pushedAt} />
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
  if (undo.state === 'previewing')
    return (
      <Unpreviewed onClose={onClose}>
        <RunProgress
          of={undo}
          doing="Undoing"
          otherwise="Nothing is written to the store. You can close this dialog; the preview continues."
        />
        <UndoSums sums={undo.sums} gone={undo.gone} label="What will be done, so far" />
      </Unpreviewed>
    );
  if (undo.state === 'ready') return <UndoPreview key={undo.previewedAt} {...props} filename={filename} />;
  if (undo.results.length > 0 || isRunUnderWay(undo)) return <UndoResult {...props} />;
  return <NoPreview {...props} />;
}

/** The dialog without a preview. Begins the first preview at once. Repeats a stopped or failed preview on request. */
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

function UndoResult({ importId, undo, onClose }: { importId: string; undo: PushUndo; onClose: () => void }) {
  const preview = useUndoPreview(importId, undo);
  const { results } = undo;
  const isRunning = isRunUnderWay(undo);
  return (
    <div className={`${classes.form} stack gap-0`}>
      <UndoColumns
        {...{ importId, undo }}
        sums={results}
        isDone
        first={isRunning ? null : findFirstFilter(results, true)}
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
  if (isRunUnderWay(undo)) return <RunProgress of={undo} doing="Undoing" />;
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

/** The layout of the dialog without a preview, as high as the dialog with a preview. */
const Unpreviewed = ({ onClose, button, children }: UnpreviewedProps) => (
  <div className={`${classes.form} stack gap-0`}>
    <div className={`${classes.columns} block`}>
      <div className={`stack ${classes.summary} gap-md pad`}>{children}</div>
    </div>
    <ClosingFoot onClose={onClose}>{button}</ClosingFoot>
  </div>
);

const ClosingFoot = ({ onClose, children }: { onClose: () => void; children?: ReactNode }) => (
  <TallDialogFooter>
    <div className={`row-wrap ${classes.buttons} gap-sm end`}>
      <PlainButton data-close onClick={onClose}>
        Close
      </PlainButton>
      {children}
    </div>
  </TallDialogFooter>
);

type UndoPreviewProps = { importId: string; filename: string; undo: PushUndo; onClose: () => void };

function UndoPreview({ importId, filename, undo, onClose }: UndoPreviewProps) {
  const [first] = useState(() => findFirstFilter(undo.sums, false));
  const preview = useUndoPreview(importId, undo);
  /** A choice that waits for a confirmation, because its preview would discard the choices about single products. */
  const [nextChoice, setNextChoice] = useState<PushUndo['whenUnsure'] | null>(null);
  const begin = (whenUnsure: PushUndo['whenUnsure']) => {
    if (preview.isPending) return;
    if (undo.chosenProducts === 0) preview.mutate(whenUnsure);
    else setNextChoice(whenUnsure);
  };
  return (
    <div className={`${classes.form} stack gap-0`}>
      <UndoColumns
        {...{ importId, undo, first }}
        sums={undo.sums}
        isDone={false}
        below={
          <>
            {undo.choosableProducts > 0 && (
              <Radio.Group
                className={classes.unsure}
                label="Created products that somebody may have changed"
                size="sm"
                value={undo.whenUnsure}
                onChange={(whenUnsure) => begin(whenUnsure as PushUndo['whenUnsure'])}
              >
                <Stack gap="xs" mt="xs">
                  <Radio value="keep" label="Keep them" />
                  <Radio value="archive" label="Archive them" />
                </Stack>
              </Radio.Group>
            )}
            <ul className="list stack quiet">
              {listUndoFacts(undo).map((fact) => (
                <li key={fact}>{fact}</li>
              ))}
            </ul>
          </>
        }
      />
      <UndoFoot
        {...{ importId, filename, undo, preview, onClose }}
        onPreview={() => begin(undo.whenUnsure)}
      />
      <ConfirmDialog
        opened={nextChoice !== null}
        title="Preview again?"
        confirm="Drop Choices"
        keep="Keep Choices"
        onConfirm={() => nextChoice !== null && preview.mutate(nextChoice)}
        onClose={() => setNextChoice(null)}
      >
        Your choices about {countOf(undo.chosenProducts, 'product')} are dropped.
      </ConfirmDialog>
    </div>
  );
}

type UndoFootProps = UndoPreviewProps & { preview: ReturnType<typeof useUndoPreview>; onPreview: () => void };

/** The dialog's buttons. If many products will be deleted, the operator must type their number. */
function UndoFoot({ importId, filename, undo, preview, onPreview, onClose }: UndoFootProps) {
  const [countText, setCountText] = useState('');
  const carryOut = useCall('undoPush', {
    params: { id: importId },
    // Passed to `useCall`, so that it also runs after this component has been unmounted.
    onSuccess: () => {
      runsUnderWay.set(importId, { run: 'getPushUndo', filename });
      onClose();
    },
  });
  const { run, sums, asksForDeletions } = undo;
  const deletions = countActionProducts(sums, 'delete');
  const words = undoButtonWords(sums);
  const isTyped = !asksForDeletions || parseTypedCount(countText) === deletions;
  const typeFirst = isTyped ? null : `Type ${formatCount(deletions)} first.`;
  const start = () => {
    if (run === null || carryOut.isPending) return;
    carryOut.mutate({ body: { run, ...(asksForDeletions && { deletions }) } });
  };
  return (
    <TallDialogFooter>
      <CallFailure error={carryOut.error} title="Couldn’t start the undo." />
      <CallFailure error={preview.error} title="Couldn’t make the preview again." />
      <div className={`row-wrap ${classes.buttons} gap-sm end`} data-typed={asksForDeletions || undefined}>
        <p className={`flush quiet numbers ${classes.age}`}>
          {undo.estimate !== null && words !== null && `${undoEstimateWords(undo.estimate)} `}
          {undo.previewedAt !== null && (
            <>
              Compared with the store <RelativeTime time={undo.previewedAt} />.{' '}
            </>
          )}
          <TextButton busy={preview.isPending} onClick={onPreview}>
            Preview Again
          </TextButton>
        </p>
        {asksForDeletions && (
          <TextInput
            className={classes.typed}
            label={`Type ${formatCount(deletions)} to confirm the deletions`}
            inputMode="numeric"
            autoComplete="off"
            value={countText}
            onChange={(event) => setCountText(event.currentTarget.value)}
          />
        )}
        <PlainButton data-close onClick={onClose}>
          Close
        </PlainButton>
        <HintedButton
          reason={words === null ? 'There is nothing to delete, archive or restore.' : typeFirst}
          color={deletions > 0 ? 'red' : undefined}
          loading={carryOut.isPending}
          onClick={start}
        >
          {words ?? 'Nothing to Undo'}
        </HintedButton>
      </div>
    </TallDialogFooter>
  );
}
