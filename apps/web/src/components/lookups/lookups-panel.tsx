import type { Enrichment } from '@draftshelf/contract/enrichment';
import { Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ShownImport } from '../../api/imports.ts';
import { useRefreshOnFinds } from '../../api/lookups.ts';
import { countOf } from '../../lib/intl.ts';
import { HelpTip } from '../help/help-tip.tsx';
import { coverageName, coverageWords, sourceWaitingWords } from './lookup-words.ts';
import classes from './lookups.module.css';

const Proposals = lazy(() =>
  import('./proposals.tsx').then(({ Proposals: Component }) => ({ default: Component })),
);

/** The look-ups of an import: values found, look-ups that wait, and proposals, also of rules. */
export function LookupsPanel({ record, enrichment }: { record: ShownImport; enrichment: Enrichment }) {
  const { coverage, waiting, proposals, foundSincePush } = enrichment;
  useRefreshOnFinds(record.id, [...coverage.map(({ found }) => found), proposals].join(' '));
  const nowMs = Date.now();
  return (
    <section className="panel" aria-labelledby="upc-lookup">
      <Stack gap="sm">
        <Title order={2} id="upc-lookup">
          {coverage.length > 0 ? (
            <>
              UPC Lookup <HelpTip topic="UPC lookup" />
            </>
          ) : (
            'Found Values'
          )}
        </Title>
        <dl className={classes.facts}>
          {coverage.map((one) => (
            <div key={one.field}>
              <dt>{coverageName(one.field)}</dt>
              <dd className="numbers">{coverageWords(one)}</dd>
            </div>
          ))}
        </dl>
        {waiting.map((one) => (
          <Text key={one.source} size="sm" c="dimmed" role="status">
            {sourceWaitingWords(one, nowMs)}
          </Text>
        ))}
        {foundSincePush > 0 && (
          <Text size="sm">
            {countOf(foundSincePush, 'product has', 'products have')} values found since the last push. Push
            again to send them.
          </Text>
        )}
        {proposals > 0 && (
          <Suspense>
            <Proposals record={record} />
          </Suspense>
        )}
      </Stack>
    </section>
  );
}
