import type { RowPage } from '@draftshelf/contract/review/rows';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport, moveStatus } from '@draftshelf/core/imports/imports';
import { insertWorkChunks } from '@draftshelf/core/work/chunks';
import { insertParseRun, readParseRun } from '@draftshelf/core/work/runs';
import { type IssueCode, issueConsequence } from '@draftshelf/domain/review/issues';
import { type ClassFilter, classesOfFilter } from '@draftshelf/domain/review/row-rule';
import { afterEach, describe, expect } from 'vitest';
import type { TestApi } from '../../support/api.ts';
import { csvOf, productCsv, storedImport, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { countedSummary, storedSummary } from '../../support/stored-summary.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { processed, read, reach } = importSteps(() => stack);
let api: TestApi;
test.beforeAll(() => {
  api = stack.api;
});
// Imports of earlier tests count as pushed, so that those of later ones are not compared with them.
afterEach(() => stack.database.pool.query('update imports set push_run = 1'));

const isProcessed = async (id: string) => (await reach(id, 'queued', 'processed')).id;

async function pageOf(id: string, query: Record<string, string | number> = {}): Promise<RowPage> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { status, body } = await api.call('GET', `/api/queue/${id}/rows?${search}`);
  expect([status, body]).toEqual([200, body]);
  return body as RowPage;
}

const numbersOf = (page: RowPage) => page.rows.map((row) => row.row);
const edit = (id: string, row: number, values: object) =>
  api.call('PATCH', `/api/queue/${id}/rows/${row}`, { body: { values } });

/** The stored summary of rows must be the one that is computed from all of them. */
async function expectRightSummary(id: string) {
  const record = await read(id);
  expect(await storedSummary(stack.database, record)).toEqual(await countedSummary(stack.database, record));
}

/** Rows of every kind, by `i % 7`; every eleventh repeats a SKU. */
function mixedCsv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const i = at + 1;
    const title = i % 7 === 1 ? '' : `Vase ${i}`;
    const price = i % 7 === 2 ? 'ask' : i % 7 === 3 || i % 14 === 1 ? '' : '9.50';
    const upc = i % 7 === 4 ? '12345' : '';
    return [title, price, i % 11 === 0 ? 'SAME' : `V-${i}`, upc];
  });
  return csvOf([['Title', 'Price', 'SKU', 'UPC'], ...lines]);
}

describe('facets', () => {
  test('agree with the rows after parse, join, edit and undo', async () => {
    const mixed = await isProcessed((await storedImport(stack, { csv: mixedCsv(200), rowsMax: 17 })).id);
    await expectRightSummary(mixed);
    const grouped = csvOf([
      ['Handle', 'Title', 'Price', 'Option1 Name', 'Option1 Value', 'SKU'],
      ['vase', 'Vase', '10', 'Size', 'S', 'V-S'],
      ['lamp', '', '', '', '', 'L-1'],
      ['vase', '', '', 'Size', 'L', 'L-1'],
      ['lamp', 'Lamp', 'ask', '', '', 'L-2'],
      ['Total', '', '10', '', '', ''],
    ]);
    const joined = await isProcessed((await storedImport(stack, { csv: grouped, rowsMax: 1 })).id);
    await expectRightSummary(joined);
    for (const [id, row, values] of [
      [mixed, 1, { title: 'Found again', price: '5' }],
      [mixed, 11, { title: null }],
      [mixed, 22, { title: '', price: '' }],
      [joined, 1, { title: '' }],
      [joined, 2, { price: '7' }],
    ] as const) {
      expect(await edit(id, row, values)).toMatchObject({ status: 200 });
      await expectRightSummary(id);
      const back = Object.fromEntries(Object.keys(values).map((field) => [field, null]));
      const { body } = await edit(id, row, back);
      await expectRightSummary(id);
      expect((body as { facets: object }).facets).toEqual((await pageOf(id)).facets);
    }
  });

  test('are returned with the rows: classes, issues by code, duplicates, and ignored rows', async () => {
    const id = await processed(
      csvOf([
        ['Title', 'Price', 'SKU'],
        ['Lamp', 'ask', 'L-1'],
        ['', '', 'X-1'],
        ['Lamp again', '5', 'L-1'],
        ['Title', 'Price', 'SKU'],
      ]),
    );
    expect((await pageOf(id)).facets).toEqual({
      classes: { valid: 1, warning: 1, error: 1 },
      needsYou: 2,
      issues: {
        'title-missing': 1,
        'price-missing': 1,
        'price-not-numeric': 1,
        duplicate: 1,
        any: 3,
        // A row with two issues counts once.
        refused: 2,
        check: 1,
      },
      ignored: 1,
    });
  });
});

