import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildWeb } from '@draftshelf/infra/web-build';
import { writeProductFile } from '../../scripts/product-file.ts';
import { signInBrowsers, startBenchStack } from './bench-stack.ts';
import { fairnessCalls } from './fairness-calls.ts';
import { describeMachine } from './figures.ts';
import { browse, describeMet, describeUse, measureApis } from './load-polls.ts';
import { loadScreens } from './load-screens.ts';

// Many browsers with sessions of their own while imports run, on one or two apis.
const { values: given } = parseArgs({
  options: {
    browsers: { type: 'string', default: '1000' },
    imports: { type: 'string', default: '20' },
    rows: { type: 'string', default: '100000' },
    pushed: { type: 'string', default: '4' },
    products: { type: 'string', default: '2000' },
    arrive: { type: 'string', default: '30' },
    steady: { type: 'string', default: '30' },
    apis: { type: 'string', default: '1,2' },
  },
});
const [browsers, imports, rows] = [Number(given.browsers), Number(given.imports), Number(given.rows)];
const [pushed, products] = [Number(given.pushed), Number(given.products)];
const [arriveMs, steadyMs] = [Number(given.arrive) * 1000, Number(given.steady) * 1000];

const ended = 200;
/** Uploads are spread over a minute. */
const uploadEveryMs = 60_000 / Math.max(1, imports);
const importMsMax = 30 * 60_000;
const processed = ['processed', 'queued'] as const;
const webDir = await buildWeb(fileURLToPath(new URL('../..', import.meta.url)), console.log);

for (const apis of given.apis.split(',').map(Number)) await measure(apis);

async function measure(count: number): Promise<void> {
  const names = ['api', 'parse-worker', 'enrich-worker', 'push-worker', 'store-simulator'] as const;
  const stack = await startBenchStack(names, { plan: 'plus', webDir });
  try {
    const others = [];
    while (others.length < count - 1) others.push(await stack.startAnotherApi());
    const apis = [{ url: stack.apiUrl, pid: stack.app('api').pid }, ...others].map(({ url, pid }) => ({
      port: Number(new URL(url).port),
      pid,
    }));
    const calls = fairnessCalls(stack);
    const csv = join(stack.dir, 'delivery.csv');
    writeProductFile(csv, rows, 'ascii');
    const id = await calls.uploadProducts(100);
    await calls.reach(id, processed, importMsMax);
    await listEnded(stack.database.pool, id);
    const cookies = await signInBrowsers(stack, browsers);

    const work = async () => {
      const begun = performance.now();
      const running: Promise<unknown>[] = [];
      for (let nth = 0; nth < imports; nth += 1) {
        await pause(Math.max(0, begun + nth * uploadEveryMs - performance.now()));
        const uploaded = await calls.uploadFile(csv);
        running.push(calls.reach(uploaded, processed, importMsMax));
        if (nth < pushed) running.push(pushSome(calls));
      }
      await Promise.all(running);
      return (performance.now() - begun) / 1000;
    };
    const screens = await loadScreens(stack.apiUrl, id);
    const load = { apis, cookies, screens, id, arriveMs, steadyMs };

    console.log(`\n${await describeMachine(stack.database)}\n${count} api${count === 1 ? '' : 's'}`);
    const measured = measureApis(apis);
    const alone = await work();
    console.log(
      `${imports} imports of ${rows} rows, ${pushed} pushes\n  api: ${describeUse(measured.sinceLast())}`,
    );
    const quiet = await browse(load, async () => {});
    console.log(`${browsers} browsers, nothing under way\n${describeMet(quiet)}`);
    let took = 0;
    const busy = await browse(load, async () => {
      took = await work();
    });
    console.log(
      `${browsers} browsers, ${imports} imports of ${rows} rows, ${pushed} pushes\n${describeMet(busy)}`,
    );
    console.log(
      `  imports and pushes: ${took.toFixed(1)} s, ${alone.toFixed(1)} s without browsers (${(took / alone).toFixed(2)} ×; the load is made on the same cores)`,
    );
  } finally {
    await stack.close();
  }
}

async function pushSome(calls: ReturnType<typeof fairnessCalls>): Promise<void> {
  const id = await calls.uploadProducts(products);
  await calls.reach(id, processed, importMsMax);
  await calls.mustDo('POST', `/api/queue/${id}/push`);
  await calls.reach(id, ['completed'], importMsMax);
}

/** Copies of an import that have ended, so that lists have their usual length. */
async function listEnded(pool: { query(text: string, values: unknown[]): Promise<unknown> }, id: string) {
  await pool.query(
    `insert into imports select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
       'version', nextval('import_version'), 'object_key', 'imports/' || n, 'filename', n || ' ended.csv',
       'status', 'completed', 'created_at', i.created_at - n * interval '7 minutes'
     ))).* from imports i, generate_series(1, ${ended}) n where i.id = $1`,
    [id],
  );
  await pool.query(
    `insert into runs select (jsonb_populate_record(r, jsonb_build_object('import_id', i.id,
       'completed_at', i.created_at + interval '2 minutes'))).*
     from runs r, imports i where r.import_id = $1 and i.filename like '% ended.csv'`,
    [id],
  );
}
