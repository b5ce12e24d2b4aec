import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { selectSentColumns } from '@draftshelf/domain/enrich/ai/sent-columns';
import { expect, test } from 'vitest';
import { ownMappingFiles, readMappingFiles } from './mapping-files.ts';

/** Fields whose columns an AI service never gets, even if the mapping has missed them. */
const withheld = new Set<CanonicalField>([
  ...([
    'price',
    'compareAtPrice',
    'cost',
    'quantity',
    'sku',
    'upc',
    'itemNumber',
    'tcin',
    'parentSku',
  ] as const),
  'image',
]);

test('no column with prices, stock, codes or pictures is sent, even if it is mapped to nothing', () => {
  let count = 0;
  const sent = readMappingFiles(ownMappingFiles).flatMap(
    ({ name: file, headers, sample, accepted, headerless }) =>
      headers.flatMap((header, index) => {
        const isWithheld = accepted[index]?.some((field) => withheld.has(field as CanonicalField));
        const name = headerless || header === '' ? `Column ${index + 1}` : header;
        if (!isWithheld) return [];
        count++;
        const values = sample.map((row) => row[index] ?? '');
        return selectSentColumns([{ name, values }]).length === 0 ? [] : [`${file}: ${name}`];
      }),
  );
  expect(count).toBeGreaterThan(700);
  expect(sent).toEqual([]);
});