const isOf = (code: IssueCode, filter: string | undefined) =>
  filter === 'any' || filter === code || filter === issueConsequence(code);

describe('pages by class and issue', () => {
  test('forward and backward return each matching row exactly once', async () => {
    const id = await isProcessed((await storedImport(stack, { csv: mixedCsv(160), rowsMax: 50 })).id);
    const all = (await pageOf(id, { limit: 200 })).rows;
    const filters = [
      {},
      { class: 'valid' },
      { class: 'warning' },
      { class: 'error' },
      { class: 'needs-you' },
      { class: 'needs-you', issue: 'duplicate' },
      { issue: 'price-missing' },
      { issue: 'upc-check-digit' },
      { issue: 'duplicate' },
      { issue: 'any' },
      { issue: 'refused' },
      { issue: 'check' },
      { class: 'warning', issue: 'check' },
      { class: 'valid', issue: 'any' },
      { class: 'warning', issue: 'duplicate' },
      { class: 'warning', issue: 'price-missing' },
      { class: 'error', issue: 'price-missing' },
      { q: 'vase 1' },
      { q: 'v-2', class: 'warning' },
      { q: 'same', issue: 'duplicate', class: 'valid' },
    ] as { class?: ClassFilter; issue?: string; q?: string }[];
    for (const filter of isLong ? filters : filters.filter((_, at) => at % 3 === 0)) {
      const truth = all
        .filter(
          (row) =>
            (filter.class === undefined || classesOfFilter(filter.class).includes(row.class)) &&
            (filter.issue === undefined ||
              row.issues.some(({ code }) => isOf(code as IssueCode, filter.issue))) &&
            (filter.q === undefined ||
              [row.values.title, row.values.sku].some((text) =>
                text?.toLowerCase().includes(filter.q ?? ''),
              )),
        )
        .map((row) => row.row);
      expect(await allForward(id, filter), JSON.stringify(filter)).toEqual(truth);
      expect(await allBackward(id, filter), JSON.stringify(filter)).toEqual(truth);
      const matching = filter.q === undefined ? truth.length : null;
      expect((await pageOf(id, filter)).matching, JSON.stringify(filter)).toBe(matching);
    }
  });

  test.runIf(isLong)('rare rows are found in both directions, also after edits', async () => {
    const codes = [1, 130, 640, 641, 1281, 1400];
    const lines = Array.from({ length: 1400 }, (_, at) => {
      const row = at + 1;
      return [row === 256 || row === 1280 ? '' : `Vase ${row}`, '9.50', codes.includes(row) ? '12345' : ''];
    });
    const csv = csvOf([['Title', 'Price', 'UPC'], ...lines]);
    const id = await isProcessed((await storedImport(stack, { csv, rowsMax: 300 })).id);
    const expectPages = async (filter: object, rows: readonly number[]) => {
      for (const limit of [1, 2, 12]) {
        expect(await allForward(id, filter, limit), JSON.stringify(filter)).toEqual(rows);
        expect(await allBackward(id, filter, 1401, limit), JSON.stringify(filter)).toEqual(rows);
      }
    };
    await expectPages({ issue: 'upc-check-digit' }, codes);
    await expectPages({ class: 'valid', issue: 'upc-check-digit' }, codes);
    await expectPages({ class: 'warning' }, [256, 1280]);
    await expectPages({ class: 'warning', issue: 'any' }, [256, 1280]);
    await expectPages({ issue: 'any' }, [1, 130, 256, 640, 641, 1280, 1281, 1400]);
    for (const row of [1, 640, 641]) await edit(id, row, { upc: '036000291452' });
    await edit(id, 1280, { title: 'Found', upc: '3' });
    await expectPages({ issue: 'upc-check-digit' }, [130, 1280, 1281, 1400]);
    await expectPages({ class: 'warning' }, [256]);
    await expectPages({ class: 'valid', issue: 'any' }, [130, 640, 641, 1280, 1281, 1400]);
    await expectPages({ issue: 'any' }, [130, 256, 640, 641, 1280, 1281, 1400]);
    await expectPages({ issue: 'duplicate' }, [640, 641]);
    await expectRightSummary(id);
  });

  async function allForward(id: string, filter: object, limit = 12): Promise<number[]> {
    const seen: number[] = [];
    for (let later = true; later; ) {
      const page = await pageOf(id, { ...filter, limit, after: seen.at(-1) ?? 0 });
      expect(page.earlier).toBe(seen.length > 0);
      seen.push(...numbersOf(page));
      later = page.later;
    }
    return seen;
  }

  /** From the end; the first page may be filled up with rows already seen. */
  async function allBackward(id: string, filter: object, end = 161, limit = 12): Promise<number[]> {
    let seen: number[] = [];
    for (let earlier = true; earlier; ) {
      const before = seen[0] ?? end;
      const page = await pageOf(id, { ...filter, limit, before });
      seen = [...numbersOf(page).filter((row) => row < before), ...seen];
      earlier = page.earlier;
    }
    return seen;
  }

  test('a page can begin at any row, and one that reaches the beginning is the first page', async () => {
    const id = await processed(mixedCsv(30));
    expect(numbersOf(await pageOf(id, { class: 'error', after: 14, limit: 2 }))).toEqual([15, 29]);
    const first = await pageOf(id, { before: 4, limit: 5 });
    expect(numbersOf(first)).toEqual([1, 2, 3, 4, 5]);
    expect(first).toMatchObject({ earlier: false, later: true });
  });

  test.each([
    '?class=bad',
    '?issue=none',
    '?q=ab',
    '?q=%20a%20',
    '?before=0',
    '?after=1&before=9',
    `?q=${'a'.repeat(201)}`,
  ])('%s is a plain 400', async (query) => {
    const id = await processed(mixedCsv(1));
    expect(await api.call('GET', `/api/queue/${id}/rows${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid' },
    });
  });
});

describe('a search', () => {
  const texts = csvOf([
    ['Title', 'Price', 'SKU', 'UPC', 'Brand', 'Item #'],
    ['Grüne Schüssel', '1', 'A-1', '036000291452', 'Müller & Söhne', 'IT-77'],
    ['白色台灯罩（大号）', '2', 'A_2', '', '', ''],
    ['Rabatt 50%_netto', '3', 'A%3', '', '', ''],
    ['Rabatt 501 netto', '4', 'AX3', '', 'C:\\shop', ''],
    ['with\0nul', '5', 'N-5', '12', '', 'IT-5\0'],
  ]);
  const cases: [string, number[]][] = [
    ['schüss', [1]],
    ['SCHÜSSEL', [1]],
    ['söhne', [1]],
    ['台灯罩', [2]],
    ['罩（大', [2]],
    ['50%', [3]],
    ['a%3', [3]],
    ['a_2', [2]],
    ['%_n', [3]],
    ['batt 50', [3, 4]],
    ['c:\\s', [4]],
    ['0291452', [1]],
    ['00036000291452', [1]],
    ['it-7', [1]],
    ['it-5', [5]],
    ['nul', [5]],
    ['xyzzy', []],
  ];

  test('finds every part of a title, SKU, UPC, vendor and item number, and takes % and _ literally', async () => {
    const id = await processed(texts);
    for (const [q, found] of cases) expect([q, numbersOf(await pageOf(id, { q }))]).toEqual([q, found]);
  });

  test('follows edits', async () => {
    const id = await processed(texts);
    await edit(id, 2, { title: 'Lampenschirm', itemNumber: 'NEW-9' });
    for (const [q, found] of [
      ...cases.filter(([, rows]) => !rows.includes(2)),
      ['台灯罩', []],
      ['lampensch', [2]],
      ['new-9', [2]],
    ] as const)
      expect([q, numbersOf(await pageOf(id, { q }))]).toEqual([q, found]);
  });

  test.runIf(isLong)('goes on behind the rows that one statement reads, in both directions', async () => {
    const { id } = await storedImport(stack, { csv: productCsv(45_000) });
    await isProcessed(id);
    for (const [query, found] of [
      [{ q: 'vase 4500' }, [4500, 45_000]],
      [{ q: 'vase 4500', limit: 1, after: 4500 }, [45_000]],
      [{ q: 'vase 4500', limit: 1, before: 2 ** 31 - 1 }, [45_000]],
      [{ q: 'vase 4500', limit: 1, before: 45_000 }, [4500]],
      [{ q: '-30000', class: 'valid' }, [30_000]],
      [{ q: 'se 30000\nv-3', class: 'valid', before: 45_001 }, [30_000]],
      [{ q: 'vase', class: 'valid', before: 2 ** 31 - 1, limit: 2 }, [44_999, 45_000]],
      [{ q: 'vase', class: 'valid', after: 2 ** 31 - 1 }, []],
    ] as const)
      expect([query, numbersOf(await pageOf(id, query))]).toEqual([query, found]);
  });
});

test('rows of an earlier run are removed with their related data when a newer one is current', async () => {
  const { db } = stack.database;
  const { id } = await storedImport(stack, { csv: mixedCsv(90), rowsMax: 30 });
  await isProcessed(id);
  await edit(id, 1, { title: 'Mended' });
  await db.transaction().execute(async (trx) => {
    const chunks = await trx
      .selectFrom('chunks')
      .select(['byte_from', 'byte_to', 'first_line', 'first_row', 'rows', 'first_product', 'products'])
      .where('import_id', '=', id)
      .where('stage', '=', 'parse')
      .where('kind', '=', 'work')
      .execute();
    const { total_rows, total_products, product_numbers, status } = (await findImport(
      trx,
      id,
    )) as ImportRecord;
    const state = { total_rows, total_products, product_numbers, open_chunks: chunks.length };
    const run = await readParseRun(trx, { import_id: id, run: 1 });
    await insertParseRun(trx, { import_id: id, run: 2 }, run, state);
    await moveStatus(trx, id, { from: [status], to: 'processing', set: { parse_run: 2 } });
    await insertWorkChunks(trx, { import_id: id, stage: 'parse', run: 2 }, chunks);
  });
  await isProcessed(id);
  const none = {
    rows: 0,
    found_values: 0,
  };
  const left = async (run: number) => {
    const counts: Record<string, number> = {};
    for (const table of Object.keys(none)) {
      const { rows } = await stack.database.pool.query(
        `select count(*)::int as n from ${table} where import_id = $1 and run = $2`,
        [id, run],
      );
      counts[table] = rows[0].n;
    }
    return counts;
  };
  await until('removed', async () => JSON.stringify(await left(1)) === JSON.stringify(none));
  expect(await left(2)).toMatchObject({ rows: 90 });
  await expectRightSummary(id);
  expect((await pageOf(id, { q: 'mended' })).rows.map((row) => row.row)).toEqual([1]);
});

describe('rows in another order', () => {
  test('rows of a product whose first row is on another page have its title', async () => {
    const id = await processed(
      csvOf([
        ['Handle', 'Title', 'Price', 'Option1 Name', 'Option1 Value'],
        ['lamp', 'Lamp', '2', 'Size', 'S'],
        ['lamp', '', '9', 'Size', 'M'],
        ['lamp', '', '1', 'Size', 'L'],
        ['vase', 'Vase', '5', '', ''],
      ]),
    );
    const titles = async (query: object) =>
      (await pageOf(id, { limit: 2, ...query })).rows.map(({ row, productTitle }) => [row, productTitle]);
    expect(await titles({})).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
    expect(await titles({ after: 2 })).toEqual([
      [3, 'Lamp'],
      [4, undefined],
    ]);
    expect(await titles({ sort: '-price' })).toEqual([
      [2, 'Lamp'],
      [4, undefined],
    ]);
    await edit(id, 1, { title: 'Floor lamp' });
    expect(await titles({ after: 2 })).toContainEqual([3, 'Floor lamp']);
  });

  test('by any field that is not a text of several lines, also one that is a part of a cell', async () => {
    const lines = [
      ['Vase', '2', '2 kg', 'green, old', 'color=Red,size=S', 'Long'],
      ['Lamp', '2', '900 g', '', 'color=Blue,size=M', 'Text'],
      ['Bowl', '2', '1 kg', 'Antique', 'color=Green,size=L', 'Here'],
    ];
    const head = ['Title', 'Price', 'Weight', 'Tags', 'Option1 Value', 'Description'];
    const id = await processed(csvOf([head, ...lines]));
    const sorted = async (field: string) => numbersOf(await pageOf(id, { sort: field }));
    expect(await sorted('weight')).toEqual([2, 3, 1]);
    expect(await sorted('tags')).toEqual([3, 1, 2]);
    expect(await sorted('option1Value')).toEqual([2, 3, 1]);
    expect(await sorted('option2Value')).toEqual([3, 2, 1]);
    expect((await api.call('GET', `/api/queue/${id}/rows?sort=description`)).status).toBe(400);
  });

  test('by two fields: equal rows by the second one, with its own direction, without a value last', async () => {
    const lines = [
      ['Hay', '5', '5'],
      ['Muuto', '', '1'],
      ['hay', '12', '7'],
      ['', '3', '2'],
      ['Hay', '', '9'],
      ['Muuto', '8', '5'],
      ['Muuto', '8', '3'],
      ['HAY', '12', '7'],
    ];
    const rows = lines.map(([brand, price, stock], at) => [`Chair ${at + 1}`, brand, price, stock]);
    const id = await processed(csvOf([['Title', 'Brand', 'Price', 'Quantity'], ...rows] as string[][]));
    const sorted = async (field: string) => numbersOf(await pageOf(id, { sort: field }));
    expect(await sorted('vendor,price')).toEqual([1, 3, 8, 5, 6, 7, 2, 4]);
    expect(await sorted('vendor,-price')).toEqual([3, 8, 1, 5, 6, 7, 2, 4]);
    expect(await sorted('-vendor,price')).toEqual([6, 7, 2, 1, 3, 8, 5, 4]);
    expect(await sorted('-price,quantity')).toEqual([3, 8, 7, 6, 1, 4, 2, 5]);
    expect(numbersOf(await pageOf(id, { sort: 'vendor,price', before: 4, limit: 2 }))).toEqual([3, 8]);
    await edit(id, 5, { price: '1' });
    expect(await sorted('vendor,price')).toEqual([5, 1, 3, 8, 6, 7, 2, 4]);
    for (const field of ['price,-price', 'vendor,price,sku', 'vendor,description']) {
      const { status } = await api.call('GET', `/api/queue/${id}/rows?sort=${field}`);
      expect(status, field).toBe(400);
    }
  });

  test.runIf(isLong)(
    'pages of an order, both ways, with and without a filter, and with the values of now',
    async () => {
      const prices = ['TBD', '10', '', '9.90', '1,299.00', '10'];
      const lines = prices.map((price, at) => [`Vase ${at + 1}`, price, `S-${at + 1}`]);
      const id = await processed(csvOf([['Title', 'Price', 'SKU'], ...lines]));
      const page = (query: object = {}) => pageOf(id, { sort: 'price', limit: 4, ...query });
      const ascending = await page();
      expect(numbersOf(ascending)).toEqual([4, 2, 6, 5]);
      expect(ascending).toMatchObject({ earlier: false, later: true, matching: 6 });
      expect(ascending.sorted).toEqual({ first: 1, last: 4 });
      expect(numbersOf(await page({ after: 4 }))).toEqual([1, 3]);
      expect(numbersOf(await page({ before: 3 }))).toEqual([4, 2, 6, 5]);
      // Every page, also those that are read from behind, and one behind the last row.
      for (const sort of ['price', '-price', 'title', '-title,price']) {
        const whole = numbersOf(await page({ sort, limit: 6 }));
        for (const after of [0, 1, 2, 3, 4, 5, 6, 9]) {
          const found = numbersOf(await page({ sort, limit: 2, after }));
          expect(found, `${sort} after ${after}`).toEqual(whole.slice(after, after + 2));
        }
      }
      const descending = await page({ sort: '-price' });
      expect(numbersOf(descending)).toEqual([5, 2, 6, 4]);
      expect(numbersOf(await page({ sort: '-price', after: 4 }))).toEqual([1, 3]);

      const invalid = await page({ class: 'warning', limit: 1 });
      expect([numbersOf(invalid), invalid.matching, invalid.later]).toEqual([[1], 2, true]);
      expect(numbersOf(await page({ class: 'warning', after: invalid.sorted?.last ?? 0 }))).toEqual([3]);
      // The last page of a filter, from behind all rows.
      expect(numbersOf(await page({ class: 'warning', before: 7, limit: 1 }))).toEqual([3]);
      expect(numbersOf(await page({ q: 'vase', sort: '-price' }))).toEqual([5, 2, 6, 4]);

      const titles = ['b Vase', 'Élan', 'élan 2', 'Apple', '=1+1', '10', 'APPLE a', '#2', 'zoo'];
      const texts = await processed(csvOf([['Title', 'Price'], ...titles.map((title) => [title, '5'])]));
      await edit(texts, 9, { title: 'a' });
      const byTitle = await pageOf(texts, { sort: 'title' });
      const sorted = byTitle.rows.map(({ values }) => values.title);
      const byCodes = ['#2', '10', '=1+1', 'a', 'Apple', 'APPLE a', 'b Vase', 'Élan', 'élan 2'];
      expect(sorted.filter(Boolean)).toEqual(byCodes.filter((title) => sorted.includes(title)));

      await edit(id, 5, { price: '1' });
      expect(numbersOf(await page())).toEqual([5, 4, 2, 6]);
      expect(numbersOf(await pageOf(id, { rows: '6,2' }))).toEqual([2, 6]);
    },
  );

  test('places far from both ends of an order, whose rows are kept until one of them changes', async () => {
    const rows = 4_500;
    const lines = Array.from({ length: rows }, (_, at) => [`Vase ${at + 1}`, `${(at * 7) % rows}.50`]);
    const id = await processed(csvOf([['Title', 'Price'], ...lines]));
    const byPrice = lines
      .map((_, at) => at + 1)
      .toSorted((a, b) => (((a - 1) * 7) % rows) - (((b - 1) * 7) % rows));
    const middle = (query: object = {}) => pageOf(id, { sort: 'price', after: 2_200, limit: 3, ...query });
    const placed = byPrice.slice(2_200, 2_203);
    const kept = await middle();
    expect(numbersOf(kept)).toEqual(placed);
    expect(kept).toMatchObject({
      earlier: true,
      later: true,
      matching: rows,
      sorted: { first: 2_201, last: 2_203 },
    });
    expect(numbersOf(await pageOf(id, { sort: 'price', before: 2_204, limit: 3 }))).toEqual(placed);
    expect(numbersOf(await middle({ sort: '-price' }))).toEqual(byPrice.toReversed().slice(2_200, 2_203));
    expect(numbersOf(await middle({ q: 'vase 1' }))).toEqual([]);

    await edit(id, placed[1] ?? 0, { price: '0.01' });
    expect(numbersOf(await middle({ after: 0 }))[0]).toBe(placed[1]);
    expect(numbersOf(await middle())).toEqual([byPrice[2_199], placed[0], placed[2]]);
  });
});
