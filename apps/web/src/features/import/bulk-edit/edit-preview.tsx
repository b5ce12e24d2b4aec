import type { EditPreview, EditTarget } from '@draftshelf/contract/review/commands';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call, toCacheKey } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { BodyText, Button, PlainButton, QuietText } from '../../../ui/basics.tsx';
import { CallFailure } from '../../../ui/feedback/read.tsx';
import { HintedButton } from '../../../ui/hint.tsx';
import { TallDialogFooter } from '../../../ui/overlays.tsx';
import { ValueTable } from '../../../ui/table/record-table.tsx';
import { useCommandCall } from '../edits/edits-api.ts';
import classes from './bulk-dialog.module.css';
import { typingHintWords, unchangedCellWords } from './command-notices.tsx';
import {
  applyButtonLabel,
  belowCostWords,
  changedCellsWords,
  changedFieldLabel,
  coveredRowsWords,
  formatPreviewValue,
  formatSampleSuffix,
  formatSignedPercent,
  isLargeChange,
  problemWords,
  validityWords,
} from './preview-words.ts';

type EditPreviewProps = {
  preview: ShownPreview;
  isComplete: boolean;
};

/** The facts are above the examples, so that the facts do not move while another preview loads. */
export const EditPreviewPanel = ({
  preview: { data, error, isStale, retry },
  isComplete,
}: EditPreviewProps) => (
  <section
    className={`stack ${classes.preview} pad line-before`}
    aria-labelledby="bulk-preview"
    aria-busy={isStale}
    data-stale={isStale || undefined}
  >
    <Title order={3} id="bulk-preview" size="sm" className={`${classes.sentence} clamp rigid`} dir="auto">
      {isComplete ? (data?.sentence ?? 'Preview') : 'Preview'}
    </Title>
    <div className="visually-hidden" role="status">
      {data !== undefined && !isStale && `${changedCellsWords(data)}. ${validityWords(data)}.`}
    </div>
    {error !== null ? (
      <CallFailure error={error} title="Couldn’t load the preview." otherwise="Try again.">
        <Button size="compact-md" onClick={retry}>
          Try Again
        </Button>
      </CallFailure>
    ) : (
      <>
        <dl className={`stack flush numbers ${classes.facts} gap-hair rigid size-sm`}>
          <Fact name="Changes">{data && changedCellsWords(data)}</Fact>
          <Fact name="Preview covers" isLong>
            {data && coveredRowsWords(data)}
          </Fact>
          <Fact name="Validity" isLong isMarked={data !== undefined && data.losesValidity > 0}>
            {data && validityWords(data)}
          </Fact>
          {data !== undefined && data.largest !== null && (
            <Fact name="Largest change" isMarked={isLargeChange(data.largest)}>
              <Largest largest={data.largest} />
              {formatSampleSuffix(data)}
            </Fact>
          )}
          {data?.comparesCosts && (
            <Fact name="Price below cost" isMarked={data.belowCost !== null}>
              {belowCostWords(data)}
            </Fact>
          )}
          {data !== undefined && data.unchangedCells > 0 && (
            <Fact name="Unchanged">{`${countOf(data.unchangedCells, 'cell')}${formatSampleSuffix(data)}`}</Fact>
          )}
        </dl>
        <Sentences label="New problems" sentences={data?.problems.map((one) => problemWords(one, data))} />
        <Sentences label="Cells that are left as they are" sentences={data && leftWords(data)} />
        <Examples preview={data} isComplete={isComplete} />
      </>
    )}
  </section>
);

const leftWords = ({ left }: EditPreview): string[] => [
  ...left.map(unchangedCellWords),
  ...[typingHintWords(left)].filter((hint) => hint !== null),
];

type FactProps = {
  name: string;
  isMarked?: boolean;
  /** True if the fact takes two lines on a phone. */
  isLong?: boolean;
  children: ReactNode;
};

const Fact = ({ name, isMarked = false, isLong = false, children }: FactProps) => (
  <div className="grid gap-xs" data-marked={isMarked || undefined} data-long={isLong || undefined}>
    <dt className="dim">{name}</dt>
    <dd className={`row flush ${classes.fact} gap-tight`}>
      <span className="ellipsis">{children ?? '–'}</span>
      {isMarked && <IconAlertTriangle size={14} role="img" aria-label="Check this" />}
    </dd>
  </div>
);

function Largest({ largest }: { largest: NonNullable<EditPreview['largest']> }) {
  const { before, after, row } = largest;
  return `${formatSignedPercent(largest)}: ${before} → ${after} in row ${formatCount(row)}`;
}

