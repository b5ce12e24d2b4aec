import { editRow } from '@draftshelf/database/edits';
import { readRowPage } from '@draftshelf/database/effective-rows';
import { findImport } from '@draftshelf/database/imports';
import type { ImportRecord } from '@draftshelf/database/schema';
import { productRowsMax } from '@draftshelf/domain/grouping';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Line, startLine } from '../line/start-line.ts';
import { csvOf, storedImport, until } from './fixtures.ts';

let line: Line;
beforeAll(async () => {
  line = await startLine({ names: ['parse-worker', 'enrich-worker'] });
});
afterAll(() => line?.close());

async function processed(csv: string, options: { rowsMax?: number; set?: Partial<ImportRecord> } = {}) {
  const { id } = await storedImport(line, { csv, ...options });
  await until('processed', async () => {
    const record = await findImport(line.database.db, id);
    return record?.status === 'queued' || record?.status === 'processed';
  });
  return recordOf(id);
}

async function recordOf(id: string): Promise<ImportRecord> {
  const record = await findImport(line.database.db, id);
  if (!record) throw new Error('The import is gone');
  return record;
}

async function facetsOf({ id }: ImportRecord) {
  const { rows } = await line.database.pool.query(
    `select class, issues, duplicate, rows from row_facets where import_id = $1 and rows <> 0
     order by class, issues, duplicate`,
    [id],
  );
  return rows;
}

/** The facets, counted from the rows themselves. */
async function facetsCounted({ id, rows_run }: ImportRecord) {
  const { rows } = await line.database.pool.query(
    `select class, coalesce(issues::text, '') as issues, duplicates.row is not null as duplicate, count(*)::int as rows
     from rows left join (select distinct import_id, run, row from row_findings) duplicates using (import_id, run, row)
     where import_id = $1 and run = $2 and ignored is null group by 1, 2, 3 order by 1, 2, 3`,
    [id, rows_run],
  );
  return rows;
}

const edit = (id: string, row: number, values: Parameters<typeof editRow>[3]) =>
  line.database.db.transaction().execute((trx) => editRow(trx, id, row, values));

const header = ['Handle', 'Title', 'Price', 'Option1 Value', 'SKU', 'UPC', 'Quantity', 'Cost', 'Image Src'];
/** What rows of a product may hold; each product of the file is a pair of them below a first row. */
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

/** The rows of all products, each product's together or each as far from the others as can be, by row within the product. */
function productRows() {
  const products = firsts.flatMap((first) =>
    others.flatMap((second) => others.map((third) => [first, second, third])),
  );
  const named = products.map((rows, at) => rows.map((cells) => [`product-${at}`, ...cells]));
  return { adjacent: named.flat(), apart: [0, 1, 2].flatMap((at) => named.map((rows) => rows[at] ?? [])) };
}

async function judgedBy(record: ImportRecord) {
  const rows = await readRowPage(line.database.db, record, { after: 0, limit: 1000 });
  const firstOf = new Map(rows.toReversed().map((row) => [row.product, row]));
  const judged = rows.map((row) => [row.cells[0], firstOf.get(row.product)?.cells[0], row.class, row.issues]);
  return Map.groupBy(judged, ([handle]) => handle);
}

test('rows that stand apart are judged as rows that stand together, and so when they are edited', async () => {
  const { adjacent, apart } = productRows();
  const together = await processed(csvOf([header, ...adjacent]));
  const scattered = await processed(csvOf([header, ...apart]), { rowsMax: 40 });
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
  expect(await facetsOf(scattered)).toEqual(await facetsOf(together));

  // An edit that changes no value that matters changes no class.
  for (const product of [0, 7, 50, 146]) {
    await edit(scattered.id, product + 1, { tags: 'new' });
    await edit(scattered.id, product + 148, { status: 'draft' });
  }
  expect(await judgedBy(scattered)).toEqual(before);
  const after = await recordOf(scattered.id);
  expect(counts(after)).toEqual(counts(scattered));
  expect(await facetsOf(after)).toEqual(await facetsCounted(after));
});

test('rows that stand apart make no larger products than rows that stand together', async () => {
  const rows = Array.from({ length: productRowsMax + 5 }, (_, at) => ['vase', 'Vase', '1', `size ${at}`]);
  const lamps = rows.map((_, at) => [`lamp-${at}`, 'Lamp', '1', '']);
  const csv = csvOf([header, ...rows.flatMap((row, at) => [row, lamps[at] ?? []])]);
  const record = await processed(csv, { rowsMax: 1000 });
  expect(record.total_products).toBe(lamps.length + 2);
  const { rows: products } = await line.database.pool.query(
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
