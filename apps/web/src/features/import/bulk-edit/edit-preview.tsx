import type { EditPreview } from '@draftshelf/contract/review/commands';
import { Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CallError } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import classes from './bulk-dialog.module.css';
import { leftCellWords, typingHint } from './command-words.ts';
import {
  belowCostWords,
  changedLabel,
  changedWords,
  isLarge,
  ofSample,
  percentWords,
  problemWords,
  sampleWords,
  shownValue,
  validityWords,
} from './preview-words.ts';
import type { ShownPreview } from './use-apply.ts';

type EditPreviewProps = {
  preview: ShownPreview;
  /** Every line is complete. */
  isComplete: boolean;
};

/** What the lines would do. What is always told comes first, so that it does not move while another preview loads. */
export function EditPreviewPanel({ preview: { data, error, isStale, retry }, isComplete }: EditPreviewProps) {
  return (
    <section
      className={`stack ${classes.preview}`}
      aria-labelledby="bulk-preview"
      aria-busy={isStale}
      data-stale={isStale || undefined}
    >
      <Title order={3} id="bulk-preview" size="sm" className={classes.sentence} dir="auto">
        {isComplete ? (data?.sentence ?? 'Preview') : 'Preview'}
      </Title>
      <div className="visually-hidden" role="status">
        {data !== undefined && !isStale && `${changedWords(data)}. ${validityWords(data)}.`}
      </div>
      {error !== null ? (
        <ErrorPanel
          title="Couldn’t load the preview."
          cause={error instanceof CallError && error.serverMessage !== null ? null : error.message}
        >
          <Text size="sm">{(error instanceof CallError ? error.serverMessage : null) ?? 'Try again.'}</Text>
          <Button size="compact-md" onClick={retry}>
            Try Again
          </Button>
        </ErrorPanel>
      ) : (
        <>
          <Facts preview={data} />
          <Sentences label="New problems" sentences={data?.problems.map((one) => problemWords(one, data))} />
          <Sentences label="Cells that are left as they are" sentences={data && leftWords(data)} />
          <Examples preview={data} isComplete={isComplete} />
        </>
      )}
    </section>
  );
}

const leftWords = ({ left }: EditPreview): string[] => [
  ...left.map(leftCellWords),
  ...[typingHint(left)].filter((hint) => hint !== null),
];

type PartProps = { preview: EditPreview | undefined };

function Facts({ preview }: PartProps) {
  return (
    <dl className={`stack flush numbers ${classes.facts}`}>
      <Fact name="Changes">{preview && changedWords(preview)}</Fact>
      <Fact name="Preview covers" isLong>
        {preview && sampleWords(preview)}
      </Fact>
      <Fact name="Validity" isLong isMarked={preview !== undefined && preview.losesValidity > 0}>
        {preview && validityWords(preview)}
      </Fact>
      {preview !== undefined && preview.largest !== null && (
        <Fact name="Largest change" isMarked={isLarge(preview.largest)}>
          <Largest largest={preview.largest} />
          {ofSample(preview)}
        </Fact>
      )}
      {preview?.comparesCosts && (
        <Fact name="Price below cost" isMarked={preview.belowCost !== null}>
          {belowCostWords(preview)}
        </Fact>
      )}
      {preview !== undefined && preview.unchangedCells > 0 && (
        <Fact name="Unchanged">{`${countOf(preview.unchangedCells, 'cell')}${ofSample(preview)}`}</Fact>
      )}
    </dl>
  );
}

type FactProps = {
  name: string;
  /** It should be looked at. */
  isMarked?: boolean;
  /** It takes two lines on a phone. */
  isLong?: boolean;
  children: ReactNode;
};

function Fact({ name, isMarked = false, isLong = false, children }: FactProps) {
  return (
    <div data-marked={isMarked || undefined} data-long={isLong || undefined}>
      <dt>{name}</dt>
      <dd className={`row flush ${classes.fact}`}>
        <span className="ellipsis">{children ?? '–'}</span>
        {isMarked && <IconAlertTriangle size={14} role="img" aria-label="Check this" />}
      </dd>
    </div>
  );
}

function Largest({ largest }: { largest: NonNullable<EditPreview['largest']> }) {
  const { before, after, row } = largest;
  return `${percentWords(largest)}: ${before} → ${after} in row ${formatCount(row)}`;
}

type SentencesProps = { label: string; sentences: readonly string[] | undefined };

/** What the lines would leave or make wrong, by cause. */
function Sentences({ label, sentences = [] }: SentencesProps) {
  if (sentences.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <section className={classes.left} aria-label={label} tabIndex={0}>
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

function Examples({ preview, isComplete }: PartProps & Pick<EditPreviewProps, 'isComplete'>) {
  const examples = preview?.examples ?? [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <section className={classes.examples} aria-label="Examples" tabIndex={0}>
      {!isComplete && (
        <Text size="sm" c="dimmed">
          Fill in the step to preview it.
        </Text>
      )}
      {preview !== undefined && examples.length === 0 && (
        <Text size="sm" c="dimmed">
          {`No value${ofSample(preview)} would change.`}
        </Text>
      )}
      {examples.length > 0 && (
        <table aria-label="Values before and after">
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody className="numbers">
            {examples.map((example, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: another example takes the place of one before it
              <Example key={at} example={example} largest={preview?.largest ?? null} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

type ExampleProps = Pick<EditPreview, 'largest'> & { example: EditPreview['examples'][number] };

function Example({ example, largest }: ExampleProps) {
  const { row, field, before, after, fallsBelowCost } = example;
  const isLargest = largest?.row === row && largest.field === field;
  const mark = fallsBelowCost ? 'Below cost' : isLargest ? 'Largest change' : null;
  return (
    <tr data-marked={fallsBelowCost || undefined}>
      <td>{formatCount(row)}</td>
      <td>{changedLabel(field)}</td>
      <Value value={shownValue(field, before)} />
      <Value value={shownValue(field, after)} mark={mark} isAfter />
    </tr>
  );
}

type ValueProps = { value: string | null; mark?: string | null; isAfter?: boolean };

function Value({ value, mark = null, isAfter = false }: ValueProps) {
  return (
    <td data-empty={value === null || undefined} data-after={isAfter || undefined} title={value ?? undefined}>
      <span dir="auto">{value ?? 'empty'}</span>
      {mark !== null && <span className={classes.mark}>{mark}</span>}
    </td>
  );
}
