import type { DeadWorkPage } from '@draftshelf/contract/operate/dead-work';
import { lockAgainstEdits, lockImport } from '@draftshelf/core/imports/imports';
import { failCommandTask } from '@draftshelf/core/review/commands/command-task';
import { countCopiedEdits } from '@draftshelf/core/review/commands/stored-edits';
import { failTask } from '@draftshelf/core/work/fail-import';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { afterEach, beforeEach, expect } from 'vitest';
import {
  claimCommandTask,
  commandEnded,
  doParts,
  killTask,
  rowDifferences,
} from '../../support/command-steps.ts';
import { productCsv, until } from '../../support/fixture.ts';
import { holdStage } from '../../support/hold-stage.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const longIt = it.runIf(isLong);
const { read, reach, processed, rowsOf } = importSteps(() => stack);
let id: string;
/** Lets the worker take tasks; undefined while it may. */
let go: (() => Promise<void>) | undefined;
let files = 0;
/** Each test decides when its task goes on. */
beforeEach(async () => {
  files += 1;
  id = await processed(productCsv(700).replace('Vase 1,', `Vase of file ${files},`));
  go = await holdStage(stack, 'parse');
});
afterEach(async () => {
  await work();
  // Imports of earlier tests count as pushed, so that those of later ones are not compared with them.
  await stack.database.pool.query('update imports set push_run = 1');
});

/** Lets the worker take tasks, and waits until it has ended the command. */
async function work(): Promise<void> {
  await go?.();
  go = undefined;
  await commandEnded(stack, id);
}

type Reply = { status: number; body: Record<string, unknown> & { command: string; message: string } };
const call = (method: string, path: string, body?: object) =>
  stack.api.call(method, `/api/queue/${id}${path}`, body ? { body } : {}) as Promise<Reply>;
const undo = (command: string) => call('POST', `/edits/${command}/undo`);
const resume = (command: string) => call('POST', `/edits/${command}/resume`);
const tasks = async () => {
  const { job } = (await call('GET', '?rows=0')).body as unknown as {
    job: { tasks: { command: unknown }[] };
  };
  return job.tasks.filter(({ command }) => command !== null);
};

const addTenPercent: Operation = { kind: 'calculate', field: 'price', by: 'percent', amount: '10' };

/** Begins a command on all rows and does some parts of it. Returns its id. */
async function begin(parts: number): Promise<string> {
  const { status, body } = await call('POST', '/edits', { target: {}, operations: [addTenPercent] });
  expect([status, body.inBackground]).toEqual([200, true]);
  await doParts(stack, id, parts);
  return body.command;
}

/** How many prices are as in the file, and how many were changed. */
async function counted() {
  const rows = await rowsOf(id);
  const isChanged = ({ row, values }: (typeof rows)[number]) => values.price !== `${row}.50`;
  const changed = rows.filter(isChanged).length;
  return { changed, asInFile: rows.length - changed };
}

const states = async () => {
  const { rows } = await stack.database.pool.query<{ state: string }>(
    'select kind, state from edit_commands where import_id = $1 order by created_at',
    [id],
  );
  return rows.map(Object.values).map((values) => values.join(' '));
};

/** Changes of the api that wait for a lock; a worker may wait at the same time, to count the version of an import. */
const waitingCalls = `from pg_stat_activity waiting
  where application_name = 'draftshelf-api-changes' and datname = current_database() and wait_event_type = 'Lock'`;

const consistent = async () => expect(await rowDifferences(stack, id)).toEqual([]);

it('a command in progress refuses what else changes rows or reads them all, and names itself', async () => {
  const command = await begin(1);
  const message = 'Price + 10% is being applied (28 %). Wait until it has ended, or stop it.';
  const edit = { values: { title: 'Other' } };
  const calls: [string, string, object?][] = [
    ['PATCH', '/rows/1', edit],
    ['POST', '/edits', { target: { rows: [1] }, operations: [addTenPercent] }],
    ['POST', '/push'],
    ['POST', '/dialect', { headerRecord: 1 }],
    ['POST', '/proposals/decide', { action: 'take', ids: [1] }],
    ['PUT', '/mapping', { Price: 'cost' }],
  ];
  for (const [method, path, body] of calls) {
    const { status, body: reply } = await call(method, path, body);
    expect([path, status, reply.message]).toEqual([path, 409, message]);
  }
  await stack.database.pool.query(`update imports set status = 'failed' where id = $1`, [id]);
  expect(await call('POST', '/retry')).toMatchObject({ status: 409, body: { message } });
  await stack.database.pool.query(`update imports set status = 'processed' where id = $1`, [id]);
  expect(await tasks()).toMatchObject([{ label: 'Applying a change', done: 200, total: 700, command }]);
  await work();
  expect(await counted()).toEqual({ changed: 700, asInFile: 0 });
  expect(await call('PATCH', '/rows/1', edit)).toMatchObject({ status: 200 });
  await consistent();
});

