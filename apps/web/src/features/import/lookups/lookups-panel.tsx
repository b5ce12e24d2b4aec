import type { Enrichment } from '@draftshelf/contract/imports/enrichment';
import { Stack, Text, Title } from '@mantine/core';
import { HelpTip } from '../../../ui/help/help-tip.tsx';
import type { ShownImport } from '../imports-api.ts';
import { CoverageList } from './coverage-list.tsx';
import { waitingLine } from './lookup-words.ts';
import { useRefreshOnFinds } from './lookups-api.ts';

/** The look-ups of an import: values found and look-ups that wait. Nothing while no product has such a value. */
export function LookupsPanel({ record, enrichment }: { record: ShownImport; enrichment: Enrichment }) {
  const { coverage, waiting } = enrichment;
  // The rows name the sources that are still asked.
  const asked = waiting.map(({ source }) => source);
  useRefreshOnFinds(record.id, [...coverage.map(({ found }) => found), ...asked].join(' '));
  if (waiting.length === 0 && coverage.every(({ filled, found }) => filled + found === 0)) return null;
  const nowMs = Date.now();
  return (
    <section className="panel" aria-labelledby="upc-lookup">
      <Stack gap="sm">
        <Title order={2} id="upc-lookup" tabIndex={-1}>
          UPC Lookup <HelpTip topic="UPC lookup" />
        </Title>
        <CoverageList record={record} coverage={coverage} />
        {waiting.length > 0 && (
          <Text size="sm" c="dimmed" role="status">
            {waitingLine(waiting, nowMs)}
          </Text>
        )}
      </Stack>
    </section>
  );
}
