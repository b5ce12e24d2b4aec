import { expect, test } from 'vitest';
import { comparedProductsMax, suggestRulesFromPages } from './rules-routes.ts';

const product = (nth: number, type = '') => ({ id: String(nth), title: `Rug ${nth}`, vendor: '', type });

test('pages are read until there are no more', async () => {
  const asked: string[] = [];
  const all = Array.from({ length: 20 }, (_, nth) => product(nth + 1, 'Rugs'));
  const suggested = await suggestRulesFromPages(async (after) => {
    asked.push(after);
    return all.slice(Number(after), Number(after) + 10);
  });
  expect(asked).toEqual(['', '10', '20']);
  expect(suggested).toEqual({
    products: 20,
    rules: [{ type: 'Rugs', word: 'rug', products: 20, withWord: 20 }],
  });
});

test('a large store is compared in part', async () => {
  const page = Array.from({ length: comparedProductsMax / 2 }, (_, nth) => product(nth));
  let pages = 0;
  const suggested = await suggestRulesFromPages(async () => {
    pages += 1;
    return page;
  });
  expect([pages, suggested]).toEqual([2, { products: comparedProductsMax, rules: [] }]);
});
