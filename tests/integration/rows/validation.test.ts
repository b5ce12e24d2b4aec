import type { Row } from '@draftshelf/contract/review/rows';
import { withPinnedConnection } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { readRowsByProduct } from '@draftshelf/core/enrich/lookups/look-up-range';
import { copyEdits } from '@draftshelf/core/review/commands/stored-edits';
import { readDuplicates } from '@draftshelf/core/review/duplicates';
import { editRows } from '@draftshelf/core/review/edits';
import { findRowsOfProducts, readFirstRows, readRowPage } from '@draftshelf/core/review/effective-rows';
import { resumeImport } from '@draftshelf/core/work/import-actions';
import { currentRows } from '@draftshelf/core/work/runs';
import { productRowsMax } from '@draftshelf/domain/products/grouping';
import { duplicateBit, issuesIn } from '@draftshelf/domain/review/issue-set';
import { afterEach, expect } from 'vitest';
import { editRow } from '../../support/edit-row.ts';
import { csvOf, productCsv, storedImport, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { countedSummary, storedSummary } from '../../support/stored-summary.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { read, reach } = importSteps(() => stack);
// Imports of earlier tests count as pushed, so that those of later ones are not compared with them.
afterEach(() => stack.database.pool.query('update imports set push_run = 1'));

async function processed(csv: string, options: { rowsMax?: number; set?: Partial<ImportRecord> } = {}) {
  const { id } = await storedImport(stack, { csv, ...options });
  return reach(id, 'queued', 'processed');
}

/** The stored summary of rows must be the one that is computed from all of them. */
async function expectRightSummary(record: ImportRecord) {
  expect(await storedSummary(stack.database, record)).toEqual(await countedSummary(stack.database, record));
}

type Edited = Parameters<typeof editRow>[3];
const edit = (id: string, row: number, values: Edited) =>
  stack.database.db.transaction().execute((trx) => editRow(trx, id, row, values));

const header = ['Handle', 'Title', 'Price', 'Option1 Value', 'SKU', 'UPC', 'Quantity', 'Cost', 'Image Src'];
/** Values of a product's rows; each product has a first row and a pair of these. */
const firsts = [
  ['Vase', '10', 'S', '', '', '', '', ''],
  ['Vase', 'ask', '', '', '', '', '', ''],
  ['', '10', '', '', '', '', '', ''],
];
const image = 'https://example.com/2.jpg';
const others = [
  ['', '', 'M', '', '', '', '', image],
  ['', '', '', '', '', '', '', image],
  ['', '', '', '', '036000291452', '', '', image],
  ['', '', '', '', '', '3', '', image],
  ['', '', '', '', '', '', '4', image],
  ['Other', '', '', '', '', '', '', image],
  ['', 'ask', 'L', '', '', '', '', ''],
];

/** The rows of all products, grouped by product, or as far from each other as possible. */
function productRows() {
  const products = firsts.flatMap((first) =>
    others.flatMap((second) => others.map((third) => [first, second, third])),
  );
  const named = products.map((rows, at) => rows.map((cells) => [`product-${at}`, ...cells]));
  return { adjacent: named.flat(), apart: [0, 1, 2].flatMap((at) => named.map((rows) => rows[at] ?? [])) };
}

async function judgedBy(record: ImportRecord) {
  const rows = await readRowPage(stack.database.db, currentRows(record), { after: 0, limit: 1000 });
  const firstOf = new Map(rows.toReversed().map((row) => [row.product, row]));
  const validated = rows.map((row) => [
    row.cells[0],
    firstOf.get(row.product)?.cells[0],
    row.class,
    row.issues,
  ]);
  return Map.groupBy(validated, ([handle]) => handle);
}

test('an edit ends what is wrong with a cell, and its undo brings it back', async () => {
  const rows = [
    ['Title', 'Price', 'SKU', 'Quantity', 'Cost'],
    ['Oak lamp', '12.50', 'A-1', '#N/A', '5'],
    ['Oak vase', '9.50', '1-Feb', '3', '=B3*0.5'],
    ['Oak bowl', '8.50', 'C-3', '4', '4'],
  ];
  const { id } = await processed(csvOf(rows));
  const issues = async () => {
    const record = await read(id);
    await expectRightSummary(record);
    const page = await readRowPage(stack.database.db, currentRows(record), { after: 0, limit: 10 });
    return page.map((row) => issuesIn(row.issues));
  };
  const failed = ['quantity-not-numeric', 'formula-error', 'quantity-missing'];
  const found = [failed, ['formula-not-calculated', 'made-a-date'], []];
  expect(await issues()).toEqual(found);
  await edit(id, 1, { quantity: '7' });
  await edit(id, 2, { sku: '1-2' });
  expect(await issues()).toEqual([[], ['formula-not-calculated'], []]);
  await edit(id, 1, { quantity: null });
  await edit(id, 2, { sku: null, cost: '4' });
  expect(await issues()).toEqual([failed, ['made-a-date'], []]);
});

test('distant rows of a product are validated like adjacent rows, also when they are edited', async () => {
  const { adjacent, apart } = productRows();
  // As of one file, so that the two are not compared with each other.
  const set = { sha256: 'ab'.repeat(32) };
  const together = await processed(csvOf([header, ...adjacent]), { set });
  const scattered = await processed(csvOf([header, ...apart]), { set, rowsMax: 40 });
  const counts = ({
    status,
    total_products,
    valid_products,
    warning_products,
    error_products,
  }: ImportRecord) => ({ status, total_products, valid_products, warning_products, error_products });
  expect(counts(scattered)).toEqual(counts(together));
  const expected = await judgedBy(together);
  expect(expected.size).toBe(147);
  const before = await judgedBy(scattered);
  for (const [handle, rows] of expected) expect([handle, before.get(handle)]).toEqual([handle, rows]);
  await expectRightSummary(together);
  await expectRightSummary(scattered);
  const facetsOf = (record: ImportRecord) => storedSummary(stack.database, record);
  expect(await facetsOf(scattered)).toEqual(await facetsOf(together));

  // An edit of an irrelevant value changes no class.
  for (const product of [0, 7, 50, 146]) {
    await edit(scattered.id, product + 1, { tags: 'new' });
    await edit(scattered.id, product + 148, { status: 'draft' });
  }
  expect(await judgedBy(scattered)).toEqual(before);
  const after = await read(scattered.id);
  expect(counts(after)).toEqual(counts(scattered));
  await expectRightSummary(after);
});

test.for([1000, 2])(
  'variants with the same options name each other, in chunks of %s rows',
  async (rowsMax) => {
    const rows = [
      ['Handle', 'Title', 'Price', 'Option1 Value', 'SKU'],
      ['tee', 'Tee', '10', 'S', `T${rowsMax}-1`],
      ['tee', '', '10', 'M', `T${rowsMax}-2`],
      ['tee', '', '11', 's', `T${rowsMax}-3`],
      ['cap', 'Cap', '9', 'S', `C${rowsMax}-1`],
      ['tee', '', '12', 'S', `T${rowsMax}-4`],
      ['cap', '', '9', 'L', `C${rowsMax}-2`],
    ];
    const { id } = await processed(csvOf(rows), { rowsMax });
    const said = async () => {
      await expectRightSummary(await read(id));
      const { body } = await stack.api.call('GET', `/api/queue/${id}/rows`);
      const shown = (body as { rows: Row[] }).rows;
      return shown.map(({ issues }) => issues.find(({ code }) => code === 'same-options')?.message);
    };
    const words = (others: string) =>
      `${others} the same options. An option “Variant” tells them apart in the store.`;
    const more = [words('Row 1 and 1 more have'), undefined] as const;
    expect(await said()).toEqual([
      words('Row 3 and 1 more have'),
      undefined,
      more[0],
      undefined,
      more[0],
      undefined,
    ]);
    await edit(id, 5, { option1Value: 'XL' });
    expect(await said()).toEqual([
      words('Row 3 has'),
      undefined,
      words('Row 1 has'),
      ...Array(3).fill(undefined),
    ]);
    await edit(id, 3, { leaveOut: 'yes' });
    const { facets } = (await stack.api.call('GET', `/api/queue/${id}/rows`)).body as {
      facets: { issues: object };
    };
    expect(facets.issues).not.toHaveProperty('same-options');
  },
);

test.runIf(isLong)('distant rows make no larger products than adjacent rows', async () => {
  const rows = Array.from({ length: productRowsMax + 5 }, (_, at) => ['vase', 'Vase', '1', `size ${at}`]);
  const lamps = rows.map((_, at) => [`lamp-${at}`, 'Lamp', '1', '']);
  const csv = csvOf([header, ...rows.flatMap((row, at) => [row, lamps[at] ?? []])]);
  const record = await processed(csv, { rowsMax: 1000 });
  expect(record.total_products).toBe(lamps.length + 2);
  const { rows: products } = await stack.database.pool.query(
    `select product, min(row) as first, count(*)::int as rows from rows
     where import_id = $1 group by product having count(*) > 1 order by 1`,
    [record.id],
  );
  const border = productRowsMax * 2 + 1;
  expect(products).toEqual([
    { product: 1, first: 1, rows: productRowsMax },
    { product: border, first: border, rows: 5 },
  ]);
});

/** Duplicate rows by field, with the row that each refers to. */
async function duplicatesOf({ id, rows_run }: ImportRecord): Promise<Record<string, number>> {
  const of = { import_id: id, run: rows_run };
  const { rows: marked } = await stack.database.pool.query<{ row: number }>(
    'select row from rows where import_id = $1 and run = $2 and issues & $3 <> 0',
    [id, rows_run, duplicateBit],
  );
  const all = (await readRowPage(stack.database.db, of, { after: 0, limit: 10_000 })).map(({ row }) => row);
  const rows = await readDuplicates(stack.database.db, of, all);
  expect(new Set(marked.map(({ row }) => row))).toEqual(new Set(rows.map(({ row }) => row)));
  return Object.fromEntries(rows.map(({ row, field, first_row }) => [`${row} ${field}`, first_row]));
}

/** 036000291452 and 012345678905 are valid UPCs. */
const keyed = [
  ['Handle', 'Title', 'Price', 'SKU', 'UPC'],
  ['a', 'A', '1', 'SKU-100', '036000291452'],
  ['b', 'B', '1', 'SKU-100', '0036000291452'],
  ['c', 'C', 'ask', 'SKU-100', ''],
  ['d', 'D', '1', 'SKU-200', ''],
  ['d', '', '2', 'SKU-200', ''],
  ['e', 'E', '1', 'x', ''],
  ['f', 'F', '1', 'x', ''],
];

test.each<[string, number, Edited, Record<string, number>]>([
  ['as they were read', 1, { tags: 'new' }, { '2 sku': 1, '2 upc': 1, '3 sku': 1, '7 sku': 6 }],
  ['a corrected SKU', 3, { sku: 'SKU-300' }, { '2 sku': 1, '2 upc': 1, '7 sku': 6 }],
  ['of two keys one is corrected', 2, { sku: 'SKU-300' }, { '2 upc': 1, '3 sku': 1, '7 sku': 6 }],
  ['the first one is corrected', 1, { sku: 'SKU-300' }, { '2 upc': 1, '3 sku': 2, '7 sku': 6 }],
  ['a SKU of few letters', 6, { sku: 'y' }, { '2 sku': 1, '2 upc': 1, '3 sku': 1 }],
  ['a SKU that is taken away', 6, { sku: '' }, { '2 sku': 1, '2 upc': 1, '3 sku': 1 }],
  ['a GTIN of its own', 2, { upc: '012345678905' }, { '2 sku': 1, '3 sku': 1, '7 sku': 6 }],
  [
    "a GTIN that is another row's",
    4,
    { upc: '036000291452' },
    { '2 sku': 1, '2 upc': 1, '3 sku': 1, '4 upc': 1, '7 sku': 6 },
  ],
  ['a new first one', 1, { sku: 'SKU-200' }, { '2 upc': 1, '3 sku': 2, '4 sku': 1, '5 sku': 1, '7 sku': 6 }],
])(
  'duplicates follow an edit, and are the same after a re-read: %s',
  async (_name, row, values, expected) => {
    const csv = csvOf(keyed);
    const record = await processed(csv);
    await edit(record.id, row, values);
    expect(await duplicatesOf(record)).toEqual(expected);
    await expectRightSummary(record);
    await edit(record.id, row, Object.fromEntries(Object.keys(values).map((field) => [field, null])));
    expect(await duplicatesOf(record)).toEqual({ '2 sku': 1, '2 upc': 1, '3 sku': 1, '7 sku': 6 });
    await expectRightSummary(record);

    const paused = { status: 'paused', paused_from: 'processing', paused_by: 'operator' } as const;
    const again = await storedImport(stack, { csv, set: { ...paused, sha256: record.sha256 } });
    await stack.database.db.transaction().execute(async (trx) => {
      await edit(record.id, row, values);
      await copyEdits(trx, record.id, again.id, []);
    });
    await stack.database.db.transaction().execute((trx) => resumeImport(trx, again.id));
    await until('processed', async () => (await read(again.id)).status === 'queued');
    expect(await duplicatesOf(await read(again.id))).toEqual(expected);
    await expectRightSummary(await read(again.id));
  },
);

test('changes of several rows of a product validate it once', async () => {
  const record = await processed(csvOf(keyed));
  const written = await withPinnedConnection(stack.database, ({ db, client }) =>
    db.transaction().execute(async (trx) => {
      const count = async (): Promise<number> => {
        const { rows } = await client.query(
          `select (n_tup_ins + n_tup_upd)::int as written from pg_stat_xact_user_tables where relname = 'rows'`,
        );
        return rows[0].written;
      };
      const before = await count();
      const changes = [
        { row: 4, values: { sku: 'SKU-1' } },
        { row: 5, values: { sku: 'SKU-2' } },
      ];
      expect(await editRows(trx, record.id, { kind: 'single' }, changes)).toMatchObject({ ok: true });
      return (await count()) - before;
    }),
  );
  expect(written).toBe(2);
});

test('products that are far apart are read without the rows between them', async () => {
  const of = currentRows(await processed(productCsv(4_000), { rowsMax: 1_500 }));
  const products = [3_999, 1, 1_500, 1_501, 1_600, 2_750];
  const sorted = products.toSorted((a, b) => a - b);
  const read = await withPinnedConnection(stack.database, ({ db, client }) =>
    db.transaction().execute(async (trx) => {
      // Counts of the transaction before may not be stored yet.
      const readSoFar = async (): Promise<number> => {
        const { rows } = await client.query(
          `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'rows'`,
        );
        return rows[0].read;
      };
      const before = await readSoFar();
      expect((await readRowsByProduct(trx, of, products)).map((rows) => rows.map(({ row }) => row))).toEqual(
        sorted.map((row) => [row]),
      );
      expect([...(await readFirstRows(trx, of, products)).keys()]).toEqual(sorted);
      expect((await findRowsOfProducts(trx, of, products)).map(({ rows }) => rows)).toEqual(
        sorted.map((row) => [row]),
      );
      return (await readSoFar()) - before;
    }),
  );
  // Three times the 101 rows from 1,500 to 1,600 and three others, and the steps to find two ends of four stretches.
  expect(read).toBeLessThan(3 * (101 + 3 + 4 * 2 * 8));
});

test('products of one row and of several are found in all places of their chunks', async () => {
  const sized = Array.from({ length: 500 }, (_, at) =>
    Array.from({ length: 1 + ((at * 7) % 4) }, (_size, nth) => [`h-${at}`, 'Vase', '9.50', `size ${nth}`]),
  );
  const distant = [10, 450].map((at) => [`h-${at}`, 'Vase', '9.50', 'size 9']);
  const of = currentRows(await processed(csvOf([header, ...sized.flat(), ...distant]), { rowsMax: 150 }));
  const { rows: stored } = await stack.database.pool.query<{ product: number; rows: number[] }>(
    `select product, array_agg(row order by row) as rows from rows
     where import_id = $1 and run = $2 and ignored is null group by product order by product`,
    [of.import_id, of.run],
  );
  expect(stored).toHaveLength(500);
  const starts = Array.from({ length: 30 }, (_, nth) => 1 + nth * 17);
  for (const products of [...starts.map((first) => [first, first + 1, first + 203]), [1, 500], starts]) {
    const found = await findRowsOfProducts(stack.database.db, of, products);
    expect(found.map(({ product, rows }) => ({ product, rows }))).toEqual(
      stored.filter(({ product }) => products.includes(product)),
    );
  }
});
