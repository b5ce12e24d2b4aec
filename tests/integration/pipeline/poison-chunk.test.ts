import type { DeadWorkPage } from '@draftshelf/contract/operate/dead-work';
import { findImport } from '@draftshelf/core/imports/imports';
import { expect } from 'vitest';
import { productCsv, storedImport, until } from '../../support/fixture.ts';
import { testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(['parse-worker']);

/** A worker may take this long to get the chunk of a killed one. */
const againMsMax = 60_000;

test('a chunk that kills its worker each time is dead, is listed, and its import can be given up', async ({
  stack,
}) => {
  const { pool, db } = stack.database;
  const holder = await pool.connect();
  try {
    const { id } = await storedImport(stack, {
      csv: productCsv(3),
      set: { status: 'paused', paused_from: 'processing' },
    });
    // Nine claims have ended with their worker before.
    await pool.query('update chunks set claims = 9 where import_id = $1', [id]);
    const claims = async () =>
      (await pool.query('select max(claims) as claims from chunks where import_id = $1', [id])).rows[0]
        ?.claims;
    await pool.query(`update imports set status = 'processing', paused_from = null where id = $1`, [id]);
    await holder.query('set idle_in_transaction_session_timeout = 0');
    await holder.query('begin');
    // The worker cannot complete the chunk, so it has it when it is killed.
    await holder.query('select from imports where id = $1 for no key update', [id]);
    await until('the tenth claim', async () => (await claims()) === 10);
    stack.process('parse-worker').kill('SIGKILL');
    await stack.process('parse-worker').ended;
    await stack.start('parse-worker');
    await until('the eleventh claim', async () => (await claims()) === 11, againMsMax);
    await holder.query('rollback');
    const listed = async () => {
      const { body } = (await stack.api.call('GET', '/api/system/dead-work')) as { body: DeadWorkPage };
      return body.items;
    };
    await until('it is listed', async () => (await listed()).length === 1);
    const cause =
      'Started 11 times and never finished: each time its process was killed or lost its connection.';
    expect(await listed()).toMatchObject([{ importId: id, cause, technical: null, part: 'Rows 1–3' }]);
    const dead = `select cause from chunks where import_id = $1 and state = 'dead'`;
    const { rows } = await pool.query(dead, [id]);
    expect(rows).toEqual([
      {
        cause: 'Started # times and never finished: each time its process was killed or lost its connection',
      },
    ]);
    await until('its import has failed', async () => (await findImport(db, id))?.status === 'failed');
    expect((await stack.api.call('POST', `/api/system/dead-work/${id}/give-up`)).status).toBe(200);
    expect(await listed()).toEqual([]);
  } finally {
    holder.release(true);
  }
});
