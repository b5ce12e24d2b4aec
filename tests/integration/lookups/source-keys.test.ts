import { randomBytes } from 'node:crypto';
import { readCredential, resealCredentials } from '@draftshelf/core/access/credentials';
import { deriveAllSealingKeys } from '@draftshelf/core/access/sealing';
import { readCoverage } from '@draftshelf/core/enrich/coverage';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { applyCurrentProducts } from '@draftshelf/core/scanner/store-values';
import { currentRows } from '@draftshelf/core/work/runs';
import { createSourceSets } from '@draftshelf/sources/sources-env';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applySources } from '../../../apps/api/src/access/configured-sources.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { emptyTables } from '../../support/empty-tables.ts';
import { csvOf, storedImport, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { gtinOf, readSourcesEnv, startSources, type TestSources } from '../../support/sources.ts';
import { type Stack, startStack } from '../../support/stack.ts';

const keyText = randomBytes(32).toString('hex');
const sealingKeys = deriveAllSealingKeys({ CREDENTIALS_KEY: keyText });
const [first, second, other] = ['canary-key-one', 'canary-key-two', 'canary-key-refused'];

let real: TestSources;
let demo: TestSources;
let stack: Stack;
let api: TestApi;
const steps = pushSteps(() => stack);
const env = () => ({ ...real.env, DEMO_SOURCES_URL: demo.url });
beforeAll(async () => {
  [real, demo] = [await startSources(), await startSources()];
  if (!sealingKeys) throw new Error('no key');
  stack = await startStack({
    names: ['parse-worker', 'enrich-worker'],
    env: env(),
    credentialsKey: keyText,
  });
  api = await startApi(stack, { sealingKeys, sourcesEnv: env() });
});
afterAll(async () => {
  await api?.close();
  await stack?.close();
  await Promise.all([real?.close(), demo?.close()]);
});

const start = (storeUrl: string | null, sourcesOn: readonly string[] = []) =>
  stack.database.db
    .transaction()
    .execute((trx) =>
      applySources(
        trx,
        { sources: createSourceSets(readSourcesEnv(env())), sourcesOn },
        { storeUrl, isStart: true },
      ),
    );
const realStore = 'https://my-store.myshopify.com';
beforeEach(async () => {
  for (const source of ['upcitemdb', 'barcode-lookup'] as const)
    await real.behave(source, { keys: [first, second] });
});
afterEach(() =>
  emptyTables(stack.database, 'imports, lookups, sources, source_calls, images, settings, credentials'),
);

let next = 810_000_000_000;
const codes = (count: number) => {
  next += count;
  return Array.from({ length: count }, (_, at) => gtinOf(next + at - count));
};
const products = (gtins: readonly string[]) =>
  gtins.map((gtin, at) => ({ gtin, title: `Acme Blue Vase ${at + 1}`, brand: 'Acme' }));
async function importOf(gtins: readonly string[]) {
  const lines = gtins.map((gtin, at) => [`Blue Vase ${at + 1}`, '9.90', gtin.slice(1)]);
  const csv = csvOf([['Title', 'Price', 'UPC'], ...lines]);
  const { id } = await storedImport(stack, { csv, set: { enable_upc: true } });
  await until('in review', async () => (await steps.read(id)).status === 'processed');
  return id;
}
const rowsOf = async (id: string) =>
  readRowPage(stack.database.db, currentRows(await steps.read(id)), { after: 0, limit: 100 });
const imagesOf = async (id: string) => (await rowsOf(id)).map(({ values }) => values.image ?? null);
const keysOf = async (gtins: readonly string[]) =>
  (await real.journal()).filter(({ gtin }) => gtins.includes(gtin)).map(({ key }) => key);

type State = { name: string; enabled: boolean; simulated: boolean; keyMissing: boolean; key: object | null };
const stateOf = async (name: string) =>
  ((await api.call('GET', '/api/sources')).body as State[]).find((state) => state.name === name);
const save = (name: string, key: string) => api.call('PUT', `/api/sources/${name}/key`, { body: { key } });
const turnOn = (name: string) =>
  api.call('PATCH', '/api/sources', { body: { sources: [{ name, enabled: true, perWindow: 5 }] } });

describe('the key of a source', () => {
  it('is tested, sealed, used by a running worker, replaced, never sent back, and removed', async () => {
    await start(realStore);
    expect(await stateOf('barcode-lookup')).toMatchObject({ keyMissing: true, key: { source: 'none' } });
    expect((await turnOn('barcode-lookup')).status).toBe(409);
    const saved = await save('barcode-lookup', first);
    expect(saved).toMatchObject({
      ...{ status: 200, body: { success: true, message: 'Barcode Lookup accepts the key.' } },
    });
    const { rows } = await stack.database.pool.query('select * from credentials');
    expect(rows).toMatchObject([{ service: 'barcode-lookup', origin: 'operator', shop: null }]);
    expect(rows[0].sealed.includes(first)).toBe(false);
    const state = await stateOf('barcode-lookup');
    expect(state).toMatchObject({ keyMissing: false, key: { source: 'saved', lockedBecause: null } });
    expect(JSON.stringify([saved.body, state])).not.toContain(first);

    await turnOn('barcode-lookup');
    const gtins = codes(2);
    await real.know(products(gtins));
    const id = await importOf(gtins);
    await until('pictures', async () => (await imagesOf(id)).every((image) => image !== null));
    expect(await keysOf(gtins)).toEqual([first, first]);

    await save('barcode-lookup', second);
    const later = codes(1);
    await importOf(later);
    await until('a call', async () => (await keysOf(later)).length === 1);
    expect(await keysOf(later)).toEqual([second]);

    expect(await api.call('DELETE', '/api/sources/barcode-lookup/key')).toMatchObject({
      ...{ status: 200, body: { message: 'Key of Barcode Lookup removed. It’s turned off.' } },
    });
    expect(await stateOf('barcode-lookup')).toMatchObject({ enabled: false, keyMissing: true });
    expect((await stack.database.pool.query('select 1 from credentials')).rows).toEqual([]);
    expect((await api.call('DELETE', '/api/sources/barcode-lookup/key')).status).toBe(404);
  });

  it.runIf(isLong)('is followed within 5 s by an import that is being looked up', async () => {
    await start(realStore, ['upcitemdb']);
    const gtins = codes(400);
    const quota = { perWindow: 10, windowMs: 300 };
    await stack.database.pool.query('update sources set per_window = $1, window_ms = $2', [
      quota.perWindow,
      quota.windowMs,
    ]);
    const id = await importOf(gtins);
    await until('free calls', async () => (await keysOf(gtins)).length > 20);
    expect(new Set(await keysOf(gtins))).toEqual(new Set([null]));
    expect((await save('upcitemdb', first)).body).toMatchObject({ success: true });
    const savedMs = Date.now();
    await until('paid calls', async () => (await keysOf(gtins)).includes(first));
    await until('more calls', async () => (await keysOf(gtins)).filter((key) => key === first).length > 20);
    const calls = (await real.journal()).filter(({ gtin }) => gtins.includes(gtin));
    // Workers read keys every 5 s. In calls, not in time: a busy machine makes them later.
    const windows = 5_000 / quota.windowMs + 1;
    const stillFree = calls.filter(({ key, atMs }) => key === null && atMs > savedMs);
    expect(stillFree.length).toBeLessThan(windows * quota.perWindow);
    expect(await stateOf('upcitemdb')).toMatchObject({ enabled: true, key: { source: 'saved' } });

    expect(await api.call('DELETE', '/api/sources/upcitemdb/key')).toMatchObject({ status: 200 });
    await until('free calls again', async () => (await keysOf(gtins)).at(-1) === null);
    expect(await stateOf('upcitemdb')).toMatchObject({ enabled: true, keyMissing: false });
    await stack.database.pool.query('update imports set enable_upc = false where id = $1', [id]);
  });

  it('that is refused, or that cannot be tested, is not saved', async () => {
    await start(realStore);
    for (const name of ['upcitemdb', 'barcode-lookup'] as const) {
      const { status, body } = await save(name, other);
      expect({ status, body }).toMatchObject({
        ...{ status: 200, body: { success: false, message: expect.stringContaining('refuses the key.') } },
      });
    }
    expect((await save('upcitemdb', 'two words')).status).toBe(400);
    expect((await save('open-products-facts', first)).status).toBe(404);
    const nowhere = await startApi(stack, {
      ...(sealingKeys ? { sealingKeys } : {}),
      sourcesEnv: { ...env(), UPCITEMDB_URL: 'http://127.0.0.1:9' },
    });
    expect(await nowhere.call('PUT', '/api/sources/upcitemdb/key', { body: { key: first } })).toMatchObject({
      body: { success: false, message: 'UPCitemdb couldn’t test the key.', cause: 'It can’t be reached.' },
    });
    await nowhere.close();
    expect((await stack.database.pool.query('select 1 from credentials')).rows).toEqual([]);
  });

  it('asks again where there was no answer, counts the call of its test, and is tested once', async () => {
    await start(realStore);
    const calls = async () => (await real.journal()).filter(({ key }) => key === second).length;
    const before = await calls();
    await stack.database.pool.query(
      "insert into lookups (gtin, source, state, attempts, expires_at) values ('0', 'upcitemdb', 'failed', 5, now())",
    );
    await save('upcitemdb', second);
    const { rows: lookups } = await stack.database.pool.query('select state, attempts from lookups');
    expect(lookups).toEqual([{ state: 'wanted', attempts: 0 }]);
    expect(await calls()).toBe(before + 1);
    const { rows } = await stack.database.pool.query("select 1 from source_calls where source = 'upcitemdb'");
    expect(rows).toHaveLength(1);
    expect((await save('upcitemdb', second)).body).toMatchObject({
      ...{ success: true, message: 'This key of UPCitemdb is already saved.' },
    });
    expect(await calls()).toBe(before + 1);
  });

  it('of the environment wins, and cannot be changed here', async () => {
    await start(realStore);
    await save('barcode-lookup', first);
    const server = await startApi(stack, {
      ...(sealingKeys ? { sealingKeys } : {}),
      sourcesEnv: { ...env(), BARCODE_LOOKUP_KEY: 'from-the-server' },
    });
    const states = (await server.call('GET', '/api/sources')).body as State[];
    expect(states.find(({ name }) => name === 'barcode-lookup')?.key).toMatchObject({
      source: 'server',
      lockedBecause: 'The server’s environment sets this key. Change BARCODE_LOOKUP_KEY there.',
    });
    const path = '/api/sources/barcode-lookup/key';
    expect((await server.call('PUT', path, { body: { key: second } })).status).toBe(409);
    expect((await server.call('DELETE', path)).status).toBe(409);
    await server.close();
  });

  it('is sealed with the new key, like the others, when the sealing key is replaced', async () => {
    await start(realStore);
    await save('upcitemdb', first);
    await save('barcode-lookup', second);
    const CREDENTIALS_KEY = randomBytes(32).toString('hex');
    const rotated = deriveAllSealingKeys({ CREDENTIALS_KEY, CREDENTIALS_KEY_OLD: keyText });
    await resealCredentials(stack.database.db, rotated);
    const withoutOld = deriveAllSealingKeys({ CREDENTIALS_KEY });
    const read = async (service: string) =>
      (await readCredential(stack.database.db, withoutOld, service))?.value;
    expect(await read('upcitemdb')).toEqual({ key: first });
    expect(await read('barcode-lookup')).toEqual({ key: second });
  });
});

describe('simulated sources', () => {
  /** An import with values from the simulated sources. */
  async function demoImport() {
    await start('http://127.0.0.1:4000');
    expect(await stateOf('upcitemdb')).toMatchObject({ enabled: true, simulated: true });
    const gtins = codes(2);
    await demo.know(products(gtins));
    const id = await importOf(gtins);
    await until('pictures', async () => (await imagesOf(id)).every((image) => image !== null));
    return { id, gtins };
  }
  const forgotten = (id: string) =>
    until('the values are gone', async () => {
      const coverage = await readCoverage(stack.database.db, currentRows(await steps.read(id)));
      const { rows } = await stack.database.pool.query(
        "select 1 from chunks where task = 'look-up-anew' and state <> 'done'",
      );
      return coverage.length > 0 && coverage.every(({ found }) => found === 0) && rows.length === 0;
    });

  it('are replaced when a real store is set, and what they have found is removed', async () => {
    const { id, gtins } = await demoImport();
    await start(realStore);
    // Nothing of it is pushed, also before a task has reached the rows.
    const { db } = stack.database;
    const { rows: sent } = await applyCurrentProducts(
      db,
      currentRows(await steps.read(id)),
      await rowsOf(id),
    );
    expect(sent.map(({ values }) => [values.image, values.vendor])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    await forgotten(id);
    expect(await imagesOf(id)).toEqual([null, null]);
    const { rows } = await stack.database.pool.query('select image, vendor from rows where import_id = $1', [
      id,
    ]);
    expect(rows).toEqual([
      { image: null, vendor: null },
      { image: null, vendor: null },
    ]);
    for (const name of ['upcitemdb', 'open-products-facts', 'barcode-lookup'])
      expect(await stateOf(name)).toMatchObject({ simulated: false, enabled: false });

    const asked = (await demo.journal()).length;
    const again = await importOf(gtins);
    expect(await imagesOf(again)).toEqual([null, null]);
    await real.know(products(gtins));
    await turnOn('upcitemdb');
    await until('pictures', async () => (await imagesOf(id)).every((image) => image !== null));
    expect((await imagesOf(id))[0]).toBe(`${real.url}/pictures/${gtins[0]}.png`);
    expect((await demo.journal()).length).toBe(asked);
  });

  it('are replaced when a key is entered, also while the demo store is connected', async () => {
    const { id } = await demoImport();
    expect((await save('upcitemdb', first)).body).toMatchObject({ success: true });
    expect(await stateOf('upcitemdb')).toMatchObject({ simulated: false, enabled: false });
    await forgotten(id);
    expect(await imagesOf(id)).toEqual([null, null]);
    // Without a key they come back at the next start, not before.
    await api.call('DELETE', '/api/sources/upcitemdb/key');
    expect(await stateOf('upcitemdb')).toMatchObject({ simulated: false });
    await start('http://127.0.0.1:4000');
    expect(await stateOf('upcitemdb')).toMatchObject({ simulated: true, enabled: true });
  });
});
