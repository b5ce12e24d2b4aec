import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { toGtin14 } from './base/gtin.ts';
import { parseMoney } from './base/money.ts';
import { toSearchText } from './base/search-text.ts';
import { buildDraftProduct } from './products/draft-product.ts';
import { picturesOf } from './products/images.ts';
import { mapHeaders } from './reading/mapping/header-mapping.ts';
import { findCellIssues } from './review/cell-issues.ts';
import { applyOperations } from './review/operations/apply-operations.ts';
import type { Operation } from './review/operations/operation.ts';

/** A cell may be a megabyte long. Code with quadratic time would take minutes for it. */
const cellChars = 1024 * 1024;
const enoughMs = 20_000;

/** Throws if the work does not end in time. */
const ends = <T>(work: () => T): T => runInNewContext('work()', { work }, { timeout: enoughMs });

const draft = { draftMode: true, importSource: 'test', currency: 'CAD' };
const product = (values: object) => buildDraftProduct([{ title: 'a', price: '1', ...values }], draft);

const pieces = [
  ' ',
  ', ',
  '\n',
  'a',
  'a ',
  '<a',
  '<img src=',
  '1',
  '1,',
  ',a=1',
  '=',
  'http://',
  'http://a.',
  '№',
  'ﷺ',
];
/** Operations that search texts, one of them entry by entry. */
const operations: Operation[] = [
  { kind: 'trim', field: 'description' },
  { kind: 'replace', field: 'description', find: 'a', with: 'b', whole: false, matchCase: false },
  // The text begins in every place of a cell that repeats one letter.
  {
    ...({ kind: 'replace', field: 'description', with: 'b', whole: false, matchCase: false } as const),
    find: `${'a'.repeat(30_000)}b`,
  },
  { kind: 'cut', field: 'description', chars: 5_000 },
  { kind: 'case', field: 'tags', to: 'title' },
];
const inTarget = { row: 1, isInTarget: true, isIgnored: false, isLeftOut: false, cell: () => undefined };
const numbers: Operation[] = (['price', 'quantity', 'weight'] as const).map((field) => ({
  ...({ kind: 'calculate', by: 'add', amount: '1' } as const),
  field,
}));

const readers: Record<string, (cell: string) => unknown> = {
  cellIssues: (cell) => findCellIssues(() => `=${cell}`, { columns: [], sources: { sku: [0] } }),
  picturesOf: (cell) => picturesOf({ image: `http://${cell}x`, moreImages: cell }),
  parseMoney,
  gtin14: toGtin14,
  mapHeaders: (cell) => mapHeaders([cell, 'Title']),
  applyOperations: (cell) => {
    const values = { description: cell, tags: cell, price: cell, quantity: cell, weight: cell };
    const product = { rows: [{ ...inTarget, values }], currency: null };
    return [...operations, ...numbers].map((operation) => applyOperations([operation], product));
  },
  searchText: (cell) => toSearchText({ title: cell }, null),
  buildDraftProduct: (cell) =>
    product({
      description: cell,
      quantity: cell,
      tags: cell,
      upc: `1${cell}`,
      image: cell,
      option1Value: cell,
    }),
};

/** The whole takes some seconds on a quiet machine; each reading has a limit of its own. */
const readingsMsMax = 120_000;

test.each(Object.keys(readers))('%s ends on a megabyte of anything', { timeout: readingsMsMax }, (name) => {
  for (const piece of pieces) {
    const cell = piece.repeat(Math.ceil(cellChars / piece.length)).slice(0, cellChars);
    ends(() => readers[name]?.(cell));
  }
});

test('two thousand equal variants with long values are numbered in one pass', () => {
  const long = 'x'.repeat(8000);
  const row = { title: 'a', price: '1', option1Value: long, option2Value: 'b', option3Value: 'c' };
  const built = ends(() =>
    buildDraftProduct(
      Array.from({ length: 2048 }, () => row),
      draft,
    ),
  );
  expect(built.ok && built.product.variants.at(-1)?.option3).toBe('c (2048)');
});
