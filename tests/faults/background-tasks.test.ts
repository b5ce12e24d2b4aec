import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { completeTask } from '@draftshelf/core/work/background-tasks';
import { backgroundKinds } from '@draftshelf/domain/work/task-catalog';
import { afterEach, expect } from 'vitest';
import { type Fixture, until } from '../support/fixture.ts';
import { isLong } from '../support/queue-backend.ts';
import { claimKind } from '../support/tasks.ts';
import { test } from '../support/test.ts';

const main = fileURLToPath(new URL('hold-tasks-main.ts', import.meta.url));
const subject = 'held';
let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** A process that holds a task of each kind, and the lines that it has printed. */
async function holder({ databaseUrl }: Fixture): Promise<{ process: ChildProcess; lines: () => string[] }> {
  child = spawn(process.execPath, [main, databaseUrl, subject], { stdio: 'pipe' });
  let text = '';
  child.stdout?.on('data', (data) => {
    text += data;
  });
  const lines = () => text.split('\n').filter((line) => line !== '');
  await until('it holds all tasks', () => backgroundKinds.every((kind) => lines().includes(kind)));
  return { process: child, lines };
}

/** Claims the task of each kind once its process is silent for long enough, and ends it. */
async function takeAllOver({ database: { db } }: Fixture): Promise<void> {
  for (const kind of backgroundKinds) {
    let task: Awaited<ReturnType<typeof claimKind>>;
    await until(`${kind} is taken over`, async () => {
      task = await claimKind(db, kind);
      return task !== undefined;
    });
    if (task) await completeTask(db, task);
  }
}

const count = async ({ database: { pool } }: Fixture, which: string) =>
  (await pool.query(`select from chunks where subject = '${subject}' and ${which}`)).rowCount;

test.beforeEach(({ fixture }) =>
  fixture.database.pool.query('delete from chunks where subject is not null; delete from processes'),
);

test('every task of a process that is killed with -9 is done by another one', async ({ fixture }) => {
  const { process } = await holder(fixture);
  for (const kind of backgroundKinds) expect(await claimKind(fixture.database.db, kind)).toBeUndefined();
  process.kill('SIGKILL');
  await takeAllOver(fixture);
  expect(await count(fixture, `state <> 'published'`)).toBe(backgroundKinds.length);
});

test.runIf(isLong)(
  'every task of a process that is frozen is done by another one, and it stores nothing more',
  async ({ fixture }) => {
    const { process, lines } = await holder(fixture);
    process.kill('SIGSTOP');
    await takeAllOver(fixture);
    await fixture.database.pool.query(`update chunks set not_before = not_before + interval '1 day'`);
    process.kill('SIGCONT');
    await until('it has noticed it', () => backgroundKinds.every((kind) => lines().includes(`lost ${kind}`)));
    expect(await count(fixture, `state <> 'published'`)).toBe(backgroundKinds.length);
  },
);

test.runIf(isLong)(
  'every task survives connections that Postgres ends, in the same process',
  async ({ fixture }) => {
    const { process, lines } = await holder(fixture);
    const { pool } = fixture.database;
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hold-tasks'`,
    );
    const { rows } = await pool.query('select seen_at from processes');
    await until('it reports itself again', async () => {
      const { rows: now } = await pool.query('select from processes where seen_at > $1', [rows[0].seen_at]);
      return now.length > 0;
    });
    expect(await count(fixture, `state = 'published' and claims = 1`)).toBe(backgroundKinds.length);
    expect(lines().filter((line) => line.startsWith('lost'))).toEqual([]);
    process.kill('SIGKILL');
  },
);
