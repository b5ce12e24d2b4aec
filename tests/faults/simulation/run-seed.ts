import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { findImport } from '@draftshelf/core/imports/imports';
import { pushImport } from '@draftshelf/core/work/import-actions';
import pg from 'pg';
import { startStore } from '../../store/start-store.ts';
import { createRandom } from '../fault-random.ts';
import { type Actor, createActor } from './actor.ts';
import { planFaults } from './faults.ts';
import { simulateClock } from './globals.ts';
import { doubles, judge } from './judge.ts';
import { simulateMerchant } from './merchant.ts';
import { type Prepared, withCopy } from './prepared.ts';
import { type PushProcessDeps, startPushProcess } from './push-process.ts';
import { createQueueDouble } from './queue-double.ts';
import { createScheduler } from './scheduler.ts';
import { scheduleStatements } from './statements.ts';
import { simulatedFetch } from './store-calls.ts';

export type SeedResult = {
  seed: number;
  wrong: string[];
  steps: number;
  met: ReadonlyMap<string, number>;
  digest: string;
  trace: readonly string[];
};

/** Products of a chunk, so that several chunks of a small push run at once. */
const batchSize = 3;
/** No fault begins after this time, so that the work ends. */
const faultsMs = 30_000;

/** Pushes the prepared import in the order and with the faults of a seed, and judges the result. */
export async function runSeed(prepared: Prepared, seed: number): Promise<SeedResult> {
  return withCopy(prepared, async (databaseUrl) => {
    const { importId, storage } = prepared;
    const scheduler = createScheduler(createRandom(seed));
    const plan = planFaults(scheduler.random);
    const store = await startStore({ plan: 'plus', publicUrl: 'http://store' });
    const admin = new pg.Client({ connectionString: databaseUrl });
    await admin.connect();
    const database = openDatabase({ connectionString: databaseUrl, applicationName: 'judge', poolMax: 2 });
    const takeBack = [simulateClock(scheduler), scheduleStatements(scheduler, admin, plan.cutOf)];
    const wrong: string[] = [];
    try {
      await database.db.transaction().execute(async (trx) => {
        const pushed = await pushImport(trx, importId, batchSize, { supplier: null });
        if (!pushed.ok) throw new Error(pushed.reason);
      });
      const jobs = createQueueDouble(scheduler, plan.queueFaults);
      const fetch = simulatedFetch(scheduler, store, plan.callChance, async ({ operation }) => {
        if (operation === 'productSet') wrong.push(...doubles(await store.products()));
      });
      const processes = startProcesses({ scheduler, databaseUrl, storeUrl: store.url, storage, jobs, fetch });
      const merchant = simulateMerchant(scheduler, { store, admin, plan });
      scheduler.setSabotage((step) => (processes().includes(step.actor) ? plan.sabotage(step) : undefined));
      scheduler.addTimer(createActor('world'), faultsMs, plan.end);
      const areRunning = () => processes().every(scheduler.isAble);
      await scheduler.run(async () => areRunning() && jobs.isEmpty() && (await isAtRest(database, importId)));
      wrong.push(...(await judge(database, store, prepared, merchant)));
    } catch (error) {
      wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      wrong.push(...(await pushChunks(database)));
    } finally {
      for (const back of takeBack.reverse()) back();
      await Promise.all([database.close(), admin.end(), store.stop()]);
    }
    const { met, trace } = scheduler;
    return { seed, wrong, steps: scheduler.steps(), met, digest: scheduler.digest(), trace };
  });
}

/** Two push workers; one that is killed is replaced by another. Returns which there are. */
function startProcesses(deps: PushProcessDeps): () => Actor[] {
  const { scheduler } = deps;
  const world = createActor('world');
  const running = new Map<string, Actor>();
  const start = (name: string, nth: number) => {
    const actor = startPushProcess(`${name}${nth}`, deps);
    running.set(name, actor);
    actor.onDeath.push(
      () => void scheduler.addTimer(world, scheduler.random.between(500, 3_000), () => start(name, nth + 1)),
    );
  };
  for (const name of ['a', 'b']) start(name, 1);
  return () => [...running.values()];
}

async function isAtRest({ db }: OpenDatabase, importId: string): Promise<boolean> {
  if ((await findImport(db, importId))?.status === 'uploading') return false;
  const open = await db
    .selectFrom('chunks')
    .select('id')
    .where('stage', '=', 'push')
    .where('state', 'in', ['pending', 'published'])
    .execute();
  return open.length === 0;
}

/** The chunks of the push as they are when it does not end. */
async function pushChunks({ pool }: OpenDatabase): Promise<string[]> {
  const { rows } = await pool.query(
    `select id, kind, state, publication, claims, attempts, waits, error, waiting_for, claim_pid, not_before from chunks
     where stage = 'push'`,
  );
  return rows.map((row) => JSON.stringify(row));
}
