import { withPinnedConnection } from '@draftshelf/core/connection/database';
import { findImport } from '@draftshelf/core/imports/imports';
import { readFacets } from '@draftshelf/core/review/row-facets';
import { afterEach, describe, expect } from 'vitest';
import { csvOf, lockWaiters, productCsv, storedImport, until } from '../../support/fixture.ts';
import { duplicatesLock, installDuplicatesHold } from '../../support/hold-duplicates.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

// Finalize of a parse run is blocked in the middle by a lock on a table that it writes to.

const it = testOnWorkers(readers);
const { upload, reach, processed } = importSteps(() => stack);
const releases: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
});

const database = () => stack.database;

const statusOf = async (id: string) => (await findImport(database().db, id))?.status;
const act = (id: string, action: string) => stack.api.call('POST', `/api/queue/${id}/${action}`);
const reread = (id: string) =>
  stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: ',' } });
const edit = (id: string, row: number, values: Record<string, string | null>) =>
  stack.api.call('PATCH', `/api/queue/${id}/rows/${row}`, { body: { values } });

/** Holds a lock until `release`, and reports when a connection waits for it. */
async function hold(statement: string, values: unknown[] = []) {
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = withPinnedConnection(database(), async ({ client }) => {
    await client.query('begin');
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query(statement, values);
    held.resolve();
    await released.promise;
    await client.query('rollback');
    await client.query('reset idle_in_transaction_session_timeout');
  });
  await Promise.race([held.promise, holding]);
  const release = async () => {
    released.resolve();
    await holding;
  };
  releases.push(release);
  return {
    waitedFor: () => until('somebody waits', async () => (await lockWaiters(stack)) > 0),
    release,
  };
}

/**
 * Blocks the search for duplicates, which finalize does after it has applied the edits. A task that removes replaced
 * rows would wait for the lock too, so the tasks of earlier tests end first.
 */
