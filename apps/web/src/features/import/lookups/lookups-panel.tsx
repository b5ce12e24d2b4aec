import type { Enrichment } from '@draftshelf/contract/imports/enrichment';
import { Title } from '@mantine/core';
import { Stacked } from '../../../ui/charts/bars.tsx';
import { HelpTip } from '../../../ui/hint.tsx';
import { BodyText, QuietText, SmallText } from '../../../ui/text.tsx';
import shared from '../import.module.css';
import type { ShownImport } from '../imports-api.ts';
import { useValuesSample } from '../prices/prices.ts';
import {
  brokenWords,
  coverageName,
  coverageParts,
  coverageWords,
  shownCoverage,
  waitingLine,
} from './lookup-words.ts';
import classes from './lookups.module.css';

export function LookupsPanel({ record, enrichment }: { record: ShownImport; enrichment: Enrichment }) {
  const { coverage, waiting } = enrichment;
  if (waiting.length === 0 && coverage.every(({ filled, found }) => filled + found === 0)) return null;
  return (
    <section className="stack" aria-labelledby="upc-lookup">
      <Title order={2} id="upc-lookup" tabIndex={-1} className={shared.sectionHead}>
        UPC Lookup <HelpTip topic="UPC lookup" />
      </Title>
      <CoverageList record={record} coverage={coverage} />
      {waiting.length > 0 && <QuietText role="status">{waitingLine(waiting, Date.now())}</QuietText>}
    </section>
  );
}

type CoverageListProps = { record: ShownImport; coverage: Enrichment['coverage'] };

function CoverageList({ record, coverage }: CoverageListProps) {
  const foundCounts = coverage.map(({ found }) => found).join(' ');
  const sample = useValuesSample(record.id, `${record.status} ${record.completedAt} ${foundCounts}`);
  const broken = sample === undefined ? null : brokenWords(sample.pictures, sample.brokenHost);
  const shownCoverages = coverage.map((field) => shownCoverage(field, sample?.pictures));
  return (
    <>
      <dl className={`flush ${classes.facts} grid`}>
        {shownCoverages.map((field) => (
          <div key={field.field}>
            <dt className="quiet">{coverageName(field.field)}</dt>
            <dd className="flush numbers">
              {coverageWords(field)}
              <div className={`${classes.coverage} flex above-hair`}>
                <Stacked parts={coverageParts(field)} whole={field.products} />
              </div>
            </dd>
          </div>
        ))}
      </dl>
      {coverage.length > 0 && (
        <SmallText className={`row-wrap ${classes.legend} gap-x-md`}>
          <span data-kind="idle">From the file</span>
          <span data-kind="found">Found</span>
          {broken !== null && <span data-kind="broken">Doesn’t load</span>}
        </SmallText>
      )}
      {broken !== null && <BodyText>{broken}</BodyText>}
    </>
  );
}
