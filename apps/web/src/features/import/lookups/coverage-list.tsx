import type { Enrichment } from '@draftshelf/contract/imports/enrichment';
import { Text } from '@mantine/core';
import { Stacked } from '../../../ui/charts/stacked.tsx';
import type { ShownImport } from '../imports-api.ts';
import { useValuesSample } from '../prices/prices-api.ts';
import { brokenWords, coverageParts, shownCoverage } from './coverage-words.ts';
import { coverageName, coverageWords } from './lookup-words.ts';
import classes from './lookups.module.css';

type CoverageListProps = { record: ShownImport; coverage: Enrichment['coverage'] };

/** The share of products with each field, as words and bars: from the file, found, and pictures that do not load. */
export function CoverageList({ record, coverage }: CoverageListProps) {
  const found = coverage.map((one) => one.found).join(' ');
  const sample = useValuesSample(record.id, `${record.status} ${record.completedAt} ${found}`);
  const broken = sample === undefined ? null : brokenWords(sample.pictures, sample.brokenHost);
  const shown = coverage.map((one) => shownCoverage(one, sample?.pictures));
  return (
    <>
      <dl className={`flush ${classes.facts}`}>
        {shown.map((one) => (
          <div key={one.field}>
            <dt className="quiet">{coverageName(one.field)}</dt>
            <dd className="flush numbers">
              {coverageWords(one)}
              <div className={classes.coverage}>
                <Stacked parts={coverageParts(one)} whole={one.products} />
              </div>
            </dd>
          </div>
        ))}
      </dl>
      {coverage.length > 0 && (
        <Text size="xs" c="dimmed" className={`row-wrap ${classes.legend}`}>
          <span data-kind="idle">From the file</span>
          <span data-kind="found">Found</span>
          {broken !== null && <span data-kind="broken">Doesn’t load</span>}
        </Text>
      )}
      {broken !== null && <Text size="sm">{broken}</Text>}
    </>
  );
}
