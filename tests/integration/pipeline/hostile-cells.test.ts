import type { Job } from '@draftshelf/contract/imports/imports';
import type { RowPage } from '@draftshelf/contract/review/rows';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { csvForm } from '../../support/api-client.ts';
import { addressesOf, anyInputs, contractRoutes, type Input } from '../../support/contract-walk.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { hostileFiles, hostileTexts } from '../../support/hostile-cells.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { type Stack, startStack, storeToken } from '../../support/stack.ts';

let sources: TestSources;
let stack: Stack;
let api: TestApi;
const { push, reach, read } = pushSteps(() => stack);
beforeAll(async () => {
  sources = await startSources();
  stack = await startStack({ env: sources.env });
  api = await startApi(stack, { storeUrl: stack.store.url, storeToken, sourcesEnv: sources.env });
});
afterAll(async () => {
  await api?.close();
  await stack?.close();
  await sources?.close();
});

async function upload(filename: string, rows: readonly (readonly string[])[]): Promise<string> {
  const { status, body } = await api.upload(csvForm(csvOf(rows), { filename }));
  expect([status, status === 200 ? null : body]).toEqual([200, null]);
  const { id } = body as { id: string };
  await reach(id, 'processed', 'queued');
  return id;
}

const ok = async (path: string) => {
  const { status, body } = await api.call('GET', path);
  expect([path, status, status === 200 ? null : body]).toEqual([path, 200, null]);
  return body;
};

const header = ['Title', 'Price', 'SKU', 'UPC', 'Image'];

test('a NUL in a cell and an emoji where a shape ends leave the queue, the history and the import readable', async () => {
  const nul = Array.from({ length: 10 }, (_, at) => [`Vase ${at}`, '5', `N-${at}\0`, '', '']);
  const sentence = `${'x'.repeat(39)}🏺 of clay`;
  const emoji = Array.from({ length: 60 }, (_, at) => [sentence, '5', `E-${at}`, '', '']);
  const ids = [await upload('nul.csv', [header, ...nul]), await upload('emoji.csv', [header, ...emoji])];
  const listed = (await ok('/api/queue')) as Job[];
  expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const id of ids) {
    await ok(`/api/queue/${id}`);
    await ok(`/api/jobs/${id}`);
    expect((await api.call('POST', `/api/queue/${id}/cancel`)).status).toBe(200);
  }
  expect(await ok('/api/history')).toHaveLength(2);
});

test('an import whose stored reading is damaged says so in every list, and the others are served', async () => {
  const { pool } = stack.database;
  const ids = [];
  for (const name of ['mapping', 'dialect', 'healthy', 'ended', 'ended-healthy'])
    ids.push(await upload(`${name}.csv`, [header, [`Cup ${name}`, '5', `C-${name}`, '', '']]));
  const [mapping, dialect, healthy, ended = '', endedHealthy = ''] = ids;
  for (const id of [ended, endedHealthy]) await api.call('POST', `/api/queue/${id}/cancel`);
  const damage = (set: string, id = '') =>
    pool.query(`update runs set ${set} where import_id = $1 and stage = 'parse'`, [id]);
  await damage(`mapping = '{}'`, mapping);
  await damage(`dialect = '"?"'`, dialect);
  await damage(`mapping = '[null]'`, ended);
  await pool.query(`update imports set version = nextval('import_version')`);
  const stateOf = ({ id, isUnreadable, errorMessage }: Job) => [id, isUnreadable, errorMessage];
  const sentence = expect.stringMatching(/^This import can’t be shown/);
  const shown = async (path: string) => ((await ok(path)) as Job[]).map(stateOf);
  const listed = await shown('/api/queue');
  for (const id of [mapping, dialect, ended]) expect(listed).toContainEqual([id, true, sentence]);
  for (const id of [healthy, endedHealthy]) expect(listed).toContainEqual([id, false, null]);
  const history = await shown('/api/history?status=cancelled');
  expect(history).toContainEqual([ended, true, sentence]);
  expect(history).toContainEqual([endedHealthy, false, null]);
  expect(stateOf((await ok(`/api/jobs/${mapping}`)) as Job)).toEqual([mapping, true, sentence]);
  expect((await api.call('POST', `/api/queue/${mapping}/cancel`)).status).toBe(200);
});

/** The long form sends all of them. */
const texts = Object.values(hostileTexts).filter((_, at) => isLong || at % 14 === 0);
const form = (filename: string, csv: string | Uint8Array<ArrayBuffer>) =>
  csvForm(csv, { filename, before: { enableUPC: 'true' } });
