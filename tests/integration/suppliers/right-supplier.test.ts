import { expect } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { type ListTable, tableOf } from '../../support/list-pairs.ts';
import { countPairs } from '../../support/right-supplier.ts';
import { test } from '../../support/test.ts';

const words = ['Vase', 'Chair', 'Lamp', 'Table', 'Cup', 'Dish', 'Rug', 'Clock', 'Mirror', 'Shelf'];
const colours = ['blue', 'red', 'green', 'brass', 'oak', 'black', 'ash', 'rose'];

/** A table of products that differ from those of other tables. */
async function madeTable(headers: string[], prefix: string, count: number): Promise<ListTable> {
  const rows = Array.from({ length: count }, (_, at) => [
    `${words[at % words.length]} ${colours[(at * 3) % colours.length]} ${prefix}${at * 7}`,
    `${(at % 40) + 5}.90`,
    `${prefix}-${at + 100}`,
    `${prefix} Ltd`,
  ]);
  return tableOf(Buffer.from(csvOf([headers, ...rows])));
}

test('a list is never taken for that of another supplier, and seldom asked about', async ({ fixture }) => {
  const sources = await Promise.all([
    madeTable(['Title', 'Price', 'SKU', 'Vendor'], 'AC', 60),
    madeTable(['Bezeichnung', 'Preis', 'Artikelnummer', 'Marke'], 'BE', 120),
    madeTable(['Name', 'Unit price', 'Item number', 'Brand'], 'GA', 25),
  ]);
  const counts = await countPairs(fixture.database.db, sources, 24);
  expect(counts.wrong).toEqual([]);
  expect(counts.unsure).toBeLessThanOrEqual(6);
  expect(counts.right + counts.unsure).toBe(24);
});
