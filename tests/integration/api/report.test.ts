import type { ImportReport } from '@draftshelf/contract/imports/report';
import { deriveOurId } from '@draftshelf/core/imports/our-id';
import { insertLedgerEntries } from '@draftshelf/core/push/ledger';
import { recordOutcomes } from '@draftshelf/core/push/outcomes';
import { readProductRows } from '@draftshelf/core/review/effective-rows';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { currentRows } from '@draftshelf/core/work/runs';
import { errorColumnName } from '@draftshelf/csv/own-download';
import type { Outcome, OutcomeCode } from '@draftshelf/domain/imports/outcome';
import { describe, expect } from 'vitest';
import type { TestApi } from '../../support/api.ts';
import { browserOf } from '../../support/api-client.ts';
import { csvOf, productCsv, storedImport } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { processed, read } = importSteps(() => stack);
let api: TestApi;
test.beforeAll(() => {
  api = stack.api;
});

type Decided = { product: number; outcome: Outcome; code?: OutcomeCode; message?: string };

/** Begins a push, which no worker does, and records these outcomes as its results. */
async function pushed(id: string, decided: readonly Decided[]): Promise<void> {
  await stack.database.db.transaction().execute(async (trx) => {
    const moved = await pushImport(trx, id, 25, { supplier: null });
    if (!moved.ok) throw new Error(moved.reason);
    const { push_run: run, rows_run: rowsRun } = moved.import;
    await recordOutcomes(
      trx,
      { importId: id, rowsRun, run },
      decided.map(({ product, outcome, code = null, message = null }) => ({
        ...{ product, outcome, code, message },
        ourId: `${id}-${product}`,
        storeProductId: null,
        basedOn: new Date(),
      })),
    );
  });
}

const report = async (id: string) => (await api.call('GET', `/api/queue/${id}/report`)).body as ImportReport;
const failedRows = (id: string) => api.call('GET', `/api/queue/${id}/failed-rows.csv`);

