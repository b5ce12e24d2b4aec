import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeProductFile } from '../../scripts/product-file.ts';
import { signInBrowsers, startBenchStack } from './bench-stack.ts';
import { fairnessCalls } from './fairness-calls.ts';
import { describeMachine } from './figures.ts';
import { browse, describeMet, type Met } from './load-polls.ts';
import { peakMemoryMb, processorSeconds } from './processor.ts';

// Many browsers with sessions of their own while imports run, on one or two apis.
const { values: given } = parseArgs({
  options: {
    browsers: { type: 'string', default: '1000' },
    imports: { type: 'string', default: '20' },
    rows: { type: 'string', default: '100000' },
    pushed: { type: 'string', default: '4' },
    products: { type: 'string', default: '2000' },
    quiet: { type: 'string', default: '30' },
    apis: { type: 'string', default: '1,2' },
  },
});
const [browsers, imports, rows] = [Number(given.browsers), Number(given.imports), Number(given.rows)];
const [pushed, products, quietMs] = [
  Number(given.pushed),
  Number(given.products),
  Number(given.quiet) * 1000,
];

const ended = 200;
/** Uploads are spread over a minute. */
const uploadEveryMs = 60_000 / Math.max(1, imports);
const importMsMax = 30 * 60_000;
const processed = ['processed', 'queued'] as const;

for (const apis of given.apis.split(',').map(Number)) await measure(apis);

async function measure(apis: number): Promise<void> {
  const names = ['api', 'parse-worker', 'enrich-worker', 'push-worker', 'store-simulator'] as const;
  const stack = await startBenchStack(names, { plan: 'plus' });
  try {
    const others = [];
    while (others.length < apis - 1) others.push(await stack.startAnotherApi());
    const all = [{ url: stack.apiUrl, pid: stack.app('api').pid }, ...others];
    const ports = all.map(({ url }) => Number(new URL(url).port));
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
    const measured = async (during: () => Promise<unknown>) => {
      const before = all.map(({ pid }) => processorSeconds(pid));
      const met = await browse({ ports, cookies, id }, during);
      const shares = all.map(({ pid }, nth) => (processorSeconds(pid) - (before[nth] ?? 0)) / met.seconds);
      return { met, shares };
    };

    console.log(`\n${await describeMachine(stack.database)}\n${apis} api${apis === 1 ? '' : 's'}`);
    const alone = await work();
    const quiet = await measured(() => pause(quietMs));
    show(`${browsers} browsers, nothing under way`, quiet, all);
    let took = 0;
    const busy = await measured(async () => {
      took = await work();
    });
    show(`${browsers} browsers, ${imports} imports of ${rows} rows, ${pushed} pushes`, busy, all);
    console.log(
      `  imports and pushes: ${took.toFixed(1)} s, ${alone.toFixed(1)} s without browsers (${(took / alone).toFixed(2)} ×; the load is made on the same cores)`,
    );
  } finally {
    await stack.close();
  }
}

function show(title: string, { met, shares }: { met: Met; shares: number[] }, all: { pid: number }[]): void {
  console.log(`${title}\n${describeMet(met)}`);
  const apis = shares.map(
    (share, nth) => `${(share * 100).toFixed(0)} % of a core, peak ${peakMemoryMb(all[nth]?.pid ?? 0)} MB`,
  );
  console.log(`  api: ${apis.join('; ')} (bar 25 %, 192 MB)`);
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
       'status', 'completed', 'created_at', i.created_at - n * interval '7 minutes',
       'completed_at', i.created_at - n * interval '5 minutes'
     ))).* from imports i, generate_series(1, ${ended}) n where i.id = $1`,
    [id],
  );
  await pool.query(
    `insert into runs select (jsonb_populate_record(r, jsonb_build_object('import_id', i.id))).*
     from runs r, imports i where r.import_id = $1 and i.filename like '% ended.csv'`,
    [id],
  );
}
