import type { ImportReport } from '@draftshelf/contract/imports/report';
import { Group, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { countOf, formatCount, joinWords } from '../../../lib/intl.ts';
import { importPath, outcomeRowsPath } from '../../../lib/paths.ts';
import { rememberStore } from '../../../lib/storage.ts';
import { SmallButton } from '../../../ui/button.tsx';

import { Spark } from '../../../ui/charts/spark.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { QuietText } from '../../../ui/text.tsx';
import classes from '../import.module.css';
import { rowsPerPage, useRowPage } from '../rows-api.ts';
import {
  CompositionBar,
  classParts,
  outcomeParts,
  type Part,
  partWords,
  someOf,
} from '../status/composition.tsx';
import { OutcomeBadge } from '../status/status-look.tsx';
import { failedRowsUrl, usePushSeries } from './report-api.ts';
import { endsOf, firstDrafts, ratesOf, seriesSummary, stepWords } from './report-words.ts';

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
    </>
  );
}

/** '2 products undone · 1 product not decided yet', or ''. */
const withoutOutcomeWords = ({ undone, undecided }: ImportReport): string =>
  joinWords([
    undone > 0 ? `${countOf(undone, 'product')} undone` : '',
    undecided > 0 ? `${countOf(undecided, 'product')} not decided yet` : '',
  ]);

type SectionProps = {
  title: string;
  parts: readonly Part[];
  total: number;
  /** Outcomes link to the rows of this import. */
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

export const ReportFacts = ({ report: { shop } }: { report: ImportReport }) =>
  shop === null ? null : (
    <dl className={`flush ${classes.reportFacts} grid`}>
      <dt>Store</dt>
      <dd className="flush break-words">{shop}</dd>
    </dl>
  );

function downloadWords({ failed, skipped }: Pick<ImportReport['outcomes'], 'failed' | 'skipped'>): string {
  if (failed === 0) return 'Download skipped rows (CSV)';
  return skipped === 0 ? 'Download failed rows (CSV)' : 'Download failed and skipped rows (CSV)';
}

const otherCausesWords = (count: number): string =>
  `${formatCount(count)} more ${count === 1 ? 'product has' : 'products have'} other causes. The download has them all.`;

/** The most frequent first. */
export const Causes = ({ report }: { report: ImportReport }) => (
  <section className="stack" aria-label="Causes">
    <Group justify="space-between" gap="xs">
      <Title order={3}>Causes</Title>
      <SmallButton
        component="a"
        href={failedRowsUrl(report.id)}
        download
        leftSection={<IconDownload size={14} aria-hidden />}
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
  const drafts = firstDrafts(rows);
  if (drafts.length === 0) return null;
  return (
    <section className="stack" aria-label="In the store">
      <Title order={3}>In the store</Title>
      <ul className={`list ${classes.drafts} grid gap-xs`}>
        {drafts.map(({ product, storeUrl, title, picture }) => (
          <li key={product}>
            <a
              href={storeUrl}
              target="_blank"
              rel="noreferrer"
              className="stack gap-tight plain-link size-xs"
              onClick={rememberStore}
            >
              <span className={`${classes.draftPicture} filled framed block surface-quiet`}>
                <Picture src={picture} fallback={null} />
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

/** Null while there is too little data. */
export function PushSpark({ importId, isRunning }: { importId: string; isRunning: boolean }) {
  const series = usePushSeries(importId, isRunning).data?.series ?? null;
  if (series === null || series.products.length === 0) return null;
  const rates = ratesOf(series);
  const words = stepWords(series);
  return (
    <Spark
      label="Products sent per second"
      heightPx={heightPx}
      values={rates}
      words={words}
      level={series.planPerSecond}
      ends={endsOf(series)}
      summary={seriesSummary(series)}
      table={{ head: ['From', 'Rate'], rows: words.map((step) => step.split(/: (.*)/).slice(0, 2)) }}
    />
  );
}
