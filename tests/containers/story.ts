import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import type { Stage } from '@draftshelf/domain/imports/stages';
import { bigCsv, differences, trueRow } from '../faults/truth.ts';
import { browserOf, csvForm } from '../support/api-client.ts';
import { until } from '../support/fixture.ts';
import type { StoredProduct } from '../support/stack.ts';
import type { Container, Project, Service } from './compose.ts';

/** The project, how to reach it, and where figures and problems are recorded. */
export type Scene = {
  project: Project;
  apiUrl: string;
  accessKey: string;
  databaseUrl: (address: string) => string;
  report: (text: string) => void;
  /** One sentence per problem. */
  wrong: string[];
};

/** The longest time without progress. */
const standstillMsMax = 180_000;
/** A crashed container is restarted at once, and checked every 10 s. */
const healthyMsMax = 60_000;

const seconds = (fromMs: number) => `${((performance.now() - fromMs) / 1000).toFixed(1)} s`;

/** Runs `work` with a connection to the project's Postgres. */
export async function withDatabase<T>(
  scene: Scene,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const connectionString = scene.databaseUrl(await scene.project.published('postgres', 5432));
  const database = openDatabase({ connectionString, applicationName: 'draftshelf-test' });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Uploads a file of `rows` rows through the api; returns the browser and the import's id. */
async function upload(scene: Scene, rows: number) {
  const browser = browserOf(scene.apiUrl);
  const login = await browser.login(scene.accessKey);
  if (login.status !== 200) throw new Error(`The login answered ${login.status}`);
  const began = performance.now();
  const answer = await browser.upload(csvForm(bigCsv(rows), { filename: `${rows}.csv` }));
  if (answer.status !== 200)
    throw new Error(`The upload answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  scene.report(`${rows} rows uploaded in ${seconds(began)}`);
  return { browser, id: (answer.body as { id: string }).id };
}

/** An import of `rows` rows, while two parse workers, the enrich worker and Redis crash. */
export async function importThroughCrashes(scene: Scene, rows: number): Promise<string> {
  const { project, report, wrong } = scene;
  return withDatabase(scene, async (database) => {
    const { id } = await upload(scene, rows);
    const began = performance.now();
    const first = await crashAtWork(scene, database, id, 'parse', rows * 0.1);
    await crashAtWork(scene, database, id, 'parse', rows * 0.4, first);
    await reach(database, id, 'all rows parsed', (now) => now.parsed_rows === rows);
    report(`${rows} rows parsed ${seconds(began)} after the upload`);
    await crashAtWork(scene, database, id, 'enrich', rows * 0.1);
    await reach(database, id, 'half of the rows enriched', (now) => now.enriched_rows >= rows / 2);
    const redis = (await project.containers()).find(({ service }) => service === 'redis');
    if (!redis) throw new Error('There is no container of Redis');
    await project.crash(redis);
    report(`${redis.name} crashed at ${(await read(database, id)).enriched_rows} rows enriched`);
    const done = await reach(database, id, 'processed', ({ status }) => status !== 'processing');
    report(`${rows} rows ${done.status} ${seconds(began)} after the upload`);
    wrong.push(...(await differences(database, id, rows)));
    return id;
  });
}

/** A push of `products` products, while a push worker crashes. */
export async function pushThroughCrash(scene: Scene, products: number): Promise<void> {
  const { project, report, wrong } = scene;
  await withDatabase(scene, async (database) => {
    const { id, browser } = await upload(scene, products);
    await reach(database, id, 'processed', ({ status }) => status === 'processed');
    const began = performance.now();
    const answer = await browser.call('POST', `/api/queue/${id}/push`);
    if (answer.status !== 200) throw new Error(`The push answered ${answer.status}`);
    await crashAtWork(scene, database, id, 'push', products * 0.1);
    const done = await reach(database, id, 'pushed', ({ status }) => status !== 'uploading');
    report(`${products} products pushed in ${seconds(began)}`);
    if (done.status !== 'completed' || done.created !== products) {
      wrong.push(
        `the push is ${done.status} with ${done.created} created, should be completed with ${products}`,
      );
    }
    const list = `fetch('http://127.0.0.1:4000/__products', { headers: { 'x-shopify-access-token': process.env.ACCESS_TOKEN } }).then((r) => r.text()).then((t) => process.stdout.write(t))`;
    wrong.push(...storeDifferences(JSON.parse(await project.evaluate('store-simulator', list)), products));
  });
}

function storeDifferences(stored: StoredProduct[], products: number): string[] {
  const lineOf = (title: string, price: string, sku: string, barcode: string) =>
    JSON.stringify([title, Number(price), sku, barcode]);
  const is = stored.map(({ title, variants: [variant] }) =>
    lineOf(title, variant?.price ?? '', variant?.sku ?? '', variant?.barcode ?? ''),
  );
  const should = Array.from({ length: products }, (_, index) => {
    const { title, price, sku, cells } = trueRow(index + 1);
    return lineOf(title, price, sku, cells[3] ?? '');
  });
  const missing = should.filter((line) => !is.includes(line));
  const wrong = missing.slice(0, 5).map((line) => `the store lacks ${line}`);
  if (is.length !== products) wrong.push(`the store has ${is.length} products, should have ${products}`);
  return wrong;
}

const progressOf = (record: ImportRecord, stage: Stage) =>
  ({ parse: record.parsed_rows, enrich: record.enriched_rows, push: record.push_done })[stage];

/** Crashes a worker that holds a chunk, at a given progress of the stage; not `other`, which crashed before. */
async function crashAtWork(
  scene: Scene,
  database: OpenDatabase,
  id: string,
  stage: Stage,
  from: number,
  other?: Container,
): Promise<Container> {
  const { project, report, wrong } = scene;
  const service: Service = `${stage}-worker`;
  await reach(database, id, `${stage} under way`, (now) => progressOf(now, stage) >= from);
  const workers = (await project.containers()).filter((container) => container.service === service);
  let victim: Container | undefined;
  await until(
    `a ${service} that holds a chunk`,
    async () => {
      const addresses = await addressesAtWork(database, id, stage);
      victim = workers.find(({ address, id: worker }) => addresses.includes(address) && worker !== other?.id);
      return victim !== undefined;
    },
    standstillMsMax,
  );
  if (!victim) throw new Error('until has found a worker');
  await project.crash(victim);
  const at = progressOf(await read(database, id), stage);
  report(`${victim.name} crashed at ${at}`);
  const { total_rows: rows } = await read(database, id);
  if (at >= rows) wrong.push(`${victim.name} was crashed when the stage was over: nothing is proven by that`);
  return victim;
}

/** The client addresses of workers that hold a chunk of this stage. */
async function addressesAtWork(database: OpenDatabase, id: string, stage: Stage): Promise<string[]> {
  const { rows } = await database.pool.query<{ address: string }>(
    `select distinct host(activity.client_addr) as address
       from chunks join pg_stat_activity activity on activity.pid = chunks.claim_pid
      where chunks.import_id = $1 and chunks.stage = $2 and chunks.state = 'published'`,
    [id, stage],
  );
  return rows.map(({ address }) => address);
}

async function read(database: OpenDatabase, id: string): Promise<ImportRecord> {
  const found = await findImport(database.db, id);
  if (!found) throw new Error('The import is gone');
  return found;
}

/** Waits for a progress of the import; throws if there is none for a long time. */
async function reach(
  database: OpenDatabase,
  id: string,
  what: string,
  isThere: (record: ImportRecord) => boolean,
): Promise<ImportRecord> {
  for (;;) {
    const before = await read(database, id);
    if (isThere(before)) return before;
    if (before.status === 'failed') throw new Error(`The import has failed: ${before.error_message}`);
    const moved = async () => {
      const now = await read(database, id);
      return now.version !== before.version || isThere(now);
    };
    await until(`${what}, or any progress`, moved, standstillMsMax);
  }
}

/** All containers run and are healthy, and those that crashed were restarted by the engine. */
export async function expectRecovered(
  scene: Scene,
  crashed: Partial<Record<Service, number>>,
): Promise<void> {
  const services = async () =>
    (await scene.project.containers()).filter(({ service }) => service !== 'migrate');
  await until(
    'all containers healthy',
    async () => (await services()).every(({ running, health }) => running && health === 'healthy'),
    healthyMsMax,
  ).catch(async (error: Error) => {
    const ill = (await services()).filter(({ health }) => health !== 'healthy');
    scene.wrong.push(`${error.message}: ${ill.map(({ name, health }) => `${name} is ${health}`).join(', ')}`);
  });
  for (const [service, times] of Object.entries(crashed)) {
    const restarts = (await services())
      .filter((container) => container.service === service)
      .reduce((sum, container) => sum + container.restarts, 0);
    if (restarts !== times)
      scene.wrong.push(`${service} was restarted ${restarts} times, should be ${times}`);
  }
}

/** Stops everything: each process must exit by itself with code 0, within its time. */
export async function expectGracefulStop(scene: Scene): Promise<void> {
  const began = performance.now();
  await scene.project.compose('stop');
  scene.report(`everything stopped in ${seconds(began)}`);
  const unclean = (await scene.project.containers()).filter(
    ({ exitCode, running }) => running || exitCode !== 0,
  );
  for (const { name, exitCode } of unclean)
    scene.wrong.push(`${name} ended with ${exitCode} when it was stopped`);
}
