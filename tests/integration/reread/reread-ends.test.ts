import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { readFacets } from '@draftshelf/core/review/row-facets';
import { pauseImport } from '@draftshelf/core/work/import-actions';
import { currentRows } from '@draftshelf/core/work/runs';
import { describe, expect } from 'vitest';
import { editRow } from '../../support/edit-row.ts';
import { until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { upload, read, reach } = importSteps(() => stack);

const database = () => stack.database;

const change = (id: string, body: object) => stack.api.call('POST', `/api/queue/${id}/dialect`, { body });

async function edit(id: string, row: number, values: Record<string, string>): Promise<void> {
  const edited = await database()
    .db.transaction()
    .execute((trx) => editRow(trx, id, row, values));
  expect(edited).toMatchObject({ ok: true });
}

/** Everything that an operator can see of an import, except what changes with every reply. */
async function stateOf(id: string) {
  // The re-read was a start too; a late chunk is known by it.
  const { version: _, starts: _s, ...record } = await read(id);
  const { db } = database();
  // A task removes the rows of a run that was abandoned.
  const { tasks: _t, ...job } = (await stack.api.call('GET', `/api/jobs/${id}`)).body as Record<
    string,
    unknown
  >;
  return {
    record,
    rows: await readRowPage(db, currentRows(record), { after: 0, limit: 1000 }),
    facets: await readFacets(db, currentRows(record)),
    edits: await db.selectFrom('edits').selectAll().where('import_id', '=', id).orderBy('id').execute(),
    outcomes: await db
      .selectFrom('outcomes')
      .selectAll()
      .where('import_id', '=', id)
      .where('rows_run', '=', record.rows_run)
      .orderBy('product')
      .execute(),
    job,
  };
}

/** Makes storing rows of later runs fail. */
async function refuseRows(id: string): Promise<void> {
  await onTable(id, 'before insert on rows', 'new.import_id', 'new.run > 1');
}

/** Makes later runs fail when they become current. */
async function refuseFinalize(id: string): Promise<void> {
  await onTable(id, 'before update of rows_run on imports', 'new.id', 'new.rows_run > 1');
}

async function onTable(id: string, when: string, of: string, which: string): Promise<void> {
  const name = `refuse_${id.replaceAll('-', '')}_${when.split(' ').at(-1)}`;
  await database().pool.query(`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if ${of} = '${id}' and ${which} then raise exception 'relation 4711 is broken'; end if;
      return new;
    end $$;
    create trigger ${name} ${when} for each row execute function ${name}()`);
}

/** A file that was pushed and then edited, so that all kinds of data exist. */
async function pushedAndEdited(): Promise<string> {
  const id = await upload('Title;Price;SKU\nLamp;10;A\nVase;;B\nBowl;30;C\n');
  await reach(id, 'queued');
  await edit(id, 1, { price: '11' });
  await stack.api.call('POST', `/api/queue/${id}/push`);
  await reach(id, 'completed');
  await edit(id, 3, { title: 'Blue Bowl' });
  await stack.api.call('POST', `/api/queue/${id}/ready`);
  await reach(id, 'processed');
  return id;
}

const undoneOf = (id: string) =>
  database()
    .db.selectFrom('chunks')
    .select(['id', 'stage', 'kind', 'state'])
    .where('import_id', '=', id)
    .where('state', 'in', ['pending', 'published'])
    .execute();

async function isReading(id: string): Promise<void> {
  await until('the new reading is under way', async () => {
    const { total_rows, parse_run } = await read(id);
    return total_rows !== 3 && parse_run === 2;
  });
}

describe('a re-read that is cancelled', () => {
  it('restores the import', async () => {
    const id = await pushedAndEdited();
    const before = await stateOf(id);
    await refuseRows(id);
    await change(id, { headerRecord: 1 });
    await isReading(id);
    const cancelled = await stack.api.call('POST', `/api/queue/${id}/cancel`, { body: { only: 'reread' } });
    expect(cancelled.body).toMatchObject({
      message: 'Re-read cancelled. The previous rows and your edits are kept.',
      job: { status: 'processed' },
    });
    expect(await stateOf(id)).toEqual(before);
    await until('nothing of it is left to be done', async () => (await undoneOf(id)).length === 0);
    expect(await stateOf(id)).toEqual(before);
  });

  it('restores the import in a pause too, with the edits made meanwhile', async () => {
    const id = await upload('Title;Price\nLamp;10\nVase;\n');
    await reach(id, 'queued');
    await database()
      .db.transaction()
      .execute(async (trx) => {
        await beginReread(trx, id, { dialect: { quote: "'" } });
        await pauseImport(trx, id);
      });
    await edit(id, 2, { price: '20' });
    expect((await stack.api.call('POST', `/api/queue/${id}/cancel`)).status).toBe(200);
    expect(await read(id)).toMatchObject({
      ...{ status: 'processed', paused_from: null, paused_by: null, parse_run: 1, rows_run: 1 },
      ...{ valid_products: 2, warning_products: 0, error_products: 0, total_products: 2 },
      ...{ total_rows: 2, parsed_rows: 2, processed_products: 2, open_chunks: 0 },
    });
    await change(id, { quote: "'" });
    expect(await reach(id, 'processed')).toMatchObject({ parse_run: 3, rows_run: 3, valid_products: 2 });
  });

  it('does not cancel the import if the re-read has ended meanwhile', async () => {
    const id = await upload('Title;Price\nLamp;10\n');
    await reach(id, 'processed');
    await change(id, { quote: "'" });
    await reach(id, 'processed');
    const late = await stack.api.call('POST', `/api/queue/${id}/cancel`, { body: { only: 'reread' } });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ message: 'The re-read has already finished.' });
    expect((await read(id)).status).toBe('processed');
  });

  it('differs from cancels of a first read and of the enrichment after a re-read, which cancel the import', async () => {
    const id = await upload('Title;Price\nLamp;10\n');
    await reach(id, 'processed');
    await change(id, { quote: "'" });
    await reach(id, 'processed');
    expect((await stack.api.call('POST', `/api/queue/${id}/cancel`)).body).toMatchObject({
      message: 'Import cancelled.',
      job: { status: 'cancelled' },
    });
  });
});