longIt('a push refuses commands on many rows', async () => {
  await stack.database.pool.query(`update imports set status = 'uploading' where id = $1`, [id]);
  const refused = await call('POST', '/edits', { target: {}, operations: [addTenPercent] });
  expect(refused).toMatchObject({
    status: 409,
    body: { message: 'Rows can’t be edited in this status.' },
  });
  await stack.database.pool.query(`update imports set status = 'processed' where id = $1`, [id]);
  expect(await states()).toEqual([]);
});

longIt('a command in progress is stopped by its undo, which leaves nothing of it', async () => {
  const command = await begin(2);
  const stopped = await undo(command);
  expect(stopped).toMatchObject({ status: 200, body: { inBackground: true } });
  expect(await undo(command)).toMatchObject({ status: 409, body: { code: 'nothing_to_undo' } });
  await work();
  expect(await counted()).toEqual({ changed: 0, asInFile: 700 });
  expect(await states()).toEqual(['bulk undone', 'undo applied']);
  await consistent();
  const corrected = { values: { price: '5' } };
  expect((await call('PATCH', '/rows/1', corrected)).status).toBe(200);
  // There is only a part of its edits to apply again, so the operations are applied, except to what was edited since.
  const again = await undo(stopped.body.command);
  expect(again).toMatchObject({ status: 200, body: { inBackground: true } });
  await work();
  expect(await counted()).toEqual({ changed: 700, asInFile: 0 });
  const [first] = await rowsOf(id);
  expect(first?.values.price).toBe('5');
  expect(await states()).toEqual(['bulk undone', 'undo undone', 'single applied', 'bulk applied']);
});

longIt('an undo in progress is stopped by a redo, and the other way round', async () => {
  const command = await begin(1);
  await work();
  go = await holdStage(stack, 'parse');
  const undone = await undo(command);
  await doParts(stack, id, 1);
  expect((await counted()).changed).toBe(500);
  const refused = await call('PATCH', '/rows/1', { values: { title: 'Other' } });
  expect(refused.body.message).toBe('Price + 10% is being undone (28 %). Wait until that has ended.');
  const redone = await undo(undone.body.command);
  expect(redone.status).toBe(200);
  await doParts(stack, id, 1);
  const undoneAgain = await undo(redone.body.command);
  expect(undoneAgain.status).toBe(200);
  await work();
  expect(await counted()).toEqual({ changed: 0, asInFile: 700 });
  expect(await states()).toEqual(['bulk undone', 'undo undone', 'redo undone', 'undo applied']);
  await consistent();
});

longIt('a command whose task is dead blocks the import until it is resumed or undone', async () => {
  const command = await begin(1);
  await killTask(stack, id);
  expect(await tasks()).toMatchObject([{ state: 'failed', command, error: 'It failed.' }]);
  const refused = await call('PATCH', '/rows/1', { values: { title: 'Other' } });
  expect(refused).toMatchObject({
    status: 409,
    body: { message: 'Price + 10% has stopped before its end (28 %). Resume or undo it first.' },
  });
  expect(await resume(command)).toMatchObject({ status: 200 });
  expect(await resume(command)).toMatchObject({ status: 409 });
  await doParts(stack, id, 1);
  await killTask(stack, id);
  expect(await undo(command)).toMatchObject({ status: 200 });
  await work();
  expect(await counted()).toEqual({ changed: 0, asInFile: 700 });
  await consistent();
});

it.each(['open', 'dead'])('cancelling the import undoes a command whose task is %s', async (task) => {
  await begin(1);
  if (task === 'dead') await killTask(stack, id);
  expect(await call('POST', '/cancel')).toMatchObject({ status: 200 });
  await work();
  expect(await counted()).toEqual({ changed: 0, asInFile: 700 });
  expect(await states()).toEqual(['bulk undone', 'undo applied']);
  expect((await read(id)).status).toBe('cancelled');
});

longIt('cancelling the import undoes a command whose task dies at the same time', async () => {
  await begin(1);
  const { db, pool } = stack.database;
  let cancelled: Promise<Reply> | undefined;
  await db.transaction().execute(async (trx) => {
    await lockImport(trx, id);
    cancelled = call('POST', '/cancel');
    await until(
      'the cancel waits',
      async () => (await pool.query(`select 1 ${waitingCalls}`)).rows.length > 0,
    );
    await failTask(trx, await claimCommandTask(stack, id), 'It failed.');
  });
  expect((await cancelled)?.status).toBe(200);
  await work();
  expect(await counted()).toEqual({ changed: 0, asInFile: 700 });
  expect(await states()).toEqual(['bulk undone', 'undo applied']);
});

longIt('a task that dies after its import was cancelled leaves its command to an undo', async () => {
  const command = await begin(1);
  const claimed = await claimCommandTask(stack, id);
  expect(await call('POST', '/cancel')).toMatchObject({ status: 200 });
  await stack.database.db
    .transaction()
    .execute((trx) => failCommandTask(trx, { ...claimed, command }, 'It failed.'));
  expect(await tasks()).toMatchObject([{ label: 'Undoing a change', error: null }]);
  await work();
  expect(await counted()).toEqual({ changed: 0, asInFile: 700 });
  expect(await states()).toEqual(['bulk undone', 'undo applied']);
});

