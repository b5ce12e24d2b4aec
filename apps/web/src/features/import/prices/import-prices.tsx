import { Text } from '@mantine/core';
import type { ShownImport } from '../imports-api.ts';
import { PriceHistogram } from './price-histogram.tsx';
import { sampledWords } from './price-words.ts';
import { useValuesSample } from './prices-api.ts';

/** The prices of an import, from a sample of its rows. */
export function ImportPrices({ record }: { record: Pick<ShownImport, 'id' | 'status' | 'completedAt'> }) {
  const sample = useValuesSample(record.id, `${record.status} ${record.completedAt}`);
  return (
    <section aria-label="Prices">
      <Text size="sm" fw={550}>
        Prices
      </Text>
      {sample !== undefined && <PriceHistogram counts={sample.prices} note={sampledWords(sample)} />}
    </section>
  );
}
