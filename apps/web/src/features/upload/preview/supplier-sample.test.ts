import { expect, test } from 'vitest';
import { createPreviewer } from './preview.ts';

function itemsOf(text: string) {
  const previewer = createPreviewer();
  previewer.push(new TextEncoder().encode(text));
  const during = previewer.current()?.items;
  return { during, end: previewer.end()?.items };
}

test('a preview has what identifies the first rows, by all mapped columns', () => {
  const { during, end } = itemsOf('SKU,Title,Price,UPC\n a-1 ,Vase,1,4006381333931\nA-2,Bowl,2,\n');
  expect(during ?? []).toEqual([]);
  expect(end).toEqual([
    { key: 's:A-1', gtin: 4006381333931, letters: expect.stringMatching(/^[0-9a-f]{1,8}$/) },
    { key: 's:A-2', gtin: null, letters: expect.stringMatching(/^[0-9a-f]{1,8}$/) },
  ]);
});

test('it has the first 500 rows, and nothing if less than half of them are identified', () => {
  const rows = Array.from({ length: 600 }, (_, at) => `A-${at},Vase,1`);
  expect(itemsOf(`SKU,Title,Price\n${rows.join('\n')}\n`).end).toHaveLength(500);
  expect(itemsOf('SKU,Title,Price\nA-1,Vase,1\n,Bowl,2\n,Rug,3\n').end).toEqual([]);
});