it('a push that left nothing in the store can be followed by a re-read, and then by a push that creates', async () => {
  const id = await upload('Title;Price;Sum\nBasin;call;10\nTap;call;20\n');
  await reach(id, 'queued');
  await stack.api.call('POST', `/api/queue/${id}/push`);
  expect(await reach(id, 'failed')).toMatchObject({ failed_in: 'push', skipped: 2, created: 0 });
  const before = await stateOf(id);
  await change(id, { headerRecord: 900 });
  await until(
    'the refused reading ends',
    async () => (await read(id)).error_count > before.record.error_count,
  );
  expect(await reach(id, 'failed')).toMatchObject({ failed_in: 'push', skipped: 2, rows_run: 1 });
  const mapped = await stack.api.call('PUT', `/api/queue/${id}/mapping`, {
    body: { Price: null, Sum: 'price' },
  });
  expect(mapped.status, JSON.stringify(mapped.body)).toBe(200);
  expect(await reach(id, 'processed')).toMatchObject({ valid_products: 2, failed_in: null });
  await stack.api.call('POST', `/api/queue/${id}/push`);
  expect(await reach(id, 'completed')).toMatchObject({ created: 2, skipped: 0 });
});

describe('a re-read that fails restores the import, with the cause', () => {
  /** The only allowed differences: the cause of the failure. */
  async function expectSame(id: string, before: Awaited<ReturnType<typeof stateOf>>, cause: object) {
    const { record, job, ...rest } = await stateOf(id);
    const { error_message, error_log, error_count, ...same } = record;
    expect({ error_message, error_log, error_count }).toEqual(cause);
    const { error_message: _m, error_log: _l, error_count: _c, ...sameBefore } = before.record;
    expect(same).toEqual(sameBefore);
    const { record: _r, job: jobBefore, ...restBefore } = before;
    expect(rest).toEqual(restBefore);
    const withoutErrors = { errorMessage: null, errorLog: null, errorCount: null };
    expect({ ...job, ...withoutErrors }).toEqual({ ...jobBefore, ...withoutErrors });
  }

  it('if its rows cannot be stored', async () => {
    const id = await pushedAndEdited();
    const before = await stateOf(id);
    await refuseRows(id);
    await change(id, { headerRecord: 1 });
    await reach(id, 'processed');
    await expectSame(id, before, {
      error_message:
        'The file couldn’t be re-read because of an internal error. See the error log. The previous rows were kept.',
      error_log: [...before.record.error_log, 'Rows 1–2: relation 4711 is broken'],
      error_count: before.record.error_count + 1,
    });
  });

  it('if its finalize fails', async () => {
    const id = await pushedAndEdited();
    const before = await stateOf(id);
    await refuseFinalize(id);
    await change(id, { headerRecord: 1 });
    await reach(id, 'processed');
    await expectSame(id, before, {
      error_message:
        'The file couldn’t be re-read because of an internal error. See the error log. The previous rows were kept.',
      error_log: [...before.record.error_log, 'While re-reading the file: relation 4711 is broken'],
      error_count: before.record.error_count + 1,
    });
    await change(id, { headerRecord: 900 });
    await until('the next one ends by itself', async () => (await read(id)).error_count > 1);
    expect(await reach(id, 'processed')).toMatchObject({ parse_run: 1, rows_run: 1 });
  });

  it('if it crashes every worker', async () => {
    const id = await pushedAndEdited();
    const before = await stateOf(id);
    await database()
      .db.transaction()
      .execute(async (trx) => {
        await beginReread(trx, id, { dialect: { headerRecord: 1 } });
        await trx.updateTable('chunks').set({ claims: 10 }).where('import_id', '=', id).execute();
      });
    await reach(id, 'processed');
    const cause =
      'Started 11 times and never finished: each time its process was killed or lost its connection';
    await expectSame(id, before, {
      error_message: `The file couldn’t be read with these settings: ${cause}. The previous rows were kept.`,
      error_log: [...before.record.error_log, `Re-reading the file: ${cause}`],
      error_count: before.record.error_count + 1,
    });
  });

  it('also if the first read had failed, which a retry then continues', async () => {
    const id = await upload('Title;Price\nDish;10\nJar;\n');
    await reach(id, 'queued');
    await database().pool.query(
      `with changed as (update imports set status = 'failed' where id = $1)
       update runs set failed_in = 'parse', error_message = 'The first reading failed.' where import_id = $1 and stage = 'parse'`,
      [id],
    );
    await database().pool.query(
      `update chunks set state = 'dead', error = 'a cause' where import_id = $1 and kind = 'work'`,
      [id],
    );
    await database().pool.query('update runs set ended_at = null where import_id = $1', [id]);
    await database().pool.query(`delete from rows where import_id = $1`, [id]);
    await database().pool.query(
      `update runs set parsed_rows = 0, valid_products = 0 where import_id = $1 and stage = 'parse'`,
      [id],
    );
    await change(id, { headerRecord: 900 });
    expect(await reach(id, 'failed')).toMatchObject({
      ...{ failed_in: 'parse', parse_run: 1, rows_run: 1 },
      error_message:
        'The first reading failed. The file couldn’t be read with these settings: no header row with data below it.',
    });
    expect((await stack.api.call('POST', `/api/queue/${id}/retry`)).status).toBe(200);
    await until('the rows are back', async () => (await read(id)).parsed_rows === 2);
  });
});