describe('the report', () => {
  test('says what an import consists of and groups the causes, the most frequent first', async () => {
    const lines = Array.from({ length: 9 }, (_, at) => [`Vase ${at + 1}`, at < 5 ? '' : '5', `S${at}`]);
    const id = await processed(csvOf([['Title', 'Price', 'SKU'], ...lines]));
    const price = { outcome: 'skipped', code: 'missing-fields', message: 'Missing: price' } as const;
    const refused = { outcome: 'failed', code: 'store-refused', message: 'Too many variants' } as const;
    await pushed(id, [
      { product: 8, ...refused },
      ...[1, 2, 3, 4].map((product) => ({ product, ...price })),
      { product: 6, outcome: 'created' },
      { product: 7, outcome: 'unchanged' },
    ]);
    expect(await report(id)).toEqual({
      id,
      filename: 'products.csv',
      status: 'uploading',
      failedIn: null,
      isUndoing: false,
      shop: null,
      errorMessage: null,
      inStore: 0,
      draftsUrl: null,
      outcomes: { created: 1, updated: 0, unchanged: 1, skipped: 4, failed: 1 },
      products: { total: 9, valid: 4, warning: 5, error: 0 },
      undone: 0,
      undecided: 2,
      processing: { startedAt: expect.any(String), endedAt: expect.any(String) },
      push: { startedAt: expect.any(String), endedAt: null },
      timeline: [
        { kind: 'read', startedAt: expect.any(String), endedAt: expect.any(String) },
        { kind: 'pushed', startedAt: expect.any(String), endedAt: null },
      ],
      causes: [
        {
          ...price,
          products: 4,
          examples: [1, 2, 3].map((product) => ({ product, row: product, title: `Vase ${product}` })),
        },
        { ...refused, products: 1, examples: [{ product: 8, row: 8, title: 'Vase 8' }] },
      ],
      otherCauses: 0,
    });
  });

  test('names at most 20 causes, and counts the products of the others', async () => {
    const id = await processed(productCsv(60));
    const causes = Array.from({ length: 25 }, (_, at) => `Cause ${at + 1}`);
    await pushed(id, [
      ...causes.map((message, at) => ({ product: at + 1, outcome: 'failed' as const, message })),
      ...[40, 55].map((product) => ({ product, outcome: 'failed' as const, message: 'Cause 25' })),
    ]);
    const { causes: named, otherCauses } = await report(id);
    expect(named.length).toBe(20);
    expect(named[0]).toMatchObject({ message: 'Cause 25', products: 3 });
    expect(named[0]?.examples.map(({ row }) => row)).toEqual([25, 40, 55]);
    expect(otherCauses).toBe(5);
  });

  test('is there before a push, without outcomes', async () => {
    const { push, undecided, causes, products } = await report(await processed(productCsv(3)));
    expect({ push, undecided, causes }).toEqual({ push: null, undecided: 0, causes: [] });
    expect(products).toEqual({ total: 3, valid: 3, warning: 0, error: 0 });
  });

  test('has the rate of a push in steps of time, from its chunks', async () => {
    const id = await processed(productCsv(300));
    const series = async () => (await api.call('GET', `/api/queue/${id}/push-series`)).body;
    expect(await series()).toEqual({ series: null });
    await pushed(id, [{ product: 1, outcome: 'created' }]);
    expect(await series()).toMatchObject({ series: { endedAt: null, products: [] } });
    // Twelve chunks in twelve seconds, but none in the fourth to sixth.
    await stack.database.pool.query(
      `update runs set started_at = now() - interval '12 s', ended_at = now()
      where import_id = $1 and stage = 'push'`,
      [id],
    );
    await stack.database.pool.query(
      `update chunks set state = 'done', ended_at = runs.started_at + interval '0.5 s'
        + case when sequence between 3 and 5 then 6 + sequence else sequence end * interval '1 s'
      from runs where chunks.import_id = $1 and chunks.stage = 'push' and chunks.kind = 'work'
        and runs.import_id = $1 and runs.stage = 'push'`,
      [id],
    );
    expect(await series()).toEqual({
      series: {
        startedAt: expect.any(String),
        endedAt: expect.any(String),
        stepMs: 3000,
        products: [75, 0, 75, 150],
        planPerSecond: null,
      },
    });
  });

  test('is refused while the file is read for the first time, and without a session', async () => {
    const { id } = await storedImport(stack, { csv: productCsv(3), set: { status: 'paused' } });
    expect(await api.call('GET', `/api/queue/${id}/report`)).toMatchObject({ status: 409 });
    for (const path of [`/api/queue/${id}/report`, `/api/queue/${id}/failed-rows.csv`]) {
      expect((await browserOf(api.url).call('GET', path)).status).toBe(401);
    }
  });

  test.each(['report', 'failed-rows.csv'])('of an unknown import is a 404: %s', async (call) => {
    for (const id of ['nothing', '00000000-0000-4000-8000-000000000000']) {
      expect((await api.call('GET', `/api/queue/${id}/${call}`)).status).toBe(404);
    }
  });
});

