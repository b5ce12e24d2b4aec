import type { PrePushFacts } from '@draftshelf/contract/imports/before-push';
import type { Task } from '@draftshelf/contract/imports/imports';
import { formatFileSize } from '@draftshelf/domain/base/format';
import { lookupTasks, taskLabel } from '@draftshelf/domain/work/task-catalog';
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { countOf, formatCount, formatDuration } from '../../../lib/intl.ts';
import { needsYouRowsPath, outcomeRowsPath } from '../../../lib/paths.ts';
import { BodyText, Button, RelativeTime } from '../../../ui/basics.tsx';
import { useIsNarrow } from '../../../ui/hooks.ts';
import classes from '../import.module.css';
import type { ShownDetails, ShownImport } from '../imports-api.ts';
import { PlanInHead } from '../plan/planned-sums.tsx';
import { firstProblemLinkState } from '../rows/use-problems.ts';
import { type DetailsSection, useDetailsSection } from '../rows-address.ts';
import { countToDecide } from '../status/auto-words.ts';
import { CompositionBar, classParts, compositionOf, someOf } from '../status/composition.tsx';
import { type AskingImport, countOpenQuestions, heldReasonWords } from '../status/currency-gate.tsx';
import { originLabels } from '../status/import-cells.tsx';
import { ImportBar, ProgressCaption, sentWords } from '../status/import-progress.tsx';
import { OutcomeBadge, UndoneBadge } from '../status/status-look.tsx';

type ImportHeadProps = {
  record: ShownDetails;
  isPlannable: boolean;
  isOpen: boolean;
  /** The section of the first open item that needs an answer, or null if no item does. */
  toAnswer: DetailsSection | null;
  /** The open items, or facts about the file if no item is open. */
  children: ReactNode;
};

export const detailsButtonId = 'details';

/** The head of an import. Always two lines high, so that the rows below do not move. */
export function ImportHead({ record, isPlannable, isOpen, toAnswer, children }: ImportHeadProps) {
  const { tasks, beforePush } = record;
  return (
    <section
      className={`${classes.head} stack gap-hair line-below`}
      aria-labelledby="job-status"
      data-focus-next={`#${detailsButtonId}`}
      data-running={isStageUnderWay(record) || undefined}
      data-open={isOpen || undefined}
    >
      <div className={`${classes.line} row gap-x-sm size-sm`}>
        <Title order={2} id="job-status" className={`${classes.heading} rigid size-sm nowrap`}>
          Job Status
        </Title>
        {isStageUnderWay(record) ? (
          <>
            <div className={`${classes.bar} rigid`}>
              <ImportBar record={record} parts={[]} />
            </div>
            <span className={`numbers ${classes.percent} rigid`}>{record.progress}%</span>
            <ProgressCaption record={record} parts={[]} isCounted />
          </>
        ) : (
          <FinishedStage record={record} />
        )}
        <div className={`numbers ${classes.words} row-wrap gap-x-sm`}>
          <span>{productsWords(record)}</span>
          {beforePush !== null && <Standing record={record} {...beforePush} />}
          <Outcomes record={record} />
          {isPlannable && (
            <PlanInHead
              record={record}
              otherwise={
                heldReasonWords(record) === null && <span data-plan>{readyWords(record, beforePush)}</span>
              }
            />
          )}
          <Tasks tasks={tasks} />
        </div>
        <DetailsButtons proposals={record.proposals} toAnswer={toAnswer} />
      </div>
      <div className={`${classes.line} row gap-x-sm size-sm ${classes.open} wrap`}>{children}</div>
    </section>
  );
}

