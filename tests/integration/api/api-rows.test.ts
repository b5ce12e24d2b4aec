import type { JobWithRows } from '@draftshelf/contract/imports/imports';
import type { ValuesSample } from '@draftshelf/contract/reading/values-sample';
import type { Row } from '@draftshelf/contract/review/rows';
import { storableJson } from '@draftshelf/core/connection/storable-json';
import { storeImageChecks } from '@draftshelf/core/enrich/images';
import { findImport } from '@draftshelf/core/imports/imports';
import { deriveOurId } from '@draftshelf/core/imports/our-id';
import { recordOutcomes } from '@draftshelf/core/push/outcomes';
import { claimRunShop, insertPushRun } from '@draftshelf/core/push/push-run';
import { endSendingOfProducts } from '@draftshelf/core/push/sending';
import { readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { describe, expect } from 'vitest';
import type { TestApi } from '../../support/api.ts';
import { csvOf, productCsv } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { processed } = importSteps(() => stack);
let api: TestApi;
test.beforeAll(() => {
  api = stack.api;
});

/** Rows of a title, a price and `columns` further cells. */
const wideRows = (rows: number, columns: number): string[][] =>
  Array.from({ length: rows }, (_, row) => [
    `Vase ${row}`,
    '5',
    ...Array.from({ length: columns }, (_, at) => `${row}.${at}`),
  ]);

async function pageOf(
  id: string,
  query = '',
): Promise<{ headers: string[]; rows: Row[]; totalRows: number }> {
  const { status, body } = await api.call('GET', `/api/queue/${id}/rows${query}`);
  expect(status).toBe(200);
  return body as { headers: string[]; rows: Row[]; totalRows: number };
}

describe('pages of rows', () => {
  test('use a cursor, 25 rows by default', async () => {
    const id = await processed(productCsv(60));
    const first = await pageOf(id);
    expect(first.headers).toEqual(['Title', 'Price', 'SKU']);
    expect(first.totalRows).toBe(60);
    expect(first.rows.map((row) => row.row)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
    const last = await pageOf(id, '?after=50&limit=25');
    expect(last.rows.map((row) => row.row)).toEqual([51, 52, 53, 54, 55, 56, 57, 58, 59, 60]);
    expect(last.rows[0]).toEqual({
      row: 51,
      line: 52,
      product: 51,
      ofProduct: null,
      class: 'valid',
      ignored: null,
      values: { title: 'Vase 51', price: '51.50', sku: 'V-51' },
      sources: {},
      leftOut: false,
      cells: ['Vase 51', '51.50', 'V-51'],
      cellsAsRead: null,
      issues: [],
      image: { state: 'none', reason: null, lookup: null },
      found: {},
      outcome: null,
    });
    expect((await pageOf(id, '?after=60')).rows).toEqual([]);
  });

  test.each(['?limit=0', '?limit=201', '?limit=ten', '?after=-1', '?after=2147483648'])(
    '%s is a plain 400',
    async (query) => {
      const id = await processed(productCsv(1));
      expect(await api.call('GET', `/api/queue/${id}/rows${query}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid', field: query.slice(1).split('=')[0] },
      });
    },
  );

  test('rows have their issues, duplicates and outcomes', async () => {
    const id = await processed(
      csvOf([
        ['Title', 'Price', 'SKU'],
        ['Lamp', 'ask', 'L-1'],
        ['', '', 'X-1'],
        ['Lamp again', '5', 'L-1'],
      ]),
    );
    await stack.database.db.transaction().execute(async (db) => {
      const run = { import_id: id, run: 1 };
      await insertPushRun(db, run, { kind: 'full', draftMode: true });
      const shop = { shop: 'a.myshopify.com', url: 'http://127.0.0.1:9', currency: 'CAD' };
      await claimRunShop(db, run, shop);
      await recordOutcomes(db, { importId: id, rowsRun: 1, run: 1 }, [
        {
          product: 3,
          ourId: 'our-3',
          outcome: 'created',
          code: null,
          message: null,
          storeProductId: 'gid://shopify/Product/77',
          basedOn: new Date(),
        },
      ]);
    });
    const { rows } = await pageOf(id);
    expect(rows.map((row) => [row.class, row.issues.map((issue) => issue.code)])).toEqual([
      ['warning', ['price-not-numeric']],
      ['error', ['title-missing', 'price-missing']],
      ['valid', ['duplicate']],
    ]);
    expect(rows[2]?.issues[0]).toEqual({
      code: 'duplicate',
      field: 'sku',
      message: 'Duplicate SKU: same as row 1.',
    });
    expect(rows[2]?.outcome).toEqual({
      result: 'created',
      message: null,
      storeUrl: 'http://127.0.0.1:9/admin/products/77',
    });
    expect(rows[0]?.outcome).toBeNull();
  });
});

describe('a repaired row', () => {
  test('has its cells as repaired and as in the file; an edit changes neither', async () => {
    const id = await processed(`${productCsv(10)}Chair, oak,9.50,C-1\r\n`);
    const both = { cells: ['Chair, oak', '9.50', 'C-1'], cellsAsRead: ['Chair', ' oak', '9.50', 'C-1'] };
    const { rows } = await pageOf(id, '?after=9');
    expect(rows.map(({ cells, cellsAsRead }) => ({ cells, cellsAsRead }))).toEqual([
      { cells: ['Vase 10', '10.50', 'V-10'], cellsAsRead: null },
      both,
    ]);
    expect(rows[1]?.issues).toEqual([
      {
        code: 'extra-separator',
        field: null,
        message: expect.stringMatching(/^Extra separator\./),
      },
    ]);
    const edited = await api.call('PATCH', `/api/queue/${id}/rows/11`, { body: { values: { price: '12' } } });
    expect(edited).toMatchObject({
      status: 200,
      body: { row: { ...both, values: { price: '12' }, issues: [{ code: 'extra-separator' }] } },
    });
  });
});

describe('csvData and processedData', () => {
  test('are the first 1,000 rows by the original headers and by the row keys', async () => {
    const id = await processed(productCsv(1100));
    const { body } = await api.call('GET', `/api/jobs/${id}`);
    const job = body as Required<JobWithRows>;
    expect(job.csvDataTotal).toBe(1100);
    expect(job.csvData).toHaveLength(1000);
    expect(job.processedData).toHaveLength(1000);
    expect(job.csvData[999]).toEqual({ Title: 'Vase 1000', Price: '1000.50', SKU: 'V-1000' });
    expect(job.processedData[999]).toMatchObject({
      'Shopify Title': 'Vase 1000',
      'Shopify Price': '1000.50',
    });
    expect(job.hasRows).toBe(true);
  });

  test.runIf(isLong)('are at most 2 MB of JSON each, including keys', async () => {
    const headers = Array.from({ length: 400 }, (_, column) => `A rather long name of column ${column}`);
    const id = await processed(csvOf([['Title', 'Price', ...headers], ...wideRows(300, headers.length)]));
    const { body } = await api.call('GET', `/api/jobs/${id}`);
    const { csvData, processedData } = body as Required<JobWithRows>;
    const bytes = Buffer.byteLength(JSON.stringify(csvData));
    const [last] = csvData.slice(-1);
    expect(bytes).toBeLessThanOrEqual(2 * 1024 * 1024);
    expect(bytes + Buffer.byteLength(JSON.stringify(last)) + 1).toBeGreaterThan(2 * 1024 * 1024);
    expect(processedData).toHaveLength(300);
  });

  test('keep a column with the name of an object property', async () => {
    const id = await processed(
      csvOf([['Title', 'Price', '__proto__'], ['Lamp', '5', 'kept'], ...wideRows(1, 1)]),
    );
    const { body } = await api.call('GET', `/api/jobs/${id}`);
    const [row = {}] = (body as JobWithRows).csvData ?? [];
    expect(Object.entries(row)).toEqual([
      ['Title', 'Lamp'],
      ['Price', '5'],
      ['__proto__', 'kept'],
    ]);
  });
});

describe('an edit', () => {
  const edit = (id: string, row: number | string, values: object) =>
    api.call('PATCH', `/api/queue/${id}/rows/${row}`, { body: { values } });
  const header = [['Title', 'Price', 'SKU']];
  const twoRows = csvOf([
    ['Name', 'Cost', 'SKU'],
    ['Lamp', 'ask', 'L-1'],
    ['Vase', '5', 'V-1'],
  ]);
  const statusOf = async (id: string) => (await findImport(stack.database.db, id))?.status;

  test('of the last bad row makes the import processed; undone, queued', async () => {
    const id = await processed(twoRows);
    expect(await statusOf(id)).toBe('queued');
    const etag = (await api.call('GET', `/api/queue/${id}/rows`)).headers.get('etag') ?? '';
    const fixed = await edit(id, 1, { price: '12.50' });
    expect(fixed).toMatchObject({
      status: 200,
      body: {
        success: true,
        row: { row: 1, class: 'valid', values: { price: '12.50' }, sources: { price: 'edit' } },
      },
    });
    expect(await statusOf(id)).toBe('processed');
    const headers = { 'if-none-match': etag };
    expect((await api.call('GET', `/api/queue/${id}/rows`, { headers })).status).toBe(200);
    const { body } = await api.call('GET', `/api/jobs/${id}`);
    const job = body as Required<JobWithRows>;
    expect(job).toMatchObject({ validProducts: 2, warningProducts: 0 });
    expect(job.csvData[0]).toEqual({ Name: 'Lamp', Cost: '12.50', SKU: 'L-1' });
    expect(job.processedData[0]).toMatchObject({ 'Shopify Price': '12.50' });
    const { rows } = await pageOf(id);
    expect(rows[0]?.cells).toEqual(['Lamp', 'ask', 'L-1']);
    expect(await edit(id, 1, { price: null })).toMatchObject({
      body: { row: { class: 'warning', sources: {} } },
    });
    expect(await statusOf(id)).toBe('queued');
  });

  test('of a field without a column is shown under its row key', async () => {
    const id = await processed(twoRows);
    await edit(id, 2, { tags: 'glass, blue' });
    const { body } = await api.call('GET', `/api/jobs/${id}`);
    expect((body as JobWithRows).csvData?.[1]).toEqual({
      Name: 'Vase',
      Cost: '5',
      SKU: 'V-1',
      Tags: 'glass, blue',
    });
  });

  test('of a product field is stored on the first row; of a variant field on its own row', async () => {
    const id = await processed(
      csvOf([
        ['Handle', 'Title', 'Vendor', 'Option1 Value', 'Variant Price'],
        ['lamp', 'Lamp', 'Acme', 'S', '10'],
        ['lamp', '', '', 'M', ''],
      ]),
    );
    await edit(id, 2, { title: 'Floor lamp', vendor: 'Other', price: '12' });
    const { rows } = await pageOf(id);
    expect(rows.map((row) => [row.values.title, row.values.vendor, row.values.price, row.sources])).toEqual([
      ['Floor lamp', 'Other', '10', { title: 'edit', vendor: 'edit' }],
      [undefined, undefined, '12', { price: 'edit' }],
    ]);
    await edit(id, 2, { title: null });
    expect((await pageOf(id)).rows[0]?.values.title).toBe('Lamp');
  });

  test('of a row with NUL bytes is possible', async () => {
    const id = await processed(csvOf([...header, ['La\0mp', '1\0', 'N-1']]));
    expect(await edit(id, 1, { price: '7' })).toMatchObject({
      status: 200,
      body: { row: { class: 'valid', cells: ['La\0mp', '1\0', 'N-1'], values: { price: '7' } } },
    });
    expect(await edit(id, 1, { title: 'Lamp' })).toMatchObject({
      body: { row: { values: { title: 'Lamp' } } },
    });
  });

  test('of an ignored row is refused', async () => {
    const id = await processed(csvOf([...header, ['Lamp', '1', 'I-1'], ...header]));
    expect(await edit(id, 2, { title: 'x' })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await pageOf(id)).rows[0]?.values.title).toBe('Lamp');
  });

  test('is blocked for the product that is being sent, not for its neighbours', async () => {
    const { db } = stack.database;
    const id = await processed(twoRows.replaceAll('ask', '4'));
    await db.transaction().execute((trx) => pushImport(trx, id, 25, { supplier: null }));
    const [chunk] = await db
      .selectFrom('chunks')
      .selectAll()
      .where('import_id', '=', id)
      .where('stage', '=', 'push')
      .execute();
    const record = await findImport(db, id);
    const [first] = await readRowsByNumber(db, { import_id: id, run: record?.rows_run ?? 0 }, [1]);
    const ourId = deriveOurId({ sha256: record?.sha256 ?? '' }, first ?? { byte_from: 0, own_id: null });
    const sending = { sending: storableJson({}), sending_hash: '', sending_chunk: chunk?.id ?? 0 };
    await db
      .insertInto('listings')
      .values({ shop: 'test', our_id: ourId, ...sending })
      .execute();
    expect(await edit(id, 1, { title: 'x' })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const leaveOut = { body: { leaveOut: true } };
    expect(await api.call('PATCH', `/api/queue/${id}/rows/1`, leaveOut)).toMatchObject({ status: 409 });
    expect(await edit(id, 2, { title: 'x' })).toMatchObject({ status: 200 });
    await endSendingOfProducts(db, 'test', [ourId]);
    expect(await edit(id, 1, { title: 'x' })).toMatchObject({ status: 200 });
  });

  test('is refused if it is impossible', async () => {
    const id = await processed(twoRows);
    expect(await edit(id, 3, { title: 'x' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await edit(id, 'one', { title: 'x' })).toMatchObject({ status: 404 });
    expect(await edit(id, 2_147_483_648, { title: 'x' })).toMatchObject({ status: 404 });
    for (const title of ['a\0b', 'a\ud800b']) {
      expect(await edit(id, 1, { title })).toMatchObject({ status: 400, body: { field: 'values.title' } });
    }
    expect(await edit(id, 1, {})).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect(await edit(id, 1, { nonsense: 'x' })).toMatchObject({ status: 400, body: { code: 'invalid' } });
    await api.call('POST', `/api/queue/${id}/cancel`);
    expect(await edit(id, 1, { title: 'x' })).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});

describe('the sample of values', () => {
  const sampleOf = async (id: string) =>
    (await api.call('GET', `/api/queue/${id}/values-sample`)).body as ValuesSample;

  test('has the effective prices and the checked pictures of all rows of a small file', async () => {
    const picture = (name: string) => `https://pictures.example/${name}.png`;
    const id = await processed(
      csvOf([
        ['Title', 'Price', 'Image'],
        ['Vase', '10', picture('good')],
        ['Bowl', 'call us', picture('bad')],
        ['Jug', '0', picture('new')],
        ['Tray', '19.99', ''],
      ]),
    );
    const checked = { reason: null, width: 1, height: 1, bytes: 1 };
    await storeImageChecks(stack.database.db, [
      { ...checked, url: picture('good'), state: 'ok' },
      { ...checked, url: picture('bad'), state: 'unreachable' },
    ]);
    expect(await sampleOf(id)).toEqual({
      rows: 4,
      totalRows: 4,
      prices: {
        steps: [
          [100, 1],
          [130, 1],
        ],
        ...{ zeros: 1, low: 10, high: 19.99, currencies: [], few: { count: 0, currencies: [] } },
      },
      pictures: { loading: 1, broken: 1, unchecked: 1, none: 1 },
      brokenHost: 'pictures.example',
    });
    await api.call('PATCH', `/api/queue/${id}/rows/2`, { body: { values: { price: '10' } } });
    expect((await sampleOf(id)).prices.steps).toEqual([
      [100, 2],
      [130, 1],
    ]);
  });

  test('of a large file reads 1,000 rows over its whole length', async () => {
    const id = await processed(productCsv(2500));
    const { rows, totalRows, prices } = await sampleOf(id);
    expect([rows, totalRows]).toEqual([1000, 2500]);
    expect(prices.steps.reduce((sum, [, count]) => sum + count, 0)).toBe(1000);
    // From $1.50 to nearly $2,500.
    expect(prices.steps[0]?.[0]).toBe(17);
    expect(prices.steps.at(-1)?.[0]).toBe(339);
    expect((await api.call('GET', '/api/queue/nothing/values-sample')).status).toBe(404);
  });

  test('has the currencies that cells, the currency column and edits name', async () => {
    const csv = csvOf([
      ['Title', 'Price', 'Currency'],
      ['Vase', '€12.50', ''],
      ['Bowl', '9', 'eur'],
      ['Jug', '7\0', 'USD'],
    ]);
    const id = await processed(csv);
    expect((await sampleOf(id)).prices).toMatchObject({ low: 7, high: 12.5, currencies: ['EUR'] });
    const edited = await api.call('PATCH', `/api/queue/${id}/rows/2`, {
      body: { values: { price: 'CAD 9' } },
    });
    expect(edited.status).toBe(200);
    expect((await sampleOf(id)).prices.currencies).toEqual(['EUR', 'CAD', 'USD']);
  });
});