describe('the failed rows', () => {
  const header = ['Handle', 'Title', 'Option1 Value', 'Variant Price', 'Note'];

  test('are the file’s own cells with the reason, and can be uploaded again', async () => {
    const note = 'He said "new",\nthen\r\nleft; =1+1 | ünï';
    const rows = [
      ['lamp', 'Lamp', 'Red', '5', note],
      ['lamp', '', 'Blue', '6', '=HYPERLINK("x")'],
      ['stool', 'Stool', '', '7', 'fine'],
      ['vase', '@Vase', "'=1", '8', '-2'],
    ];
    const id = await processed(csvOf([header, ...rows]), {}, 'größe 1.csv');
    const reason = 'Refused: "Title", and more';
    await pushed(id, [
      { product: 1, outcome: 'failed', message: reason },
      { product: 2, outcome: 'created' },
      { product: 3, outcome: 'skipped' },
    ]);
    const { status, headers, body } = await failedRows(id);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain(
      "UTF-8''failed%20rows%20of%20gr%C3%B6%C3%9Fe%201.csv",
    );

    expect(body).toContain(`"'=HYPERLINK(""x"")"`);
    expect(body).toContain("vase,'@Vase,''=1,8,-2,Skipped");
    const again = await processed(body as string);
    const { body: page } = await api.call('GET', `/api/queue/${again}/rows`);
    expect(page).toMatchObject({
      headers: [...header, errorColumnName],
      rows: [
        { cells: [...(rows[0] ?? []), reason] },
        { cells: [...(rows[1] ?? []), reason] },
        { cells: [...(rows[3] ?? []), 'Skipped'] },
      ],
    });
  });

  test('come in pieces, each row once, in the order of the file', async () => {
    const id = await processed(productCsv(1_200));
    const missed = Array.from({ length: 1_200 }, (_, at) => at + 1).filter((product) => product % 3 !== 0);
    await pushed(
      id,
      missed.map((product) => ({ product, outcome: 'skipped', message: `No ${product}` })),
    );
    const { body } = await failedRows(id);
    const lines = (body as string).trimEnd().split('\r\n');
    expect(lines.length).toBe(missed.length + 1);
    expect(lines.slice(1)).toEqual(missed.map((n) => `Vase ${n},${n}.50,V-${n},No ${n}`));
  });

  test('keep cells beyond the header, behind the reason', async () => {
    const id = await processed(`${productCsv(20)}Wide,5,W,more,last\nShort\n`);
    await pushed(id, [
      { product: 21, outcome: 'failed', message: 'No' },
      { product: 22, outcome: 'failed', message: 'No' },
    ]);
    const { body } = await failedRows(id);
    const lines = (body as string).trimEnd().split('\r\n');
    expect(lines.slice(1)).toEqual(['Wide,5,W,No,more,last', 'Short,,,No']);
  });

  test('are refused if there are none', async () => {
    const id = await processed(productCsv(2));
    expect(await failedRows(id)).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: 'No products were skipped or failed.' },
    });
  });
});

test('the ledger is a CSV file: a line for each result, in words, and no cell is a formula', async () => {
  const id = await processed(
    csvOf([
      ['Title', 'Price', 'SKU'],
      ['=1+1', '5', 'F-1'],
      ['Vase', '', 'F-2'],
    ]),
  );
  const record = await read(id);
  const rows = await readProductRows(stack.database.db, currentRows(record), {
    firstProduct: 1,
    products: 2,
  });
  const entry = { origin: 'push', shop: 'shop.myshopify.com', import_id: id } as const;
  const [first, second] = rows.map((row) => deriveOurId(record, row));
  await insertLedgerEntries(stack.database.db, [
    {
      ...{ ...entry, our_id: second ?? '', product: 2, run: 1, effect: 'skipped' },
      cause: 'Missing required fields: price',
      recorded_at: new Date('2026-11-21T10:00:00Z'),
    },
    {
      ...{ ...entry, our_id: first ?? '', product: 1, run: 1, effect: 'created' },
      store_product_id: 'gid://shopify/Product/7',
      payload_hash: 'ab'.repeat(32),
      recorded_at: new Date('2026-11-21T10:00:01Z'),
    },
  ]);
  const { status, headers, body } = await api.call('GET', `/api/queue/${id}/ledger.csv`);
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toContain("filename*=UTF-8''ledger%20of%20products.csv");
  const shop = 'shop.myshopify.com';
  expect(
    String(body)
      .replace(/^\uFEFF/, '')
      .split('\r\n'),
  ).toEqual([
    'Time (UTC),Store,Push,Product,Title,SKU,Result,Reason,Store product ID,Our product ID,Payload fingerprint',
    `2026-11-21 10:00:01,${shop},1,1,'=1+1,F-1,Created in the store,,7,${first},abababababab`,
    `2026-11-21 10:00:00,${shop},1,2,Vase,F-2,"Skipped, nothing written",Missing required fields: price,,${second},`,
    '',
  ]);
  expect((await api.call('GET', '/api/queue/unknown/ledger.csv')).status).toBe(404);
});