async function holdDuplicates() {
  await until('no task is open', async () => {
    const { rows } = await database().pool.query(
      `select id from chunks where kind = 'task' and subject is null and state in ('pending', 'published')`,
    );
    return rows.length === 0;
  });
  await installDuplicatesHold(database().pool);
  const held = await hold(duplicatesLock);
  // A sweep of left-over rows may wait for the table, too.
  const waitedFor = () =>
    until('a finalize waits', async () => {
      const { rows } = await database().pool.query(
        `select from chunks join pg_stat_activity on pid = claim_pid
         where kind = 'finalize' and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
  return { ...held, waitedFor };
}

async function finalizeOf(id: string, run: number): Promise<{ step: string | null } | null> {
  const { rows } = await database().pool.query(
    `select finalize from runs where import_id = $1 and stage = 'parse' and run = $2`,
    [id, run],
  );
  return rows[0]?.finalize ?? null;
}

/** Every update of rows takes longer than a batch of finalize, and is counted. */
async function slowUpdates() {
  await database().pool.query(`
    create sequence slow_updates minvalue 0 start 0;
    create function slow_update() returns trigger language plpgsql as $$
    begin
      perform nextval('slow_updates'), pg_sleep(0.4);
      return null;
    end $$;
    create trigger slow_update before update on rows for each statement execute function slow_update()`);
  return {
    async count(): Promise<number> {
      const { rows } = await database().pool.query(
        'select case when is_called then last_value + 1 else 0 end::int as count from slow_updates',
      );
      return rows[0].count;
    },
    remove: () => database().pool.query('drop function slow_update() cascade; drop sequence slow_updates'),
  };
}

describe('while a run is being finalized', () => {
  it('its import can be paused and cancelled at once, and other imports continue', async () => {
    const other = await processed(productCsv(3));
    const held = await holdDuplicates();
    const [paused, cancelled] = [await upload(productCsv(3)), await upload(productCsv(3))];
    await held.waitedFor();
    await until('both are parsed', async () =>
      (await Promise.all([paused, cancelled].map((id) => findImport(database().db, id)))).every(
        (record) => record?.parsed_rows === 3,
      ),
    );
    expect(await act(paused, 'pause')).toMatchObject({ status: 200 });
    expect(await act(cancelled, 'cancel')).toMatchObject({ status: 200 });
    expect(await stack.api.call('GET', '/api/queue')).toMatchObject({ status: 200 });
    expect(await edit(other, 1, { tags: 'new' })).toMatchObject({ status: 200 });
    await held.release();
    expect(await statusOf(paused)).toBe('paused');
    await act(paused, 'resume');
    await reach(paused, 'processed');
    expect(await statusOf(cancelled)).toBe('cancelled');
  });

  it.runIf(isLong)('its worker stops, and another one finishes the step', async () => {
    const held = await holdDuplicates();
    const id = await upload(productCsv(3));
    await held.waitedFor();
    const worker = stack.process('parse-worker');
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe('0');
    await held.release();
    expect(await statusOf(id)).toBe('processing');
    await stack.start('parse-worker');
    await reach(id, 'processed');
  });

  it.runIf(isLong)('batches that a killed worker had committed are not repeated', async () => {
    const id = await processed(productCsv(3));
    await edit(id, 2, { price: '25' });
    const slow = await slowUpdates();
    const held = await holdDuplicates();
    try {
      expect(await reread(id)).toMatchObject({ status: 200 });
      await until('the edits are applied', async () => (await finalizeOf(id, 2))?.step === 'find duplicates');
      await held.waitedFor();
      // Of the edits, and of the duplicates, which are not committed yet.
      expect(await slow.count()).toBe(2);
      stack.process('parse-worker').kill('SIGKILL');
      await stack.start('parse-worker');
      await held.release();
      await reach(id, 'processed');
      expect(await slow.count()).toBe(3);
    } finally {
      await slow.remove();
    }
    const { rows } = await database().pool.query(
      'select row, price from rows where import_id = $1 and run = 2 order by row',
      [id],
    );
    expect(rows.map(({ price }) => price)).toEqual(['1.50', '25', '3.50']);
  });

  it('an edit made in a pause, after the others were applied, is applied too', async () => {
    const id = await processed(productCsv(3));
    await edit(id, 2, { price: '25' });
    const slow = await slowUpdates();
    const held = await holdDuplicates();
    try {
      await reread(id);
      await until('the edits are applied', async () => (await finalizeOf(id, 2))?.step === 'find duplicates');
      await held.waitedFor();
      expect(await act(id, 'pause')).toMatchObject({ status: 200 });
    } finally {
      await held.release();
      await slow.remove();
    }
    await until('the batch has ended', async () => (await edit(id, 3, { price: 'ask' })).status === 200);
    await act(id, 'resume');
    await reach(id, 'queued');
    const { rows } = await database().pool.query(
      'select row, price, class from rows where import_id = $1 and run = 2 order by row',
      [id],
    );
    expect(rows.map(({ price, class: rowClass }) => [price, rowClass])).toEqual([
      ['1.50', 'valid'],
      ['25', 'valid'],
      [null, 'warning'],
    ]);
    expect(await findImport(database().db, id)).toMatchObject({
      rows_run: 2,
      valid_products: 2,
      warning_products: 1,
      error_products: 0,
    });
  });
});

describe('finalize', () => {
  it('makes an edit wait without blocking others', async () => {
    const held = await holdDuplicates();
    const id = await upload(productCsv(5));
    await held.waitedFor();
    const edited = edit(id, 1, { title: 'New' });
    const paused = act(id, 'pause');
    expect(await Promise.race([edited.then(() => 'edit'), paused.then(() => 'pause')])).toBe('pause');
    expect(await paused).toMatchObject({ status: 200 });
    expect(await edited).toMatchObject({ status: 409, body: { code: 'busy' } });
  });

  it('counts duplicates correctly after an edit that made one and was undone', async () => {
    const csv = csvOf([['Title', 'Price', 'SKU'], ...[1, 2, 3].map((price) => ['Vase', `${price}`, 'SAME'])]);
    const paused = { status: 'paused', paused_from: 'processing', paused_by: 'operator' } as const;
    const { id } = await storedImport(stack, { csv, set: paused });
    await act(id, 'resume');
    await reach(id, 'processed');
    expect(await readFacets(database().db, { import_id: id, run: 1 })).toEqual([
      { class: 'valid', issue: '', rows: 3 },
      { class: 'valid', issue: 'any', rows: 2 },
      { class: 'valid', issue: 'check', rows: 2 },
      { class: 'valid', issue: 'duplicate', rows: 2 },
    ]);
  });
});

describe('an import that another transaction is changing', () => {
  it('answers every action with 409 and a sentence in time, and reads continue', async () => {
    const id = await processed(productCsv(4));
    const held = await hold('select 1 from imports where id = $1 for update', [id]);
    const actions = Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0 ? act(id, 'cancel') : edit(id, 1, { title: `New ${at}` }),
    );
    await held.waitedFor();
    const reads = ['/api/queue', `/api/queue/${id}`, `/api/queue/${id}/rows`, '/api/settings'];
    for (const path of [...reads, ...reads])
      expect(await stack.api.call('GET', path)).toMatchObject({ status: 200 });
    expect(await Promise.all(actions)).toEqual(
      actions.map(() =>
        expect.objectContaining({
          status: 409,
          body: {
            code: 'busy',
            message: 'Another operation is in progress. Try again in a moment.',
          },
        }),
      ),
    );
    await held.release();
    expect(await edit(id, 1, { title: 'New' })).toMatchObject({ status: 200 });
  });
});