function Sentences({ label, sentences = [] }: { label: string; sentences: readonly string[] | undefined }) {
  if (sentences.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <section className={`${classes.left} rigid size-sm`} aria-label={label} tabIndex={0}>
      <ul className="list break-words">
        {sentences.map((sentence) => (
          <li key={sentence} dir="auto">
            {sentence}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Examples({ preview, isComplete }: { preview: EditPreview | undefined; isComplete: boolean }) {
  const { examples = [], largest = null } = preview ?? {};
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <section className={classes.examples} aria-label="Examples" tabIndex={0}>
      {!isComplete && <QuietText>Fill in the step to preview it.</QuietText>}
      {preview !== undefined && examples.length === 0 && (
        <QuietText>{`No value${formatSampleSuffix(preview)} would change.`}</QuietText>
      )}
      {examples.length > 0 && (
        <ValueTable label="Values before and after" heads={['Row', 'Field', 'Before', 'After']}>
          {examples.map(({ row, field, before, after, fallsBelowCost }, at) => {
            const isLargest = largest?.row === row && largest.field === field;
            const mark = fallsBelowCost ? 'Below cost' : isLargest ? 'Largest change' : null;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the next preview replaces the example at this position
              <tr key={at} className="numbers" data-marked={fallsBelowCost || undefined}>
                <td>{formatCount(row)}</td>
                <td>{changedFieldLabel(field)}</td>
                <Value value={formatPreviewValue(field, before)} />
                <Value value={formatPreviewValue(field, after)} mark={mark} isAfter />
              </tr>
            );
          })}
        </ValueTable>
      )}
    </section>
  );
}

type ValueProps = { value: string | null; mark?: string | null; isAfter?: boolean };

const Value = ({ value, mark = null, isAfter = false }: ValueProps) => (
  <td data-empty={value === null || undefined} data-after={isAfter || undefined} title={value ?? undefined}>
    <span dir="auto">{value ?? 'empty'}</span>
    {mark !== null && <span className={`${classes.mark} small normal`}>{mark}</span>}
  </td>
);

type Edits = { target: EditTarget; operations: Operation[] };

type ApplyProps = {
  importId: string;
  /** Null while an input is missing. */
  edits: Edits | null;
  onIncomplete?: () => void;
  /** Called even if the dialog has been closed meanwhile. */
  onApplied: () => void;
  onClose: () => void;
};

/** Previews edits, and applies them only after their preview was shown. */
export function useApplyEdits({ importId, edits, onIncomplete, onApplied, onClose }: ApplyProps) {
  const preview = useShownPreview(importId, edits);
  const apply = useCommandCall('applyEdits', { id: importId });
  const reason = edits === null ? null : reasonToWait(preview);
  /** True after the shortcut was pressed while the button was disabled, until the button is enabled. */
  const [isHeldBack, setHeldBack] = useState(false);
  if (isHeldBack && reason === null) setHeldBack(false);
  const start = () => {
    if (apply.isPending) return;
    if (edits === null) return onIncomplete?.();
    if (preview.data === undefined || reason !== null) return setHeldBack(true);
    const { sentence, sinceEdit } = preview.data;
    apply.start({ body: { ...edits, sinceEdit } }, sentence, onClose, onApplied);
  };
  const refusal = isHeldBack ? reason : null;
  return { preview, start, reason, refusal, isApplying: apply.isPending, error: apply.error };
}

type ApplyFootProps = {
  applying: ReturnType<typeof useApplyEdits>;
  operations: readonly Operation[];
  /** Null if the rows are not counted. */
  rows: number | null;
  onStart: () => void;
  onClose: () => void;
  isFirst?: boolean;
};

export function ApplyFoot({ applying, operations, rows, onStart, onClose, isFirst }: ApplyFootProps) {
  const { preview, reason, refusal, isApplying, error } = applying;
  return (
    <TallDialogFooter>
      <CallFailure
        error={error}
        title="Nothing was changed."
        otherwise="Your lines are still here; try again."
      />
      <div className={`${classes.buttons} flex gap-sm end`}>
        <BodyText role="status" className={classes.reason}>
          {refusal}
        </BodyText>
        <PlainButton onClick={onClose}>Cancel</PlainButton>
        <HintedButton reason={reason} loading={isApplying} onClick={onStart} data-autofocus={isFirst}>
          <span className="numbers">{applyButtonLabel(preview.data ?? null, operations, rows)}</span>
        </HintedButton>
      </div>
    </TallDialogFooter>
  );
}

const typingPauseMs = 250;

type ShownPreview = ReturnType<typeof useShownPreview>;

/**
 * Previews the edits, and keeps showing the last preview while the next one loads. `isStale`: true while the shown
 * preview belongs to earlier input. Previews are not cached, because others may change the rows.
 */
function useShownPreview(importId: string, edits: Edits | null) {
  const entered = JSON.stringify(edits);
  const [requested] = useDebouncedValue(entered, typingPauseMs);
  const body = JSON.parse(requested) as Edits | null;
  const query = useQuery({
    queryKey: [...toCacheKey('previewEdits', { id: importId }), body],
    queryFn: ({ signal }) =>
      call('previewEdits', {
        params: { id: importId },
        body: body ?? { target: {}, operations: [] },
        signal,
      }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const isOld = requested !== entered || query.isPlaceholderData || query.isFetching;
  return {
    data: edits === null ? undefined : query.data,
    error: isOld ? null : query.error,
    isStale: edits !== null && isOld,
    retry: () => void query.refetch(),
  };
}

function reasonToWait({ data, error, isStale }: ShownPreview): string | null {
  if (error !== null) return 'Couldn’t load the preview.';
  if (data === undefined || isStale) return 'The preview is loading.';
  return data.sample.isAll && data.changed.cells === 0 ? 'This would change nothing.' : null;
}
