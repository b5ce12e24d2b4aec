import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { claimTask, completeTask } from '@draftshelf/core/work/leased-tasks';
import { type LeasedKind, leasedKinds } from '@draftshelf/domain/work/leased-tasks';
import { afterEach, expect } from 'vitest';
import { type Fixture, until } from '../support/fixture.ts';
import { test } from '../support/test.ts';

const main = fileURLToPath(new URL('hold-tasks-main.ts', import.meta.url));
const subject = 'held';
const leaseMs = 1_500;
let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** A process that holds a task of each kind, and the lines that it has printed. */
async function holder({ databaseUrl }: Fixture): Promise<{ process: ChildProcess; lines: () => string[] }> {
  child = spawn(process.execPath, [main, databaseUrl, subject, String(leaseMs)], { stdio: 'pipe' });
  let text = '';
  child.stdout?.on('data', (data) => {
    text += data;
  });
  const lines = () => text.split('\n').filter((line) => line !== '');
  await until('it holds all tasks', () => leasedKinds.every((kind) => lines().includes(kind)));
  return { process: child, lines };
}

const claim = ({ database: { db } }: Fixture, kind: LeasedKind, leaseMsMax = leaseMs) =>
  claimTask(db, [{ kind, subjects: [subject] }], leaseMsMax);

/** Claims the task of each kind once its lease has ended, and ends it. */
async function takeAllOver(fixture: Fixture): Promise<void> {
  for (const kind of leasedKinds) {
    let task: Awaited<ReturnType<typeof claim>>;
    await until(`${kind} is taken over`, async () => {
      task = await claim(fixture, kind, 60_000);
      return task !== undefined;
    });
    if (task) await completeTask(fixture.database.db, task);
  }
}

const free = async ({ database: { pool } }: Fixture) =>
  (await pool.query('select 1 from tasks where held_until is null')).rowCount;

test.beforeEach(({ fixture }) => fixture.database.pool.query('truncate tasks'));

test('every task of a process that is killed with -9 is done by another one', async ({ fixture }) => {
  const { process } = await holder(fixture);
  for (const kind of leasedKinds) expect(await claim(fixture, kind)).toBeUndefined();
  process.kill('SIGKILL');
  await takeAllOver(fixture);
  expect(await free(fixture)).toBe(leasedKinds.length);
});

test('every task of a process that is frozen is done by another one, and it stores nothing more', async ({
  fixture,
}) => {
  const { process, lines } = await holder(fixture);
  process.kill('SIGSTOP');
  await takeAllOver(fixture);
  process.kill('SIGCONT');
  await until('it has noticed it', () => leasedKinds.every((kind) => lines().includes(`lost ${kind}`)));
  expect(await free(fixture)).toBe(leasedKinds.length);
});

test('every task survives connections that Postgres ends, in the same process', async ({ fixture }) => {
  const { process, lines } = await holder(fixture);
  await fixture.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hold-tasks'`,
  );
  const { rows } = await fixture.database.pool.query('select max(held_until) as until from tasks');
  await until('the leases are renewed', async () => {
    const { rows: now } = await fixture.database.pool.query(
      'select min(held_until) > $1 as renewed from tasks',
      [rows[0].until],
    );
    return now[0].renewed;
  });
  expect(lines().filter((line) => line.startsWith('lost'))).toEqual([]);
  process.kill('SIGKILL');
});