function DetailsButtons({ proposals, toAnswer }: Pick<ImportHeadProps, 'toAnswer'> & { proposals: number }) {
  const [section, open] = useDetailsSection();
  // On a phone, this button opens the section in which the open item is answered.
  const answer = useIsNarrow() ? toAnswer : null;
  const isOpen = section !== null && section !== 'proposals';
  const look = { size: 'compact-sm', variant: 'subtle', color: 'gray' } as const;
  return (
    <div className={`row ${classes.end} gap-0 rigid`}>
      <Button {...look} onClick={() => open('field-mapping')}>
        Field Mapping
      </Button>
      {proposals > 0 && (
        <Button {...look} onClick={() => open('proposals')}>
          {countOf(proposals, 'Proposal')}
        </Button>
      )}
      <Button
        {...look}
        id={detailsButtonId}
        aria-expanded={isOpen}
        {...(answer !== null && { variant: 'default' })}
        onClick={() => open(isOpen ? null : (answer ?? 'before-push'))}
      >
        {answer !== null ? 'Decide' : 'Details'}
      </Button>
    </div>
  );
}

/** True while a stage runs or is paused. */
export const isStageUnderWay = ({ status }: ShownImport) =>
  status === 'processing' || status === 'uploading' || status === 'paused';

/** For a cancelled import, shows the number of products processed before the cancellation. */
function FinishedStage({ record }: { record: ShownImport }) {
  if (record.status === 'cancelled') {
    return (
      <BodyText className="numbers">
        Stopped at {formatCount(record.processedProducts)} of {countOf(record.totalProducts, 'product')}
      </BodyText>
    );
  }
  const parts = compositionOf(record);
  const shownParts = parts.length > 0 ? parts : someOf(classParts(record));
  if (shownParts.length === 0) return null;
  return (
    <div className={`${classes.bar} rigid`}>
      <CompositionBar
        parts={shownParts}
        total={record.totalProducts}
        isStopped={record.status === 'failed'}
      />
    </div>
  );
}

/** Labels of the tasks whose progress the look-ups section shows. */
const askingLabels: readonly string[] = Object.values(lookupTasks).map(taskLabel);
const planLabel: string = taskLabel('plan-push');

/** The tasks of an import. A task appears after its first part is done, so that short tasks do not flash. */
function Tasks({ tasks }: { tasks: readonly Task[] }) {
  const isShown = ({ label, done, waitingFor }: Task) =>
    !askingLabels.includes(label) && (done > 0 || waitingFor !== null);
  // Commands and the push plan are shown elsewhere.
  const others = tasks.filter(({ command, label }) => command === null && label !== planLabel);
  const shownTasks = others.filter((task) => task.state === 'failed' || isShown(task));
  return shownTasks.map((task) => (
    <span key={task.id} className="quiet">
      {taskWords(task)}
    </span>
  ));
}

/** Counts of products by outcome. They leave out undone products, whose number is shown separately. */
function Outcomes({ record }: Pick<ImportHeadProps, 'record'>) {
  const { undone } = record;
  const [search] = useSearchParams();
  const entries = Object.entries(record.outcomes) as [keyof ShownImport['outcomes'], number][];
  const some = entries.filter(([, count]) => count > 0);
  if (some.length === 0 && undone === 0) return null;
  return (
    <>
      {some.map(([outcome, count]) => (
        <Link
          key={outcome}
          to={outcomeRowsPath(record.id, outcome)}
          preventScrollReset
          className={`${classes.outcome} target gap-tight`}
          aria-current={search.get('outcome') === outcome || undefined}
        >
          <span>{formatCount(count)}</span>
          <OutcomeBadge outcome={outcome} />
        </Link>
      ))}
      {undone > 0 && (
        <span className={`${classes.outcome} target gap-tight`}>
          <span>{formatCount(undone)}</span>
          <UndoneBadge />
        </span>
      )}
    </>
  );
}

/** A sentence about the review. Does not say that the import is ready, because the badge in the bar shows this. */
function Standing({ record, open, facts }: { record: ShownDetails } & PrePushFacts) {
  const { status } = record;
  if (status !== 'queued' && status !== 'processed') return null;
  if (heldReasonWords(record) !== null) {
    return (
      <span>
        <strong>Held back:</strong> nothing is pushed until you confirm the prices.
      </span>
    );
  }
  const queued = status === 'queued';
  return (
    <>
      {queued && <strong data-tone="warning">Ready for your review</strong>}
      <span role="status">
        {open > 0 && (
          <Link
            to={needsYouRowsPath(record.id)}
            state={firstProblemLinkState}
            preventScrollReset
            className="strong"
          >
            {countOf(open, 'needs you', 'need you')}
          </Link>
        )}
        {open === 0 && queued && queuedWords(record, facts)}
      </span>
    </>
  );
}

