import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import type { Task } from '@draftshelf/contract/imports/imports';
import { fileSize } from '@draftshelf/domain/base/format';
import { lookupTasks, taskLabel } from '@draftshelf/domain/work/task-catalog';
import { Code, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconEye } from '@tabler/icons-react';
import { Fragment, type ReactNode, use } from 'react';
import { Link } from 'react-router';
import { countOf, formatCount, formatDuration } from '../../../lib/intl.ts';
import { importPath, needsYouPath, outcomeRowsPath } from '../../../lib/paths.ts';
import { FrameContext } from '../../../ui/frame.ts';
import { HelpTip } from '../../../ui/help/help-tip.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import classes from '../import.module.css';
import type { ShownDetails, ShownImport } from '../imports-api.ts';
import { Notice } from '../notice.tsx';
import { toFirstProblem } from '../rows/use-first-problem.ts';
import { classParts, compositionOf, someOf, uploadedOf } from '../status/composition.ts';
import { CompositionBar } from '../status/composition-bar.tsx';
import { heldWords } from '../status/currency-words.ts';
import { originWords } from '../status/import-cells.tsx';
import { ImportProgress } from '../status/import-progress.tsx';
import { sentWords } from '../status/pace-words.ts';
import { OutcomeBadge, UndoneBadge } from '../status/status-badge.tsx';
import { type CountSentence, queuedWords, skippedWords, taskWords, toFixWords } from './page-words.ts';

type StatusStripProps = {
  record: ShownDetails;
  tasks: readonly Task[];
  /** Null: the import cannot be pushed now. */
  beforePush: BeforePush | null;
  /** Products without an outcome, because the last push was undone. */
  undone: number;
};

/** Composition, facts and background work of an import, in a strip that leaves the space to the rows. */
export function StatusStrip({ record, tasks, beforePush, undone }: StatusStripProps) {
  return (
    <section className={classes.strip} data-wide aria-labelledby="job-status">
      <Title order={2} id="job-status" className={classes.stripHead}>
        Job Status <HelpTip topic="error handling" />
      </Title>
      <div className={classes.stripBody}>
        <div className={classes.line}>
          {isRunning(record) ? (
            <div className={classes.progress} data-running>
              <ImportProgress record={record} isCounted />
            </div>
          ) : (
            <FinishedStage record={record} />
          )}
          <ClassCounts record={record} />
          <Facts record={record} />
          <Tasks tasks={tasks} />
        </div>
        <Outcomes record={record} undone={undone} />
        {beforePush !== null && <ReadyNotice record={record} {...beforePush} />}
        {record.errorLog.length > 0 && (
          <details className={classes.details}>
            <summary>Error log ({formatCount(record.errorCount)})</summary>
            <Code block className={classes.log}>
              {record.errorLog.join('\n')}
            </Code>
          </details>
        )}
      </div>
    </section>
  );
}

/** Whether there is progress to show, also while it waits. */
const isRunning = ({ status }: ShownImport) =>
  status === 'processing' || status === 'uploading' || status === 'paused';

/** The composition after a finished stage. A cancelled import shows its progress. */
function FinishedStage({ record }: { record: ShownImport }) {
  if (record.status === 'cancelled') {
    return (
      <Text size="sm" className="numbers">
        Stopped at {formatCount(record.processedProducts)} of {countOf(record.totalProducts, 'product')}
      </Text>
    );
  }
  const parts = compositionOf(record);
  const shownParts = parts.length > 0 ? parts : someOf(classParts(record));
  if (shownParts.length === 0) return null;
  return (
    <div className={classes.progress}>
      <CompositionBar
        parts={shownParts}
        total={record.totalProducts}
        isStopped={record.status === 'failed'}
      />
    </div>
  );
}

/** '50 valid · 2 warnings · 1 error', each a link to its rows. */
function ClassCounts({ record }: { record: ShownImport }) {
  const counts = [
    ['valid', record.validProducts, `${formatCount(record.validProducts)} valid`],
    ['warning', record.warningProducts, countOf(record.warningProducts, 'warning')],
    ['error', record.errorProducts, countOf(record.errorProducts, 'error')],
  ] as const;
  return (
    <p className={`flush strong numbers ${classes.counts}`}>
      {counts.map(([kind, count, words], at) => (
        <Fragment key={kind}>
          {at > 0 && ' · '}
          {count === 0 || kind === 'valid' ? (
            words
          ) : (
            <Link to={`${importPath(record.id)}?class=${kind}`} preventScrollReset data-kind={kind}>
              {words}
            </Link>
          )}
        </Fragment>
      ))}
    </p>
  );
}