const posted = texts.map((text) => ({
  ...{ title: text, body_html: text, tags: text, vendor: text },
  variants: [{ price: '5', sku: `P-${text}` }],
}));

/** What the calls send that need more than texts in every field; the others come after these. */
const inputs: Record<string, (id: string) => Input[]> = {
  'POST /api/auth/login': () => texts.slice(0, 5).map((accessKey) => ({ body: { accessKey } })),
  'GET /api/queue/:id/rows': (id) => texts.map((q) => ({ params: { id }, query: { q } })),
  'GET /api/history': () => texts.map((date) => ({ query: { date, status: 'all' } })),
  'GET /api/queue/:id/products/:product': (id) => [1, 2].map((product) => ({ params: { id, product } })),
  'PATCH /api/queue/:id/rows/:row': (id) =>
    texts.map((text, at) => ({
      params: { id, row: at + 1 },
      body: { values: { title: `edited ${text}`, description: text } },
    })),
  'POST /api/queue/:id/reread-preview': (id) => [
    { params: { id }, body: { dialect: { headerRecord: 0 } } },
    ...texts.map((text) => ({ params: { id }, body: { mapping: { [text]: 'vendor' } } })),
  ],
  // The first is a column of the file whose headers are the texts.
  'PUT /api/queue/:id/mapping': (id) =>
    texts.toReversed().map((text) => ({ params: { id }, body: { [text]: 'vendor' } })),
  'POST /api/queue/:id/dialect': (id) => [{ params: { id }, body: { quote: '"' } }],
  'POST /api/mappings/recall': () => [{ body: { headers: texts } }],
  'POST /api/shopify/dry-run': () => posted.map((product) => ({ body: { product } })),
  'POST /api/shopify/create-product': () => posted.map((product) => ({ body: { product } })),
  'POST /api/fast-upload': () => texts.map((text) => ({ body: { csvContent: `Title,Price\n${text},1\n` } })),
  'POST /api/upload': () =>
    texts.slice(0, 5).map((text) => ({ form: () => form(`${text}.csv`, `Title\n${text}\n`) })),
  'POST /api/shopify/products/batch': () => [{ body: { jobIds: texts } }],
  'GET /api/scanner/products': () => texts.map((q) => ({ query: { q: q.slice(0, 200) } })),
  'POST /api/scanner/products': () =>
    texts.map((text) => ({ body: { name: text, description: text, price: '5', sku: text, upc: text } })),
};
/** The texts for calls about which nothing is known: all in the long form, else another one for each call. */
const textsFor = (nth: number) => (isLong ? texts : texts.filter((_, at) => at === nth % texts.length));

/** Calls about columns. */
const columnCalls = ['PUT /api/queue/:id/mapping', 'POST /api/queue/:id/reread-preview'];
/** They would end what the others need; `push` comes by itself. */
const lastCalls = ['/cancel', '/push', '/logout', '/pause', '/resume', '/retry'];
const isLast = (name: string) =>
  name === 'DELETE /api/queue/:id' || lastCalls.some((end) => name.endsWith(end));

test('a damaged row says so; the rows beside it are shown, pushed and downloaded', async () => {
  const rows = [1, 2, 3].map((at) => [`Dish ${at}`, '5', `D-${at}`, '', '']);
  const id = await upload('dishes.csv', [header, ...rows]);
  const { pool } = stack.database;
  for (const cells of ['null', '{"a":1}', '[1]']) {
    await pool.query(`update rows set cells = $2 where import_id = $1 and row = 2`, [id, cells]);
    const { rows: shown } = (await ok(`/api/queue/${id}/rows`)) as RowPage;
    expect(shown.map(({ values }) => values.title)).toEqual(['Dish 1', undefined, 'Dish 3']);
    expect(shown[1]?.issues[0]?.message).toMatch(/^This row can’t be shown/);
    await ok(`/api/queue/${id}/products/2`);
    await ok(`/api/jobs/${id}`);
  }
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ created: 2, skipped: 1 });
  expect(await ok(`/api/queue/${id}/failed-rows.csv`)).toContain('stored data is damaged');
  await ok(`/api/queue/${id}/report`);
  await ok(`/api/queue/${id}/ledger.csv`);
});

/** The files of the short form. */
const shortFiles = ['each.csv', 'headers.csv', 'halves-16.csv', 'urns.csv'];

/** Thousands of calls: about 25 s on a quiet machine, several times that on a busy one. */
const walkMsMax = 300_000;

