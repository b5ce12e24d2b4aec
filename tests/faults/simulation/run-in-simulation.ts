import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type pg from 'pg';
import { startStore, type TestStore } from '../../store/start-store.ts';
import { createRandom } from '../fault-random.ts';
import { type Actor, createActor } from './actor.ts';
import type { Backends } from './backends.ts';
import { type FaultPlan, planFaults } from './faults.ts';
import { simulateClock } from './globals.ts';
import { type Merchant, simulateMerchant } from './merchant.ts';
import { type PushProcessDeps, startPushProcess } from './push-process.ts';
import { createQueueDouble } from './queue-double.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { scheduleStatements } from './statements.ts';
import { simulatedFetch } from './store-calls.ts';
import { skuOf } from './stored-values.ts';

/** No fault begins after this time, so that the work ends. */
const faultsMs = 30_000;

/** Where a run begins: its database, the content of its store, and its time. */
export type Start = {
  databaseUrl: string;
  /** Connections of the simulation's own, and those that it lends to actors. */
  admin: pg.Client;
  database: OpenDatabase;
  backends: Backends;
  storage: ObjectStorage;
  storeDir: string;
  /** For the stores of runs. */
  folder: string;
  atMs: number;
};

/** A run with its two push workers, its store and its merchant. */
export type Run = {
  scheduler: Scheduler;
  database: OpenDatabase;
  store: TestStore;
  /** The ids that products had at the beginning, by SKU. */
  before: ReadonlyMap<string, number>;
  merchant: Merchant;
  /** Lets steps happen until everything is at rest and `isOver`. */
  settle(isOver: () => Promise<boolean>): Promise<void>;
};

export type Ended = { wrong: string[]; scheduler: Scheduler };

/**
 * Runs two push workers, in the order and with the faults of a seed; without any if `isCalm`. `drive` begins the work,
 * and returns what is wrong at its end. `keepStore`: a folder that gets the content of the store.
 */
export async function runInSimulation(
  start: Start,
  { seed, isCalm = false, keepStore }: { seed: number; isCalm?: boolean; keepStore?: string },
  drive: (run: Run) => Promise<string[]>,
): Promise<Ended> {
  const scheduler = createScheduler(createRandom(seed), start.atMs);
  const plan = planFaults(scheduler.random, isCalm);
  const dataDir = await mkdtemp(join(start.folder, 'run-'));
  await cp(start.storeDir, dataDir, { recursive: true });
  const store = await startStore({ plan: 'plus', publicUrl: 'http://store', dataDir });
  const restoreClock = simulateClock(scheduler);
  const restoreStatements = scheduleStatements(scheduler, start, plan.cutOf);
  const wrong: string[] = [];
  try {
    const before = new Map((await store.products()).map((one) => [skuOf(one), one.id]));
    const run = connect({ start, scheduler, plan, store, before, wrong });
    wrong.push(...(await drive(run)));
  } catch (error) {
    wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    wrong.push(...(await pushChunks(start.database)));
  } finally {
    await restoreStatements();
    restoreClock();
    await store.stop();
    if (keepStore) await cp(dataDir, keepStore, { recursive: true });
    await rm(dataDir, { recursive: true });
  }
  return { wrong, scheduler };
}

type Parts = Pick<Run, 'scheduler' | 'store' | 'before'> & { start: Start; plan: FaultPlan; wrong: string[] };

function connect({ start, scheduler, plan, store, before, wrong }: Parts): Run {
  const { databaseUrl, storage, admin, database } = start;
  const merchant = simulateMerchant(scheduler, { store, admin, plan });
  const jobs = createQueueDouble(scheduler, plan.queueFaults);
  const fetch = simulatedFetch(scheduler, store, {
    chance: plan.callChance,
    onAsked: merchant.aim,
    onCall: async (call) => {
      wrong.push(...(await merchant.watch(call)));
    },
  });
  const processes = startProcesses({ scheduler, databaseUrl, storeUrl: store.url, storage, jobs, fetch });
  const isOfProcess = (actor: Actor) => processes().includes(actor);
  scheduler.setSabotage((step) => (isOfProcess(step.actor) ? plan.sabotage(step) : undefined));
  scheduler.addTimer(createActor('world'), faultsMs, plan.end);
  return {
    ...{ scheduler, database, store, before, merchant },
    settle: (isOver) =>
      scheduler.run(async () => {
        if (!processes().every(scheduler.isAble) || !jobs.isEmpty()) return false;
        return (await hasNoOpenPush(database)) && (await isOver());
      }),
  };
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

async function hasNoOpenPush({ db }: OpenDatabase): Promise<boolean> {
  const open = await db
    .selectFrom('chunks')
    .select('id')
    .where('stage', '=', 'push')
    .where('state', 'in', ['pending', 'published'])
    .limit(1)
    .execute();
  return open.length === 0;
}

/** The chunks of the push stage as they are when a run does not end. */
async function pushChunks({ pool }: OpenDatabase): Promise<string[]> {
  const { rows } = await pool.query(
    `select id, kind, task, state, publication, claims, attempts, waits, error, waiting_for, claim_pid, not_before
     from chunks where stage = 'push' and state not in ('done', 'dropped')`,
  );
  return rows.map((row) => JSON.stringify(row));
}
