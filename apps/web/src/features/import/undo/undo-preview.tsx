import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { PlainButton, TextButton } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/feedback/confirm.tsx';
import { CallFailure } from '../../../ui/feedback/error-panel.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { TallFoot } from '../../../ui/overlays.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { RelativeTime } from '../../../ui/text.tsx';
import { runsUnderWay } from '../store-runs.tsx';
import classes from './push-undo.module.css';
import { useUndoPreview } from './push-undo-api.ts';
import { UndoColumns } from './undo-products.tsx';
import {
  estimateWords,
  firstFilter,
  productsOf,
  typedCount,
  undoButtonWords,
  undoFacts,
} from './undo-words.ts';

type UndoPreviewProps = { importId: string; filename: string; undo: PushUndo; onClose: () => void };

export function UndoPreview({ importId, filename, undo, onClose }: UndoPreviewProps) {
  const [first] = useState(() => firstFilter(undo.sums, false));
  const next = useNextPreview(importId, undo);
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
                onChange={(whenUnsure) => next.begin(whenUnsure as PushUndo['whenUnsure'])}
              >
                <Stack gap="xs" mt="xs">
                  <Radio value="keep" label="Keep them" />
                  <Radio value="archive" label="Archive them" />
                </Stack>
              </Radio.Group>
            )}
            <ul className="list stack quiet">
              {undoFacts(undo).map((fact) => (
                <li key={fact}>{fact}</li>
              ))}
            </ul>
          </>
        }
      />
      <UndoFoot {...{ importId, filename, undo, next, onClose }} />
      {next.question}
    </div>
  );
}

type UndoFootProps = {
  importId: string;
  filename: string;
  undo: PushUndo;
  next: NextPreview;
  onClose: () => void;
};

/** Many deletions need their number typed. */
function UndoFoot({ importId, filename, undo, next, onClose }: UndoFootProps) {
  const [countText, setCountText] = useState('');
  const carryOut = useCall('undoPush', {
    params: { id: importId },
    // Also runs when the preview is no longer shown.
    onSuccess: () => {
      runsUnderWay.set(importId, { run: 'getPushUndo', filename });
      onClose();
    },
  });
  const { run, sums, asksForDeletions } = undo;
  const deletions = productsOf(sums, 'delete');
  const words = undoButtonWords(sums);
  const isTyped = !asksForDeletions || typedCount(countText) === deletions;
  const typeFirst = isTyped ? null : `Type ${formatCount(deletions)} first.`;
  const start = () => {
    if (run === null || carryOut.isPending) return;
    carryOut.mutate({ body: { run, ...(asksForDeletions && { deletions }) } });
  };
  return (
    <TallFoot>
      <CallFailure error={carryOut.error} title="Couldn’t start the undo." />
      <CallFailure error={next.error} title="Couldn’t make the preview again." />
      <div className={`row-wrap ${classes.buttons} gap-sm end`} data-typed={asksForDeletions || undefined}>
        <PreviewAge undo={undo} hasWork={words !== null} next={next} />
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
        <ReasonedButton
          reason={words === null ? 'There is nothing to delete, archive or restore.' : typeFirst}
          color={deletions > 0 ? 'red' : undefined}
          loading={carryOut.isPending}
          onClick={start}
        >
          {words ?? 'Nothing to Undo'}
        </ReasonedButton>
      </div>
    </TallFoot>
  );
}

type PreviewAgeProps = Pick<UndoFootProps, 'undo' | 'next'> & { hasWork: boolean };

const PreviewAge = ({ undo: { estimate, previewedAt, whenUnsure }, hasWork, next }: PreviewAgeProps) => (
  <p className={`flush quiet numbers ${classes.age}`}>
    {estimate !== null && hasWork && `${estimateWords(estimate)} `}
    {previewedAt !== null && (
      <>
        Compared with the store <RelativeTime time={previewedAt} />.{' '}
      </>
    )}
    <TextButton busy={next.isPending} onClick={() => next.begin(whenUnsure)}>
      Preview Again
    </TextButton>
  </p>
);

type WhenUnsure = PushUndo['whenUnsure'];

/** `question` asks before choices are lost. */
function useNextPreview(importId: string, undo: PushUndo) {
  const preview = useUndoPreview(importId, undo);
  const [nextChoice, setNextChoice] = useState<WhenUnsure | null>(null);
  const begin = (whenUnsure: WhenUnsure) => {
    if (preview.isPending) return;
    if (undo.chosenProducts === 0) preview.mutate(whenUnsure);
    else setNextChoice(whenUnsure);
  };
  const question = (
    <Confirm
      opened={nextChoice !== null}
      title="Preview again?"
      confirm="Drop Choices"
      keep="Keep Choices"
      onConfirm={() => nextChoice !== null && preview.mutate(nextChoice)}
      onClose={() => setNextChoice(null)}
    >
      Your choices about {countOf(undo.chosenProducts, 'product')} are dropped.
    </Confirm>
  );
  return { begin, question, isPending: preview.isPending, error: preview.error };
}
type NextPreview = ReturnType<typeof useNextPreview>;
