import type { ImportReport, PushSeries } from '@draftshelf/contract/imports/report';
import type { Row } from '@draftshelf/contract/review/rows';
import type { TimelineKind } from '@draftshelf/domain/imports/import-timeline';
import { picturesOf } from '@draftshelf/domain/products/images';
import { Group, Text, Title } from '@mantine/core';
import { IconDownload, IconPhotoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { buildDownloadUrl, pollMs, readOf } from '../../../api/call.ts';
import {
  countOf,
  formatClock,
  formatCount,
  formatDuration,
  formatMoment,
  joinWords,
} from '../../../lib/intl.ts';
import { importPath, outcomeRowsPath } from '../../../lib/paths.ts';
import { rememberStoreSeen } from '../../../lib/storage.ts';
import { NewTabLink, QuietText, SmallButton } from '../../../ui/basics.tsx';
import { LineChart, type TimeSpan } from '../../../ui/charts/spark.tsx';
import { Picture } from '../../../ui/picture.tsx';
import classes from '../import.module.css';
import { rowsPerPage, useRowPage } from '../rows-api.ts';
import {
  CompositionBar,
  classParts,
  outcomeParts,
  type ProductCount,
  partWords,
  someOf,
} from '../status/composition.tsx';
import { OutcomeBadge } from '../status/status-look.tsx';
import { seeDraftsLabel } from '../status/use-import-actions.tsx';

export function ReportProducts({ report }: { report: ImportReport }) {
  const { total, valid, warning, error } = report.products;
  const byClass = classParts({ validProducts: valid, warningProducts: warning, errorProducts: error });
  return (
    <>
      <Section title="Products" parts={someOf(byClass)} total={total}>
        {countOf(total, 'product')} in the file
      </Section>
      {report.push !== null && (
        <Section title="Push" parts={someOf(outcomeParts(report.outcomes))} total={total} rowsOf={report.id}>
          {withoutOutcomeWords(report)}
        </Section>
      )}
      {report.draftsUrl !== null && (
        <NewTabLink href={report.draftsUrl} size="sm" underline="always" onClick={rememberStoreSeen}>
          {seeDraftsLabel}
        </NewTabLink>
      )}
    </>
  );
}

/** Example: '2 products undone · 1 product not decided yet'. Returns '' if there are no such products. */
const withoutOutcomeWords = ({ undone, undecided }: ImportReport): string =>
  joinWords([
    undone > 0 ? `${countOf(undone, 'product')} undone` : '',
    undecided > 0 ? `${countOf(undecided, 'product')} not decided yet` : '',
  ]);

type SectionProps = {
  title: string;
  parts: readonly ProductCount[];
  total: number;
  /** The import whose rows the parts link to. Absent if the parts are not links. */
  rowsOf?: string;
  children: ReactNode;
};

const Section = ({ title, parts, total, rowsOf, children }: SectionProps) => (
  <section className="stack" aria-label={title}>
    <Title order={3}>{title}</Title>
    {parts.length > 0 && <CompositionBar parts={parts} total={total} />}
    <Text className="numbers">
      {parts.length === 0 && 'No products yet'}
      {parts.map((part, at) => (
        <Fragment key={part.kind}>
          {at > 0 && ' · '}
          {rowsOf === undefined ? (
            partWords(part)
          ) : (
            <Link to={outcomeRowsPath(rowsOf, part.kind)} className="underlined plain-link">
              {partWords(part)}
            </Link>
          )}
        </Fragment>
      ))}
    </Text>
    {children && <QuietText className="numbers">{children}</QuietText>}
  </section>
);

function downloadWords({ failed, skipped }: Pick<ImportReport['outcomes'], 'failed' | 'skipped'>): string {
  if (failed === 0) return 'Download skipped rows (CSV)';
  return skipped === 0 ? 'Download failed rows (CSV)' : 'Download failed and skipped rows (CSV)';
}

const otherCausesWords = (count: number): string =>
  `${formatCount(count)} more ${count === 1 ? 'product has' : 'products have'} other causes. The download has them all.`;

export const Causes = ({ report }: { report: ImportReport }) => (
  <section className="stack" aria-label="Causes">
    <Group justify="space-between" gap="xs">
      <Title order={3}>Causes</Title>
      <SmallButton
        component="a"
        href={buildDownloadUrl('getFailedRows', { id: report.id })}
        download
        icon={IconDownload}
        iconSize={14}
      >
        {downloadWords(report.outcomes)}
      </SmallButton>
    </Group>
    <ul className="list">
      {report.causes.map((cause) => (
        <li key={`${cause.outcome} ${cause.code} ${cause.message}`} className="pad-y-xs line-above">
          <Group gap="xs" justify="space-between" align="flex-start" wrap="nowrap">
            <Text className="break-words numbers">
              {formatCount(cause.products)} × {cause.message ?? 'No reason was recorded'}
            </Text>
            <OutcomeBadge outcome={cause.outcome} />
          </Group>
          <QuietText component="div" className={`stack ${classes.examples} gap-0`}>
            {cause.examples.map((example) => (
              <Link
                key={example.product}
                to={`${importPath(report.id)}?page=${Math.ceil(example.row / rowsPerPage)}`}
                className="ellipsis"
                dir="auto"
              >
                Row {formatCount(example.row)}
                {example.title !== null && `: ${example.title}`}
              </Link>
            ))}
          </QuietText>
        </li>
      ))}
    </ul>
    {report.otherCauses > 0 && (
      <QuietText className="numbers">{otherCausesWords(report.otherCauses)}</QuietText>
    )}
  </section>
);

export function DraftsInStore({ importId }: { importId: string }) {
  const rows = useRowPage(importId, { after: 0 }).data?.rows ?? [];
  const drafts = pickDrafts(rows);
  if (drafts.length === 0) return null;
  return (
    <section className="stack" aria-label="In the store">
      <Title order={3}>In the store</Title>
      <ul className={`list ${classes.drafts} grid gap-xs`}>
        {drafts.map(({ product, storeUrl, title, ...picture }) => (
          <li key={product}>
            <a
              href={storeUrl}
              target="_blank"
              rel="noreferrer"
              className="stack gap-tight plain-link size-xs"
              onClick={rememberStoreSeen}
            >
              <span className={`${classes.draftPicture} filled framed center-grid surface-quiet`}>
                <Picture {...picture} fallback={<IconPhotoOff size={18} aria-hidden />} />
              </span>
              <span dir="auto" className="ellipsis">
                {title}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const heightPx = 40;

/** Renders nothing while there is too little data. */
export function PushRateChart({ importId, isRunning }: { importId: string; isRunning: boolean }) {
  const series =
    useQuery({
      ...readOf('getPushSeries', { params: { id: importId } }),
      staleTime: 0,
      refetchInterval: isRunning ? pollMs.pushSeries : false,
    }).data?.series ?? null;
  if (series === null || series.products.length === 0) return null;
  const rates = computeRates(series);
  const words = stepWords(series);
  return (
    <LineChart
      label="Products sent per second"
      heightPx={heightPx}
      values={rates}
      words={words}
      level={series.planPerSecond}
      ends={formatPushTimes(series)}
      summary={summarizeSeries(series)}
      table={{ head: ['From', 'Rate'], rows: words.map((step) => step.split(/: (.*)/).slice(0, 2)) }}
    />
  );
}

/** Describes products that a push skipped because they are in the store under another id. */
export function alreadyInStoreWords(inStore: number, total: number): string {
  if (inStore === total) {
    return total === 1
      ? 'The product is already in the store.'
      : `All ${formatCount(total)} are already in the store.`;
  }
  return `${formatCount(inStore)} of ${countOf(total, 'product')} ${inStore === 1 ? 'is' : 'are'} already in the store.`;
}

/** The color and the name of a span. `kind` is a class in kinds.css. */
const spans: Record<TimelineKind, Pick<TimeSpan, 'kind' | 'name'>> = {
  read: { kind: 'read', name: 'Read' },
  reread: { kind: 'read', name: 'Re-read' },
  waited: { kind: 'idle', name: 'Waited for you' },
  pushed: { kind: 'pushed', name: 'Pushed' },
  retried: { kind: 'pushed', name: 'Retried' },
  undone: { kind: 'pushed', name: 'Undone' },
};

export const toTimeSpans = (timeline: ImportReport['timeline'], nowMs: number): TimeSpan[] =>
  timeline.map(({ kind, startedAt, endedAt }) => {
    const lengthMs = Math.max(0, (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));
    const took = formatDuration(lengthMs);
    return {
      ...spans[kind],
      when: formatMoment(startedAt, nowMs),
      took: endedAt === null ? `${took} so far` : took,
      lengthMs,
    };
  });

const draftsMax = 3;

/** Returns up to three created products whose pictures are not known to be broken. */
export function pickDrafts(rows: readonly Pick<Row, 'product' | 'values' | 'outcome' | 'image'>[]) {
  const drafts = rows.flatMap(({ product, values, outcome, image }) => {
    const src = picturesOf(values)[0]?.src;
    const isShown = src !== undefined && image?.state !== 'failed' && image?.state !== 'invalid';
    if (!isShown || outcome?.result !== 'created' || outcome.storeUrl === null) return [];
    const { storeUrl } = outcome;
    return [{ product, storeUrl, title: values.title ?? '', src, isChecked: image?.state === 'ok' }];
  });
  const firsts = Map.groupBy(drafts, ({ product }) => product).values();
  return [...firsts].flatMap(([first]) => first ?? []).slice(0, draftsMax);
}

type Series = NonNullable<PushSeries>;

/** Rounds to two digits. Example: '17/s', or '40/min' below one per second. */
export function rateWords(perSecond: number): string {
  if (perSecond > 0 && perSecond < 1) return `${formatCount(Math.max(1, Math.round(perSecond * 60)))}/min`;
  return `${formatCount(Number(perSecond.toPrecision(2)))}/s`;
}

/** Returns the products per second of each step. Null if nothing was sent in a step, as during a pause. */
export const computeRates = ({ products, stepMs }: Series): (number | null)[] =>
  products.map((count) => (count === 0 ? null : (1000 * count) / stepMs));

/** Example: '2:05 PM: 17/s, 120 products'. */
export function stepWords(series: Series): string[] {
  const startMs = Date.parse(series.startedAt);
  return series.products.map((count, at) => {
    const clock = formatClock(startMs + at * series.stepMs);
    if (count === 0) return `${clock}: nothing sent`;
    return `${clock}: ${rateWords((1000 * count) / series.stepMs)}, ${countOf(count, 'product')}`;
  });
}

export function formatPushTimes({ startedAt, products, stepMs }: Series): [string, string] {
  const startMs = Date.parse(startedAt);
  return [formatClock(startMs), formatClock(startMs + products.length * stepMs)];
}

/** Example: '900 products, 17/s on average. The store’s plan allows 7/s (dashed).' */
export function summarizeSeries({ products, stepMs, planPerSecond }: Series): string {
  const total = products.reduce((sum, count) => sum + count, 0);
  const average = (1000 * total) / Math.max(1, stepMs * products.length);
  const plan = planPerSecond === null ? '' : ` The store’s plan allows ${rateWords(planPerSecond)} (dashed).`;
  return `${countOf(total, 'product')}, ${rateWords(average)} on average.${plan}`;
}