test(
  'hostile cells go through every call, an edit, look-ups, a push and the downloads; others do not notice',
  async () => {
    await sources.register(stack, ['upcitemdb', 'open-products-facts']);
    const gtins = texts.map((_text, at) => gtinOf(700_000_000_000 + at));
    await sources.know(
      gtins.map((gtin, at) => ({ gtin, title: `Urn ${at} ${texts[at]}`, brand: texts[at] ?? '' })),
    );
    const urns = gtins.map((gtin, at) => [`Urn ${at}`, '5', `U-${at}`, gtin.slice(1), '']);
    const urnFile = { name: 'urns.csv', bytes: Buffer.from(csvOf([header, ...urns])) };
    const files = [...hostileFiles(), urnFile].filter(({ name }) => isLong || shortFiles.includes(name));
    const ids = new Map<string, string>();
    for (const { name, bytes } of files) {
      const { status, body } = await api.upload(form(name, new Uint8Array(bytes)));
      expect([name, status, status === 200 ? null : body]).toEqual([name, 200, null]);
      ids.set(name, (body as { id: string }).id);
    }
    const settle = async () => {
      for (const id of ids.values()) await reach(id, 'processed', 'queued', 'completed', 'failed');
    };
    await settle();

    const routes = await contractRoutes();
    const wrong: string[] = [];
    const send = async (method: string, path: string, { body, form: make }: Input) => {
      const { status } = make ? await api.upload(make()) : await api.call(method, path, { body });
      if (status >= 500) wrong.push(`${method} ${path} ${JSON.stringify(body)?.slice(0, 100)}: ${status}`);
      if (status === 401 && path !== '/api/auth/login') await api.login();
    };
    const walk = async (names: typeof routes, isWholeOf: (file: string, name: string) => boolean) => {
      for (const [nth, [name, route]] of names.entries()) {
        const isOfImport = route.path.includes(':id');
        for (const [file, id] of isOfImport ? ids : [['', ''] as const]) {
          const all = inputs[name]?.(id) ?? anyInputs(route, id, textsFor(nth));
          const isWhole = !isOfImport || isWholeOf(file, name);
          for (const [at, input] of (isWhole ? all : all.slice(0, 1)).entries()) {
            // One input is enough for the aliases.
            const [address = '', ...aliases] = addressesOf(route, input);
            for (const one of at === 0 ? [address, ...aliases] : [address])
              await send(route.method, one, input);
          }
        }
      }
    };
    const reads = routes.filter(([, { method }]) => method === 'GET');
    const changes = routes.filter(([name, { method }]) => method !== 'GET' && !isLast(name));
    // All texts go through the calls of the file that has them all in cells, and those about columns through the one
    // that has them in its headers; any other file needs a call once.
    await walk(reads, (file) => file === 'each.csv');
    await walk(
      changes,
      (file, name) => file === 'each.csv' || (file === 'headers.csv' && columnCalls.includes(name)),
    );
    expect(wrong).toEqual([]);
    await api.login();
    await settle();

    const neighbours = await upload('neighbours.csv', [
      header,
      ...Array.from({ length: 20 }, (_, at) => [`Jar ${at}`, '5', `J-${at}`, '', '']),
    ]);
    const pushed = [...ids.values(), neighbours];
    for (const id of pushed) await push(id);
    const isUploading = async (id: string) => (await read(id)).status === 'uploading';
    await until(
      'the pushes have ended',
      async () => !(await Promise.all(pushed.map(isUploading))).includes(true),
    );
    expect(await reach(neighbours, 'completed', 'failed')).toMatchObject({ created: 20 });
    for (const [name, id] of ids) {
      const ended = await reach(id, 'completed', 'failed');
      const { created, updated, unchanged, skipped, failed, total_products } = ended;
      const decided = created + updated + unchanged + skipped + failed;
      expect([name, ended.status, ended.error_message, decided]).toEqual([
        name,
        'completed',
        null,
        total_products,
      ]);
      const lines = async (path: string) => {
        const csvContent = (await ok(`/api/queue/${id}/${path}`)) as string;
        const { status, body } = await api.call('POST', '/api/fast-upload', { body: { csvContent } });
        expect([path, status]).toEqual([path, 200]);
        return (body as { processed: number }).processed;
      };
      expect([name, await lines('ledger.csv')]).toEqual([name, total_products]);
      if (skipped + failed > 0)
        expect([name, await lines('failed-rows.csv')]).toEqual([name, skipped + failed]);
    }
    if (isLong) await walk(reads, () => false);
    expect(wrong).toEqual([]);
  },
  walkMsMax,
);
