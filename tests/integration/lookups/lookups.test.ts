import { randomUUID } from 'node:crypto';
import { saveSettings } from '@draftshelf/core/access/settings';
import { withPinnedConnection } from '@draftshelf/core/connection/database';
import { readCoverage } from '@draftshelf/core/enrich/coverage';
import { countWaitingProducts } from '@draftshelf/core/enrich/lacks';
import { applyAnswers } from '@draftshelf/core/enrich/lookups/apply-answers';
import { enqueueStoreLookups, resumeLookups } from '@draftshelf/core/enrich/lookups/enqueue-lookups';
import { changeSources, recordConfiguredStore } from '@draftshelf/core/enrich/sources';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { copyProducts } from '@draftshelf/core/push/store/store-products';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import { hasOpenTask } from '@draftshelf/core/work/tasks';
import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { emptyTables } from '../../support/empty-tables.ts';
import { csvOf, productCsv, storedImport, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { type Stack, startStack } from '../../support/stack.ts';

let sources: TestSources;
let stack: Stack;
let api: TestApi;
const steps = pushSteps(() => stack);
beforeAll(async () => {
  sources = await startSources();
  stack = await startStack({
    names: ['store-simulator', 'parse-worker', 'enrich-worker', 'push-worker'],
    env: sources.env,
  });
  api = await startApi(stack);
});
afterAll(async () => {
  await api?.close();
  await stack?.close();
  await sources?.close();
});
afterEach(() => emptyTables(stack.database, 'imports, lookups, sources, source_calls, images, settings'));

let next = 500_000_000_000;
/** Codes that no other test has. */
const codes = (count: number) => {
  next += count;
  return Array.from({ length: count }, (_, at) => gtinOf(next + at - count));
};

const products = (gtins: readonly string[]) =>
  gtins.map((gtin, at) => ({ gtin, title: `Acme Blue Vase ${at + 1}`, brand: 'Acme' }));

async function importOf(gtins: readonly string[], set: { enable_upc?: boolean } = {}) {
  const lines = gtins.map((gtin) => [`Blue Vase ${gtins.indexOf(gtin) + 1}`, '9.90', gtin.slice(1)]);
  const csv = csvOf([['Title', 'Price', 'UPC'], ...lines]);
  return storedImport(stack, { csv, set: { enable_upc: true, ...set } });
}

const rowsOf = async (id: string) =>
  readRowPage(stack.database.db, currentRows(await steps.read(id)), { after: 0, limit: 100 });
const imagesOf = async (id: string) => (await rowsOf(id)).map(({ values }) => values.image ?? null);
type Proposal = {
  id: number;
  row: number;
  field: string;
  before: string | null;
  value: string;
  reason: string;
};
const proposalsOf = async (id: string) =>
  (await api.call('GET', `/api/queue/${id}/proposals`)).body as { total: number; proposals: Proposal[] };
const pictureOf = (gtin: string) => `${sources.url}/pictures/${gtin}.png`;

it('fills what products lack, once per code, and asks nobody for the same codes again', async () => {
  const gtins = codes(5);
  await sources.know(products(gtins));
  await sources.register(stack, ['upcitemdb', 'barcode-lookup']);
  const { id } = await importOf([...gtins, gtins[0] ?? '']);
  await steps.reach(id, 'processed');
  await until('pictures', async () => (await imagesOf(id)).every((image) => image !== null));
  const [row] = await rowsOf(id);
  expect(row?.values).toMatchObject({
    ...{ image: pictureOf(gtins[0] ?? ''), vendor: 'Acme' },
    description: 'Acme Blue Vase 1. Described by a source.',
  });
  expect(row?.sources).toMatchObject({ image: 'found', vendor: 'found' });
  const asked = async () => (await sources.journal()).filter(({ gtin }) => gtins.includes(gtin));
  expect((await asked()).map(({ source, gtin }) => [source, gtin]).sort()).toEqual(
    gtins.map((gtin) => ['upcitemdb', gtin]).sort(),
  );
  const coverage = await readCoverage(stack.database.db, currentRows(await steps.read(id)));
  expect(coverage.find(({ field }) => field === 'image')).toEqual({
    field: 'image',
    products: 6,
    filled: 0,
    found: 6,
  });

  const again = await importOf(gtins);
  await steps.reach(again.id, 'processed');
  expect((await imagesOf(again.id)).every((image) => image !== null)).toBe(true);
  expect(await asked()).toHaveLength(gtins.length);
});

it.runIf(isLong)(
  'asks the next source about misses, and proposes what is about another product',
  async () => {
    const [known = '', other = '', missing = ''] = codes(3);
    await sources.know([
      { gtin: known, title: 'Acme Blue Vase 1', brand: 'Acme' },
      { gtin: other, title: 'Garden Hose 50 ft', brand: 'Flexzilla' },
    ]);
    await sources.register(stack, ['upcitemdb', 'open-products-facts']);
    const { id } = await importOf([known, other, missing]);
    await steps.reach(id, 'processed');
    await until('all answered', async () => {
      const { rows } = await stack.database.pool.query(
        "select 1 from lookups where state in ('wanted','asking') or not applied",
      );
      return rows.length === 0;
    });
    expect(await imagesOf(id)).toEqual([pictureOf(known), null, null]);
    const { rows } = await stack.database.pool.query(
      'select row, field, source, reason from proposals where import_id = $1 and field = $2 order by row, source',
      [id, 'image'],
    );
    expect(rows).toEqual([
      { row: 2, field: 'image', source: 'open-products-facts', reason: 'other-product' },
      { row: 2, field: 'image', source: 'upcitemdb', reason: 'other-product' },
    ]);
    const asked = (await sources.journal()).filter(({ gtin }) => gtin === missing);
    expect(asked.map(({ source, answered }) => [source, answered])).toEqual([
      ['upcitemdb', 'miss'],
      ['open-products-facts', 'miss'],
    ]);
  },
);

it.runIf(isLong)(
  'is in review while a quota is spent, says until when, and continues by itself',
  async () => {
    const gtins = codes(4);
    await sources.know(products(gtins));
    await sources.register(stack, ['upcitemdb'], { per_window: 2, window_ms: 15_000 });
    const { id } = await importOf(gtins);
    await steps.reach(id, 'processed');
    const found = async () => (await imagesOf(id)).filter((image) => image !== null).length;
    await until('two pictures', async () => (await found()) === 2);
    const waiting = async () => countWaitingProducts(stack.database.db, currentRows(await steps.read(id)));
    await until('the quota', async () => (await waiting())[0]?.because === 'quota');
    expect(await waiting()).toMatchObject([{ source: 'upcitemdb', products: 2, until: expect.any(Date) }]);
    await until('all pictures', async () => (await found()) === 4);
    expect(await countWaitingProducts(stack.database.db, currentRows(await steps.read(id)))).toEqual([]);
  },
);

it('counts what waits while its tables have the statistics of a small import', async () => {
  await sources.register(stack, ['upcitemdb', 'open-products-facts']);
  const run = { import_id: randomUUID(), run: 1 };
  const waiting = await withPinnedConnection(stack.database, async ({ db, client }) => {
    const fill = async (importId: string, products: number, state: string) => {
      await client.query(
        `insert into product_lacks (import_id, run, row, gtin, fields)
         select $1::uuid, 1, row, $1 || ' ' || row, '{image}' from generate_series(1, $2::int) row`,
        [importId, products],
      );
      await client.query(
        `insert into lookups (gtin, source, state)
         select $1 || ' ' || row, 'upcitemdb', $3 from generate_series(1, $2::int) row`,
        [importId, products, state],
      );
    };
    await client.query('begin');
    await fill(randomUUID(), 200, 'miss');
    await client.query('analyze product_lacks, lookups, sources');
    await fill(run.import_id, 25_000, 'wanted');
    // The limit of a statement of the api.
    await client.query(`set local statement_timeout = '5s'`);
    return countWaitingProducts(db, run).finally(() => client.query('rollback'));
  });
  expect(waiting).toMatchObject([{ source: 'upcitemdb', products: 10_000, lookups: 10_000 }]);
});

it.runIf(isLong)('analyzes tables that have grown when a large file has been read', async () => {
  const { id } = await storedImport(stack, { csv: productCsv(8000) });
  await steps.reach(id, 'processed');
  const { rows } = await stack.database.pool.query<{ reltuples: number }>(
    "select reltuples from pg_class where relname = 'rows' and relnamespace = 'public'::regnamespace",
  );
  expect(rows[0]?.reltuples).toBeGreaterThan(0);
});

it.runIf(isLong)(
  'asks only while setting, import and source are on, and continues when they are',
  async () => {
    const gtins = codes(2);
    await sources.know(products(gtins));
    await sources.register(stack, ['upcitemdb']);
    await saveSettings(stack.database.db, { upcLookup: false });
    const off = await importOf(gtins, { enable_upc: false });
    const on = await importOf(gtins);
    await steps.reach(on.id, 'processed');
    await steps.reach(off.id, 'processed');
    await until('the task has ended', async () => {
      const { rows } = await stack.database.pool.query(
        "select state from chunks where task = 'ask-upcitemdb'",
      );
      return rows.length === 1 && rows[0]?.state === 'done';
    });
    expect((await sources.journal()).filter(({ gtin }) => gtins.includes(gtin))).toEqual([]);
    await saveSettings(stack.database.db, { upcLookup: true });
    await resumeLookups(stack.database.db);
    await until('pictures', async () => (await imagesOf(on.id)).every((image) => image !== null));
    expect(await imagesOf(off.id)).toEqual([null, null]);
  },
);

it.runIf(isLong)(
  'finds values for a completed import, which stays completed, and learns what was pushed',
  async () => {
    const gtins = codes(1);
    await sources.register(stack, []);
    await changeSources(stack.database.db, [{ name: 'upcitemdb', enabled: true }]);
    await sources.know(products(gtins));
    await saveSettings(stack.database.db, { upcLookup: false });
    const { id } = await importOf(gtins);
    await steps.reach(id, 'processed');
    await steps.push(id);
    await steps.reach(id, 'completed');
    await saveSettings(stack.database.db, { upcLookup: true });
    await resumeLookups(stack.database.db);
    await until('a picture', async () => (await imagesOf(id))[0] !== null);
    expect(await steps.read(id)).toMatchObject({ status: 'completed', found_since_push: 1 });
  },
);

it.runIf(isLong)(
  'an edit confirms a value for later imports, and a new code drops what the old one found',
  async () => {
    const [first = '', second = ''] = codes(2);
    await sources.know(products([first]));
    await sources.register(stack, ['upcitemdb']);
    const { id } = await importOf([first]);
    await steps.reach(id, 'processed');
    await until('a picture', async () => (await imagesOf(id))[0] !== null);
    await steps.edit(id, 1, { upc: second.slice(1) });
    expect(await imagesOf(id)).toEqual([null]);
    await steps.edit(id, 1, { image: 'https://pictures.example/own.png' });
    const again = await importOf([second]);
    await steps.reach(again.id, 'processed');
    expect(await imagesOf(again.id)).toEqual(['https://pictures.example/own.png']);
    const coverage = await readCoverage(stack.database.db, currentRows(await steps.read(id)));
    expect(coverage.find(({ field }) => field === 'image')).toMatchObject({
      products: 1,
      filled: 1,
      found: 0,
    });
    await applyAnswers(stack.database.db, [second]);
  },
);

it.runIf(isLong)(
  'the api shows sources, what was found, and what is proposed, and takes a proposal as an edit',
  async () => {
    const [known = '', other = ''] = codes(2);
    await sources.know([
      { gtin: known, title: 'Acme Blue Vase 1', brand: 'Acme' },
      { gtin: other, title: 'Garden Hose 50 ft', brand: 'Flexzilla' },
    ]);
    await sources.register(stack, []);
    expect((await api.call('GET', '/api/connections')).body).toMatchObject([
      {},
      {},
      {
        status: 'disconnected',
        details: { services: [{ active: false }, { active: false }, { active: false }] },
      },
    ]);
    const on = { sources: [{ name: 'open-products-facts', enabled: true, perDay: 50 }] };
    expect((await api.call('PATCH', '/api/sources', { body: on })).body).toMatchObject([
      { name: 'upcitemdb', enabled: false },
      { name: 'open-products-facts', enabled: true, quota: { day: 0, perDay: 50 }, blockedUntil: null },
      { name: 'barcode-lookup', enabled: false, keyMissing: true },
    ]);
    const keyless = { sources: [{ name: 'barcode-lookup', enabled: true }] };
    expect((await api.call('PATCH', '/api/sources', { body: keyless })).status).toBe(409);
    expect((await api.call('GET', '/api/connections')).body).toMatchObject([{}, {}, { status: 'connected' }]);

    const { id } = await importOf([known, other]);
    await steps.reach(id, 'processed');
    type Details = { proposals: number; enrichment: { coverage: unknown; waiting: unknown } };
    const details = async () => (await api.call('GET', `/api/jobs/${id}?rows=0`)).body as Details;
    await until('proposals', async () => (await details()).proposals === 3);
    expect((await details()).enrichment).toMatchObject({ waiting: [] });
    const { proposals } = await proposalsOf(id);
    expect(proposals.map(({ row, field, reason }) => [row, field, reason])).toEqual([
      [1, 'image', 'needs-credit'],
      [2, 'image', 'other-product'],
      [2, 'vendor', 'other-product'],
    ]);
  },
);

it.runIf(isLong)('proposes no picture that another source has given meanwhile', async () => {
  const [known = ''] = codes(1);
  await sources.know([{ gtin: known, title: 'Acme Blue Vase 1', brand: 'Acme' }]);
  await sources.register(stack, ['open-products-facts']);
  const { id } = await importOf([known]);
  await steps.reach(id, 'processed');
  const listed = async () =>
    (await proposalsOf(id)).proposals.map(({ field, reason }) => `${field} ${reason}`);
  await until('a proposal', async () => (await listed()).includes('image needs-credit'));
  await api.call('PATCH', '/api/sources', { body: { sources: [{ name: 'upcitemdb', enabled: true }] } });
  await api.call('POST', `/api/queue/${id}/reprocess-images`);
  await until('a picture', async () => (await imagesOf(id))[0] !== null);
  expect(await listed()).toEqual([]);
});

it.runIf(isLong)(
  'sends a taken picture with its credit, and leaves out one that the store would refuse',
  async () => {
    const [known = ''] = codes(1);
    await sources.know([{ gtin: known, title: 'Acme Green Jug', brand: 'Acme' }]);
    await sources.register(stack, ['open-products-facts']);
    const dead = `${sources.url}/dead.png`;
    const lines = [
      ['Acme Green Jug', '9.90', known.slice(1), ''],
      ['Red Bowl', '4.90', '', dead],
    ];
    const csv = csvOf([['Title', 'Price', 'UPC', 'Image'], ...lines]);
    const { id } = await storedImport(stack, { csv, set: { enable_upc: true } });
    await steps.reach(id, 'processed');
    await until('a proposal', async () => (await proposalsOf(id)).proposals.length > 0);
    const picture = (await proposalsOf(id)).proposals.find(({ field }) => field === 'image');
    const path = `/api/queue/${id}/proposals/${picture?.id}`;
    expect(await api.call('POST', path, { body: { action: 'take' } })).toMatchObject({ status: 200 });
    expect(await api.call('POST', path, { body: { action: 'take' } })).toMatchObject({ status: 404 });
    type Rows = { rows: { image: object; found: Record<string, object> }[] };
    const rows = async () => ((await api.call('GET', `/api/queue/${id}/rows`)).body as Rows).rows;
    await until(
      'the check',
      async () =>
        (await rows())[1]?.image !== undefined && JSON.stringify((await rows())[1]?.image).includes('failed'),
    );
    expect(await rows()).toMatchObject([
      {
        image: { state: 'ok' },
        found: {
          image: {
            source: 'Open Products Facts',
            attribution: 'Open Products Facts contributors, CC BY-SA 3.0',
          },
        },
      },
      { image: { state: 'failed', reason: 'There is no picture at this address (status 404).' } },
    ]);
    await steps.push(id);
    await steps.reach(id, 'completed');
    expect(await steps.outcomes(id)).toMatchObject([
      { outcome: 'created', message: null },
      {
        outcome: 'created',
        message: `1 picture was left out: ${dead} – There is no picture at this address (status 404).`,
      },
    ]);
    const [sent] = await steps.productsNamed('Acme Green Jug');
    expect(sent?.metafields.find(({ key }) => key === 'image_credit')?.value).toBe(
      'Open Products Facts contributors, CC BY-SA 3.0',
    );
  },
);

it.runIf(isLong)('Update Images fills what is known at once, in review only', async () => {
  const gtins = codes(2);
  await sources.know(products(gtins));
  await sources.register(stack, []);
  const { id } = await importOf(gtins);
  await steps.reach(id, 'processed');
  const update = (of = id) => api.call('POST', `/api/queue/${of}/reprocess-images`);
  expect(await update()).toMatchObject({
    ...{ status: 200, body: { success: true, updatedCount: 0, message: 'No new images were found.' } },
  });
  await api.call('PATCH', '/api/sources', { body: { sources: [{ name: 'upcitemdb', enabled: true }] } });
  await until('pictures', async () => (await imagesOf(id)).every((image) => image !== null));
  const off = await importOf(gtins, { enable_upc: false });
  await steps.reach(off.id, 'processed');
  expect(await imagesOf(off.id)).toEqual([null, null]);
  expect(await update(off.id)).toMatchObject({
    ...{ status: 200, body: { success: true, updatedCount: 2, message: '2 products have new images.' } },
  });
  expect(await imagesOf(off.id)).toEqual(gtins.map(pictureOf));
  await steps.push(id);
  await steps.reach(id, 'completed');
  expect((await update()).status).toBe(409);
  await until('learned', async () => {
    const { rows } = await stack.database.pool.query("select state from chunks where task = 'learn-values'");
    return rows.some(({ state }) => state === 'done');
  });
});

it.runIf(isLong).each([
  ['the setting', (on: boolean) => api.call('POST', '/api/settings', { body: { upcLookup: on } })],
  [
    'the source',
    (enabled: boolean) =>
      api.call('PATCH', '/api/sources', { body: { sources: [{ name: 'upcitemdb', enabled }] } }),
  ],
])(
  'a running import asks nobody 5 s after %s is switched off, and continues when it is on',
  async (_name, turn) => {
    const gtins = codes(300);
    const quota = { per_window: 10, window_ms: 300 };
    await sources.register(stack, ['upcitemdb'], quota);
    const { id } = await importOf(gtins);
    const calls = async () => (await sources.journal()).filter(({ gtin }) => gtins.includes(gtin));
    await until('calls', async () => (await calls()).length > 20);
    expect((await turn(false)).status).toBe(200);
    const offMs = Date.now();
    await until('the task has ended', async () => {
      const { rows } = await stack.database.pool.query(
        "select 1 from chunks where import_id = $1 and task = 'ask-upcitemdb' and state in ('pending','published')",
        [id],
      );
      return rows.length === 0;
    });
    const asked = await calls();
    expect(asked.length).toBeLessThan(gtins.length);
    // In calls, not in time: a busy machine makes them later.
    const windows = 5_000 / quota.window_ms + 1;
    expect(asked.filter(({ atMs }) => atMs > offMs).length).toBeLessThan(windows * quota.per_window);

    // Whoever edits or imports meanwhile asks nobody either.
    await steps.edit(id, 1, { title: 'Blue Vase with a Lid' });
    const other = await importOf(codes(1));
    await steps.reach(other.id, 'processed');
    expect(await calls()).toHaveLength(asked.length);
    expect((await turn(true)).status).toBe(200);
    await until('more calls', async () => (await calls()).length > asked.length + 20);
    await turn(false);
  },
);

it.runIf(isLong)('shows both values where an answer disagrees with the file, and replaces none', async () => {
  const [gtin = ''] = codes(1);
  const name = 'Hand Blown Crystal Flower Table Vase';
  const other = { title: `${name} Square`, brand: 'ACME', category: 'Table Lamps' };
  await sources.know([{ gtin, ...other }]);
  await sources.register(stack, ['upcitemdb']);
  const dead = `${sources.url}/dead.png`;
  const line = [`${name}  Round`, '9.90', gtin.slice(1), 'Acme', 'Vases', dead];
  const csv = csvOf([['Title', 'Price', 'UPC', 'Brand', 'Category', 'Image'], line]);
  const { id } = await storedImport(stack, { csv, set: { enable_upc: true } });
  await steps.reach(id, 'processed');
  const open = async () => (await proposalsOf(id)).proposals;
  await until('three proposals', async () => (await open()).length === 3);
  const listed = (await open()).map(({ field, before, value, reason }) => ({ field, before, value, reason }));
  expect(listed.sort((a, b) => (a.field < b.field ? -1 : 1))).toEqual([
    { field: 'image', before: dead, value: pictureOf(gtin), reason: 'bad-picture' },
    { field: 'title', before: `${name}  Round`, value: other.title, reason: 'differs' },
    { field: 'type', before: 'Vases', value: other.category, reason: 'differs' },
  ]);
  const [row] = await rowsOf(id);
  expect(row?.values).toMatchObject({ title: `${name}  Round`, vendor: 'Acme', type: 'Vases', image: dead });
  expect(row?.sources).toEqual({ description: 'found' });
});

it.runIf(isLong)(
  'takes a proposal only over the value that was shown, and reopens it when the edit is undone',
  async () => {
    const [gtin = '', other = ''] = codes(2);
    const name = 'Hand Blown Crystal Flower Table Vase';
    const answer = { title: `${name} Square`, brand: 'ACME', category: 'Table Lamps' };
    await sources.know([{ gtin, ...answer }]);
    await sources.register(stack, ['upcitemdb']);
    const line = [`${name} Round`, '9.90', gtin.slice(1), 'Acme', 'Vases'];
    const csv = csvOf([['Title', 'Price', 'UPC', 'Brand', 'Category'], line]);
    const { id } = await storedImport(stack, { csv, set: { enable_upc: true } });
    await steps.reach(id, 'processed');
    const list = () => proposalsOf(id);
    const open = async () => (await list()).proposals.map(({ field, before }) => [field, before]).sort();
    const counted = async () =>
      ((await api.call('GET', `/api/jobs/${id}?rows=0`)).body as { proposals: number }).proposals;
    await until('proposals', async () => (await open()).length === 2);
    const proposed = (await list()).proposals.find(({ field }) => field === 'type');
    const take = (shown: string | null) =>
      api.call('POST', `/api/queue/${id}/proposals/${proposed?.id}`, { body: { action: 'take', shown } });

    await steps.edit(id, 1, { type: 'Bowls' });
    expect(await take('Vases')).toMatchObject({ status: 409, body: { current: { type: 'Bowls' } } });
    expect((await rowsOf(id))[0]?.values.type).toBe('Bowls');
    const both = [
      ['title', `${name} Round`],
      ['type', 'Bowls'],
    ];
    expect(await open()).toEqual(both);
    const taken = await take('Bowls');
    expect(taken).toMatchObject({ status: 200, body: { message: 'Value accepted.' } });
    expect((await rowsOf(id))[0]?.values.type).toBe('Table Lamps');
    expect(await open()).toEqual(both.slice(0, 1));

    const undo = async (command: unknown) =>
      (await api.call('POST', `/api/queue/${id}/edits/${command}/undo`)).body;
    const undone = (await undo((taken.body as { command: string }).command)) as { command: string };
    expect(await open()).toEqual(both);
    await undo(undone.command);
    expect((await rowsOf(id))[0]?.values.type).toBe('Table Lamps');
    expect(await open()).toEqual(both.slice(0, 1));
    // The undo button of a cell removes its edits. What the operator had entered is forgotten, not proposed.
    const row = `/api/queue/${id}/rows/1`;
    expect((await api.call('PATCH', row, { body: { values: { type: null } } })).status).toBe(200);
    expect(await open()).toEqual([both[0], ['type', 'Vases']]);

    // Rows of another run are other records: their proposals are neither listed nor counted.
    const { rowCount } = await stack.database.pool.query(
      'update proposals set byte_from = byte_from + 1 where import_id = $1',
      [id],
    );
    expect(rowCount).toBe(2);
    const none = { proposals: [], total: 0, counts: [], groups: [], newest: null };
    expect([await list(), await counted()]).toEqual([none, 0]);
    await stack.database.pool.query('update proposals set byte_from = byte_from - 1 where import_id = $1', [
      id,
    ]);
    expect(await counted()).toBe(2);
    await steps.edit(id, 1, { upc: other });
    expect(await open()).toEqual([]);
  },
);

it.runIf(isLong)(
  'knows the products of the connected store, asks nobody about them, and learns from a sync',
  async () => {
    const [gtin = '', later = ''] = codes(2);
    await sources.register(stack, []);
    const inStore = (id: string, barcode: string) => ({
      ...{ id, ourId: null, title: 'Acme Blue Vase 1', vendor: 'Acme', type: 'Vases', status: 'ACTIVE' },
      ...{ handle: id, skus: [], gtins: [barcode], price: '9.90', quantity: null },
      ...{ image: `https://cdn.example/${id}.png`, updatedAt: new Date().toISOString() },
    });
    const { db } = stack.database;
    await copyProducts(db, 'other.myshopify.com', [inStore('1', gtin)]);
    await upsertShop(db, { shop: 'mine.myshopify.com', url: 'https://mine.myshopify.com', currency: null });
    await recordConfiguredStore(db, { url: 'https://mine.myshopify.com', isReal: false });
    const before = await importOf([gtin]);
    await steps.reach(before.id, 'processed');
    expect(await imagesOf(before.id)).toEqual([null]);

    await copyProducts(db, 'mine.myshopify.com', [inStore('2', gtin)]);
    const { id } = await importOf([gtin, later]);
    await steps.reach(id, 'processed');
    expect((await rowsOf(id))[0]?.values).toMatchObject({
      ...{ image: 'https://cdn.example/2.png', vendor: 'Acme', type: 'Vases' },
    });
    const details = (await api.call('GET', `/api/queue/${id}/rows`)).body as {
      rows: { found: Record<string, { source: string }> }[];
    };
    expect(details.rows[0]?.found.image).toMatchObject({ source: 'your store' });

    await copyProducts(db, 'mine.myshopify.com', [
      { ...inStore('3', later), title: 'Blue Vase 2', vendor: 'Mine' },
    ]);
    await db.transaction().execute(enqueueStoreLookups);
    await until('a picture', async () => (await imagesOf(id))[1] !== null);
    // Shopify names a product without a vendor after the shop: that is no brand.
    expect((await rowsOf(id))[1]?.values.vendor).toBeUndefined();
    expect((await sources.journal()).filter((call) => [gtin, later].includes(call.gtin))).toEqual([]);
    await stack.database.pool.query('truncate store_products, shops, outside_access');
  },
);

it.runIf(isLong)('the type of a look-up holds over that of a rule, whichever came first', async () => {
  const { db } = stack.database;
  const [first = '', second = '', third = ''] = codes(3);
  const known = { title: 'Acme Blue Vase 1', brand: 'Acme', category: 'Vases' };
  await sources.know([first, second].map((gtin) => ({ gtin, ...known })));
  const pottery: CategoryRule = {
    ...{ id: '00000000-0000-4000-8000-000000000001', name: 'Pottery', enabled: true, only: 'if empty' },
    if: { all: [{ field: 'title', is: 'has word', value: 'vase' }] },
    set: { type: 'Pottery' },
  };
  const save = async (rules: CategoryRule[]) => {
    const { version } = (await api.call('GET', '/api/rules')).body as { version: string };
    expect((await api.call('PUT', '/api/rules', { body: { rules, version } })).status).toBe(200);
  };
  const fillEmpty = (rulesFillEmpty: boolean) =>
    api.call('POST', '/api/preferences', { body: { rulesFillEmpty } });
  const lookUp = (id: string) => api.call('POST', `/api/queue/${id}/reprocess-images`);
  const typeOf = async (id: string) => (await rowsOf(id))[0]?.values.type;
  const applied = (id: string) =>
    until('the rules are applied', async () => !(await hasOpenTask(db, id, 'apply-rules')));
  const ready = async (gtin: string) => {
    const { id } = await importOf([gtin]);
    await steps.reach(id, 'processed', 'queued');
    await applied(id);
    return id;
  };
  await fillEmpty(true);

  // The rule comes first.
  await save([pottery]);
  const ruled = await ready(first);
  expect(await typeOf(ruled)).toBe('Pottery');
  await sources.register(stack, ['upcitemdb']);
  expect((await lookUp(ruled)).status).toBe(200);
  await until('the type of the look-up', async () => (await typeOf(ruled)) === 'Vases');

  // The look-up comes first.
  await save([]);
  const lookedUp = await ready(second);
  await until('the type of the look-up', async () => (await typeOf(lookedUp)) === 'Vases');
  await save([pottery]);
  await applied(lookedUp);
  await applied(ruled);
  expect([await typeOf(lookedUp), await typeOf(ruled)]).toEqual(['Vases', 'Vases']);

  // Without the rule a product lacks a type, so the source that is on by now is asked.
  await changeSources(db, [{ name: 'upcitemdb', enabled: false }]);
  const unknown = await ready(third);
  await lookUp(unknown);
  expect(await typeOf(unknown)).toBe('Pottery');
  await changeSources(db, [{ name: 'upcitemdb', enabled: true }]);
  await save([]);
  await until('the source is asked', async () =>
    (await sources.journal()).some(({ gtin }) => gtin === third),
  );
  expect(await typeOf(unknown)).toBeUndefined();
  await fillEmpty(false);
});

it.runIf(isLong).each(['SIGTERM', 'SIGKILL'] as const)(
  'what a worker was asking when it got %s is asked again once, and both calls count',
  async (signal) => {
    const gtins = codes(3);
    await sources.know(products(gtins));
    await sources.register(stack, ['upcitemdb']);
    const { pool } = stack.database;
    await pool.query('update sources set retry_ms = 1');
    await sources.behave('upcitemdb', { delayMs: 60_000 });
    const { id } = await importOf(gtins);
    const calls = async () => (await sources.journal()).filter(({ gtin }) => gtins.includes(gtin));
    await until('calls', async () => (await calls()).length === gtins.length);
    const worker = stack.process('enrich-worker');
    worker.kill(signal);
    expect(await worker.ended).toBe(signal === 'SIGTERM' ? '0' : signal);
    const { rows: left } = await pool.query('select state, attempts from lookups where gtin = any($1)', [
      gtins,
    ]);
    // A worker that was asked to stop did not wait for the source's time-out, which would be an attempt.
    const state = signal === 'SIGTERM' ? 'wanted' : 'asking';
    expect(left).toEqual(gtins.map(() => ({ state, attempts: 0 })));

    await sources.behave('upcitemdb', {});
    // The time that a call may take, and the one after which a killed worker loses its task.
    await pool.query("update lookups set asked_at = asked_at - interval '1 minute' where state = 'asking'");
    await pool.query("update chunks set not_before = now() where task = 'ask-upcitemdb'");
    await stack.start('enrich-worker');
    const other = await stack.startAnother('enrich-worker');
    await until('pictures', async () => (await imagesOf(id)).every((image) => image !== null));
    expect((await calls()).map(({ gtin }) => gtin).sort()).toEqual([...gtins, ...gtins].sort());
    const { rows: counted } = await pool.query(
      'select gtin, count(*)::int as calls from source_calls where gtin = any($1) group by gtin order by gtin',
      [gtins],
    );
    expect(counted).toEqual(gtins.map((gtin) => ({ gtin, calls: 2 })));
    await other.stop();
  },
);