type Queued = Pick<ShownImport, 'autoMode' | 'outcomes' | 'source'>;

/** Returns the sentence for a queued import in which no product needs a fix. */
export function queuedWords({ autoMode, outcomes, source }: Queued, facts: PrePushFacts['facts']): string {
  if (autoMode === 'manual' && outcomes.created + outcomes.updated === 0) {
    return `Waits for your review, as set ${source === 'address' ? 'in Settings' : 'for the watched folder'}.`;
  }
  const toDecide = countToDecide(facts);
  if (toDecide > 0) {
    return `Nothing left to fix. ${countOf(toDecide, 'product needs', 'products need')} your decision.`;
  }
  const leftOut = facts.find(({ kind }) => kind === 'left-out');
  return leftOut === undefined
    ? 'Review the rows, then push.'
    : `Nothing left to fix: ${countOf(leftOut.count, `${leftOut.of} is`, `${leftOut.of}s are`)} left out. Push when you’re ready.`;
}

export function taskWords({ label, state, done, total, waitingFor, error }: Task): string {
  if (state === 'failed') return `${label} failed: ${error ?? 'unknown cause'}`;
  if (waitingFor !== null) return `${label}: ${waitingFor}`;
  if (total === null) return `${label}: ${formatCount(done)} so far`;
  return `${label}: ${formatCount(done)} of ${countOf(total, 'row')}`;
}

/** Example: '37 products', or '37 products (211 rows)' if products and rows differ in number. */
export function productsWords({
  totalProducts,
  totalRows,
}: Pick<ShownImport, 'totalProducts' | 'totalRows'>): string {
  const products = countOf(totalProducts, 'product');
  return totalProducts === totalRows ? products : `${products} (${countOf(totalRows, 'row')})`;
}

/** Returns '' if the import is not ready: no push can begin, or a question is open. */
export function readyWords(
  record: AskingImport & Pick<ShownImport, 'totalProducts' | 'createdProducts'>,
  beforePush: PrePushFacts | null,
): string {
  if (record.status !== 'processed' || beforePush === null || countOpenQuestions(record) > 0) return '';
  const { scope, open } = beforePush;
  return scope === null && record.createdProducts > 0
    ? 'A push sends only what has changed since the last one.'
    : `${countOf(scope?.sent ?? record.totalProducts - open, 'product is', 'products are')} ready to push.`;
}

export function FileFacts({ record }: { record: ShownImport }) {
  const { source, startedAt, completedAt } = record;
  const facts: [string, ReactNode][] = [];
  if (isStageUnderWay(record) && sentWords(record) === '') {
    facts.push([
      'Products',
      `${formatCount(record.processedProducts)} of ${formatCount(record.totalProducts)}`,
    ]);
  }
  facts.push(['Size', formatFileSize(record.fileSize)]);
  if (source !== 'upload') facts.push([originLabels[source], record.sourceRef ?? record.filename]);
  facts.push([
    source === 'upload' ? 'Uploaded' : 'Imported',
    <RelativeTime key="uploaded" time={record.createdAt} />,
  ]);
  if (record.testMode) facts.push(['Test', 'first 3 rows']);
  if (record.shop !== null) facts.push(['Store', record.shop]);
  if (startedAt !== null && completedAt !== null) {
    const tookMs = Date.parse(completedAt) - Date.parse(startedAt);
    facts.push(['Took', tookMs < 60_000 ? `${Math.ceil(tookMs / 1000)} s` : formatDuration(tookMs)]);
  }
  return (
    <dl className={`row-wrap flush quiet numbers ${classes.facts} gap-x-sm`}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className={name === 'Size' ? 'visually-hidden' : undefined}>{name}</dt>
          <dd className="flush break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