function Facts({ record }: { record: ShownImport }) {
  const { roomy } = use(FrameContext);
  const { totalProducts, totalRows } = record;
  const products = roomy && !isRunning(record) ? [countOf(totalProducts, 'product')] : [];
  const rows = products.length > 0 && totalProducts === totalRows ? [] : [countOf(totalRows, 'row')];
  const facts: [string, ReactNode][] = [
    ['File', [...products, ...rows, fileSize(record.fileSize)].join(', ')],
    [
      record.source === 'upload' ? 'Uploaded' : 'Imported',
      <RelativeTime key="uploaded" time={record.createdAt} />,
    ],
  ];
  if (record.source !== 'upload') {
    facts.splice(1, 0, [originWords[record.source], record.sourceRef ?? record.filename]);
  }
  if (record.testMode) facts.push(['Test', 'first 3 rows']);
  if (isRunning(record) && sentWords(record) === '') {
    facts.unshift([
      'Products',
      `${formatCount(record.processedProducts)} of ${formatCount(record.totalProducts)}`,
    ]);
  }
  if (record.shop !== null) facts.push(['Store', record.shop]);
  const duration = durationOf(record);
  if (duration !== null) facts.push(['Duration', duration]);
  return (
    <dl className={`row-wrap flush quiet numbers ${classes.facts}`}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className={name === 'File' ? 'visually-hidden' : undefined}>{name}</dt>
          <dd className="flush break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function durationOf({ startedAt, completedAt }: ShownImport): string | null {
  if (startedAt === null || completedAt === null) return null;
  return formatDuration(new Date(completedAt).getTime() - new Date(startedAt).getTime());
}

/** The tasks that ask sources. The look-ups' own line says how far they are. */
const askingLabels: readonly string[] = Object.values(lookupTasks).map(taskLabel);
const planLabel: string = taskLabel('plan-push');

/** Background work. A task that ends within its first part is not shown: it would only flash up. */
function Tasks({ tasks }: { tasks: readonly Task[] }) {
  const isShown = ({ label, done, waitingFor }: Task) =>
    !askingLabels.includes(label) && (done > 0 || waitingFor !== null);
  // Commands have a line of their own, with their buttons. So has the plan of a push.
  const others = tasks.filter(({ command, label }) => command === null && label !== planLabel);
  const shownTasks = others.filter((task) => task.state === 'failed' || isShown(task));
  return shownTasks.map((task) => (
    <Text key={task.id} size="sm" c="dimmed" className="numbers">
      {taskWords(task)}
    </Text>
  ));
}

function Outcomes({ record, undone }: Pick<StatusStripProps, 'record' | 'undone'>) {
  const entries = Object.entries(record.outcomes) as [keyof ShownImport['outcomes'], number][];
  const some = entries.filter(([, count]) => count > 0);
  if (some.length === 0 && undone === 0) return null;
  return (
    <div className={`${classes.line} numbers`}>
      <Text size="sm" fw={550}>
        {formatCount(uploadedOf(record))} uploaded to Shopify
      </Text>
      {some.map(([outcome, count]) => (
        <Link
          key={outcome}
          to={outcomeRowsPath(record.id, outcome)}
          preventScrollReset
          className={classes.outcome}
        >
          <span>{formatCount(count)}</span>
          <OutcomeBadge outcome={outcome} />
        </Link>
      ))}
      {undone > 0 && (
        <span className={classes.outcome}>
          <span>{formatCount(undone)}</span>
          <UndoneBadge />
        </span>
      )}
    </div>
  );
}

/** The operator's next step, in one line. */
function ReadyNotice({ record, scope, open, facts }: { record: ShownDetails } & BeforePush) {
  const isPartial = record.list?.isPartial === true;
  if (record.status === 'processed' && heldWords(record) !== null) {
    return (
      <Notice icon={IconEye} tone="warning" title="Held back">
        Nothing is pushed until you send its prices as they are.
      </Notice>
    );
  }
  if (record.status === 'processed') {
    return (
      <Notice icon={IconCircleCheck} tone="good" title="Ready for Shopify">
        {scope === null && wasPushed(record)
          ? 'A push sends only what has changed since the last one.'
          : `${countOf(scope?.sent ?? record.totalProducts - open, 'product is', 'products are')} ready to push.`}
        {open > 0 && <OpenSentence record={record} sentence={skippedWords(open, isPartial)} />}
      </Notice>
    );
  }
  // A push that is being begun keeps the line.
  if (record.status === 'uploading') {
    return (
      <Notice icon={IconCircleCheck} tone="good" title="Pushing">
        Nothing is sent yet.
      </Notice>
    );
  }
  if (record.status !== 'queued') return null;
  return (
    <Notice icon={IconEye} tone="warning" title="Ready for your review">
      {open === 0 ? (
        queuedWords(record, facts)
      ) : (
        <>
          <OpenSentence record={record} sentence={toFixWords(open, isPartial)} />
          <span className={classes.aside}>
            {open === 1
              ? 'Fix it, or push now and it’ll be skipped.'
              : 'Fix them, or push now and they’ll be skipped.'}
          </span>
        </>
      )}
    </Notice>
  );
}

/** Whether products have the outcome of a push. Without a plan, the next push's scope is then unknown. */
const wasPushed = ({ createdProducts }: ShownImport): boolean => createdProducts > 0;

/** A sentence about products that need the operator. Its count links to their rows. */
function OpenSentence({ record, sentence }: { record: ShownImport; sentence: CountSentence }) {
  return (
    <>
      {' '}
      <Link to={needsYouPath(record.id)} state={toFirstProblem} preventScrollReset>
        {sentence.count}
      </Link>
      {sentence.rest}{' '}
    </>
  );
}
