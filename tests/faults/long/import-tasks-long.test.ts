import { saveSettings } from '@draftshelf/core/access/settings';
import { findImport } from '@draftshelf/core/imports/imports';
import { auditImport } from '@draftshelf/core/operate/audit/audit-import';
import type { ImportStatus } from '@draftshelf/domain/imports/import-status';
import { type TaskKind, taskCatalog } from '@draftshelf/domain/work/task-catalog';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startAi } from '../../support/ai.ts';
import { until } from '../../support/fixture.ts';
import { importDifferences } from '../../support/import-truth.ts';
import { startSources } from '../../support/sources.ts';
import { type FaultStack, startFaultStack, thaw, unlessAway } from '../fault-stack.ts';
import { type BegunTask, countOpenChunks } from '../held-imports.ts';
import type { Peers } from '../held-lookups.ts';
import { taskWork } from '../held-tasks.ts';
import { installHolds } from '../holds.ts';

const kinds = Object.keys(taskCatalog) as TaskKind[];
const workerOf = (kind: TaskKind) => `${taskCatalog[kind].stage}-worker` as const;

let stack: FaultStack;
let peers: Peers;
let work: ReturnType<typeof taskWork>;
let hold: Awaited<ReturnType<typeof installHolds<TaskKind>>>;
beforeAll(async () => {
  peers = { sources: await startSources(), ai: await startAi() };
  const { sources, ai } = peers;
  stack = await startFaultStack('postgres', {
    ...{ ...sources.env, BARCODE_LOOKUP_KEY: 'test', AI_BASE_URL: ai.url, AI_MODEL: 'strict' },
    ...{ FETCH_ALLOW: `${sources.env.FETCH_ALLOW},${ai.env.FETCH_ALLOW}`, FOLDER_SETTLE_MS: '500' },
  });
  work = taskWork(stack, peers);
  const statements = kinds.map((kind) => [kind, work[kind].heldAfter]);
  hold = await installHolds(stack, Object.fromEntries(statements) as Record<TaskKind, string>);
});
afterAll(async () => {
  await stack?.close();
  await peers?.sources.close();
  await peers?.ai.close();
});

const query = async (text: string, values: unknown[] = []) =>
  (await stack.database.pool.query(text, values)).rows;

beforeEach(async () => {
  await saveSettings(stack.database.db, { upcLookup: true });
  await query('update sources set enabled = false');
  await query('delete from category_rules');
  // Calls that are lost are made again after some seconds.
  await query('update ai_service set timeout_ms = 3000');
});

/** Of the task that is held, so that one failure is not followed by others. */
let releaseHeld = async () => {};
afterEach(() => releaseHeld());

const tasksOf = (id: string, kind: TaskKind) =>
  query('select state, attempts, error, claims from chunks where import_id = $1 and task = $2', [id, kind]);

/** Begins the work of a kind and waits until a worker is in the middle of it. */
async function reachMiddle(kind: TaskKind): Promise<BegunTask & { release: () => Promise<void> }> {
  const begin = await work[kind].prepare();
  const { isWaiting, release } = await hold(kind);
  releaseHeld = release;
  const begun = await begin();
  await until(`${kind} is in the middle`, isWaiting);
  expect(await tasksOf(begun.id, kind)).toMatchObject([{ state: 'published', claims: 1 }]);
  expect(await begun.isDone()).toBe(false);
  return { ...begun, release };
}

const statusAfter: Partial<Record<TaskKind, ImportStatus>> = {
  'retire-rows': 'completed',
  'plan-undo': 'completed',
  'plan-gone': 'completed',
  'learn-values': 'completed',
};

/** Waits until the work is done, exactly once, and nothing of it is left. `claims`: how often it was begun at least. */
async function expectDone(kind: TaskKind, { id, isDone }: BegunTask, claims = 1): Promise<void> {
  await until(`${kind} is done`, unlessAway(isDone), 90_000);
  await until(
    'the import is at rest',
    unlessAway(async () => (await countOpenChunks(stack, id)) === 0),
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(await tasksOf(id, kind))}`);
  });
  expect(await isDone()).toBe(true);
  const dead = await query(`select task, error from chunks where state = 'dead'`);
  expect(dead).toEqual([]);
  if (kind === 'delete-import') return;
  const tasks = await tasksOf(id, kind);
  expect(tasks).toMatchObject([{ state: 'done', attempts: 0, error: null }]);
  expect(tasks[0].claims).toBeGreaterThanOrEqual(claims);
  expect(await findImport(stack.database.db, id)).toMatchObject({
    ...{ status: statusAfter[kind] ?? 'processed', open_chunks: 0, waiting_for: null },
    error_message: null,
  });
  if (kind !== 'retire-rows') expect(await importDifferences(stack.database, id)).toEqual([]);
  expect(await auditImport(stack.database.db, id)).toMatchObject({ differences: [] });
}

test.for(kinds)('%s is done after its worker was killed with -9', async (kind) => {
  const { release, ...begun } = await reachMiddle(kind);
  const worker = stack.process(workerOf(kind));
  worker.kill('SIGKILL');
  await worker.ended;
  await release();
  await stack.start(workerOf(kind));
  await expectDone(kind, begun, 2);
});

test.for(kinds)(
  '%s is done by another worker while its own is frozen, which changes nothing more',
  async (kind) => {
    const { release, ...begun } = await reachMiddle(kind);
    const frozen = stack.process(workerOf(kind));
    frozen.kill('SIGSTOP');
    const other = await stack.startAnother(workerOf(kind));
    try {
      await release();
      await expectDone(kind, begun, 2);
      await thaw(stack, frozen);
      await expectDone(kind, begun, 2);
    } finally {
      frozen.kill('SIGCONT');
      await other.stop();
    }
  },
);

test.for(kinds)('%s is done after Postgres was killed with -9', async (kind) => {
  const { release, ...begun } = await reachMiddle(kind);
  await stack.services.endPostgres('SIGKILL');
  await release();
  await expectDone(kind, begun);
});
