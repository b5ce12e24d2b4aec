import type { ImportReport } from '@draftshelf/contract/imports/report';
import { Stack, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { joinWords } from '../../../lib/join-words.ts';
import { outcomeRowsPath } from '../../../lib/paths.ts';
import { classParts, outcomeParts, type Part, partWords, someOf } from '../cells/composition.ts';
import { CompositionBar } from '../cells/composition-bar.tsx';
import classes from './report.module.css';

/** The products by class, and by outcome once there was a push. */
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

/** '2 products undone · 1 product not decided yet' of products without an outcome; '' if there are none. */
function withoutOutcomeWords({ undone, undecided }: ImportReport): string {
  return joinWords([
    undone > 0 ? `${countOf(undone, 'product')} undone` : '',
    undecided > 0 ? `${countOf(undecided, 'product')} not decided yet` : '',
  ]);
}

type SectionProps = {
  title: string;
  parts: readonly Part[];
  total: number;
  /** The import to whose rows the outcomes lead. */
  rowsOf?: string;
  children: ReactNode;
};

function Section({ title, parts, total, rowsOf, children }: SectionProps) {
  return (
    <Stack component="section" gap={6} aria-label={title}>
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
              <Link to={outcomeRowsPath(rowsOf, part.kind)} className={classes.outcome}>
                {partWords(part)}
              </Link>
            )}
          </Fragment>
        ))}
      </Text>
      {children && (
        <Text size="sm" c="dimmed" className="numbers">
          {children}
        </Text>
      )}
    </Stack>
  );
}

/** The store that the import was pushed to. Its timeline has the times. */
export function ReportFacts({ report: { shop } }: { report: ImportReport }) {
  if (shop === null) return null;
  return (
    <dl className={`flush ${classes.facts}`}>
      <dt>Store</dt>
      <dd className="flush break-words">{shop}</dd>
    </dl>
  );
}

/** What the download has: the rows of all failed and skipped products. */
export function downloadWords({
  failed,
  skipped,
}: Pick<ImportReport['outcomes'], 'failed' | 'skipped'>): string {
  if (failed === 0) return 'Download skipped rows (CSV)';
  return skipped === 0 ? 'Download failed rows (CSV)' : 'Download failed and skipped rows (CSV)';
}

/** The number of products that a list of causes does not name. */
export function otherCausesWords(count: number): string {
  return `${formatCount(count)} more ${count === 1 ? 'product has' : 'products have'} other causes. The download has them all.`;
}