it('a search finds the rows of a command before the first of them changes', async () => {
  const operations = [{ kind: 'set', field: 'title', value: 'Pot' }];
  const { body } = await call('POST', '/edits', { target: { q: 'vase' }, operations });
  expect(body.inBackground).toBe(true);
  await work();
  const { rows } = await stack.database.pool.query(
    'select state, rows from edit_commands where import_id = $1',
    [id],
  );
  expect(rows).toEqual([{ state: 'applied', rows: 700 }]);
  await consistent();
});

longIt(
  'gives an upload of the same file no edits of a command that is applied or undone by half',
  async () => {
    const copied = () => countCopiedEdits(stack.database.db, id);
    const command = await begin(2);
    expect(await copied()).toBe(0);
    await work();
    expect(await copied()).toBe(700);
    go = await holdStage(stack, 'parse');
    expect((await undo(command)).body.inBackground).toBe(true);
    await doParts(stack, id, 2);
    expect(await copied()).toBe(0);
    await work();
    expect(await copied()).toBe(0);
  },
);

it('a small undo waits for a push that reads the rows, before it has changed any', async () => {
  const { body } = await call('PATCH', '/rows/1', { values: { price: '5' } });
  const { db, pool } = stack.database;
  let undone: Promise<Reply> | undefined;
  await db.transaction().execute(async (reading) => {
    await lockAgainstEdits(reading, id);
    undone = undo(body.command);
    const waiting = async () =>
      (
        await pool.query<{ writes: boolean }>(
          `select exists (
             select 1 from pg_locks held join pg_class on pg_class.oid = held.relation
             where held.pid = waiting.pid and relname = 'edits' and mode = 'RowExclusiveLock'
           ) as writes
           ${waitingCalls}`,
        )
      ).rows;
    await until('the undo waits', async () => (await waiting()).length > 0);
    expect(await waiting()).toEqual([{ writes: false }]);
  });
  expect((await undone)?.status).toBe(200);
});

it('refuses row numbers of another reading of the file, also where a stopped command is redone', async () => {
  const { run } = (await call('GET', '/rows')).body as unknown as { run: number };
  const all = { rows: Array.from({ length: 600 }, (_, at) => at + 1), run };
  const { body } = await call('POST', '/edits', { target: all, operations: [addTenPercent] });
  await doParts(stack, id, 1);
  const stopped = await undo(body.command);
  await work();
  expect((await call('POST', '/dialect', { quote: "'" })).status).toBe(200);
  await reach(id, 'queued', 'processed');
  const message =
    'The rows have been read again since you chose them. Nothing was changed; choose them again.';
  const change = { target: { rows: [1], run }, operations: [addTenPercent] };
  const before = await states();
  for (const refused of [
    await call('POST', '/edits', change),
    await call('POST', '/edits/preview', change),
    await undo(stopped.body.command),
  ]) {
    expect(refused).toMatchObject({ status: 409, body: { message } });
  }
  expect(await states()).toEqual(before);
  const now = { ...change, target: { rows: [1], run: (await read(id)).rows_run } };
  expect((await call('POST', '/edits', now)).status).toBe(200);
});

it('undoes a command that has changed no cell', async () => {
  const clear: Operation = { kind: 'clear', field: 'cost' };
  const { body } = await call('POST', '/edits', { target: { rows: [1, 2] }, operations: [clear] });
  expect(body.rows).toBe(0);
  expect((await undo(body.command)).status).toBe(200);
  expect(await undo(body.command)).toMatchObject({ status: 409 });
});

longIt(
  'a change that has stopped goes on with a retry of dead work, or is undone when it is given up',
  async () => {
    const dead = async (path: string) => stack.api.call('POST', `/api/system/dead-work/${id}${path}`);
    const taskId = async () => {
      const { body } = (await stack.api.call('GET', '/api/system/dead-work')) as { body: DeadWorkPage };
      return body.items.find(({ importId }) => importId === id)?.id;
    };
    await begin(1);
    await killTask(stack, id);
    expect(await taskId()).toBeDefined();
    expect((await dead('/retry')).status).toBe(200);
    expect(await taskId()).toBeUndefined();
    await work();
    expect(await counted()).toEqual({ changed: 700, asInFile: 0 });

    go = await holdStage(stack, 'parse');
    await begin(1);
    await killTask(stack, id);
    expect((await dead(`/tasks/${await taskId()}/give-up`)).status).toBe(200);
    await killTask(stack, id);
    // It is the task of the undo now.
    expect(await dead(`/tasks/${await taskId()}/give-up`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Retry the undo instead.') },
    });
    expect((await dead('/retry')).status).toBe(200);
    await work();
    expect(await states()).toEqual(['bulk applied', 'bulk undone', 'undo applied']);
    await consistent();
  },
);
