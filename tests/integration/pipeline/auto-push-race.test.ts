import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { pushDueImports } from '@draftshelf/core/folders/auto-push';
import { findImport } from '@draftshelf/core/imports/imports';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { expect } from 'vitest';
import { editRow } from '../../support/edit-row.ts';
import { productCsv } from '../../support/fixture.ts';
import { folderImport } from '../../support/folder-import.ts';
import { isLong } from '../../support/queue-backend.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const test = testOnApi();
test.beforeAll(({ fixture: { database } }) => upsertShop(database.db, shop));

const shop = { shop: 'race.myshopify.com', url: 'http://127.0.0.1:9', currency: 'CAD' };
const store = async () => ({ url: shop.url });
const sweep = () => pushDueImports(fixture.database.db, store);
const read = async (id: string) => (await findImport(fixture.database.db, id)) as ImportRecord;
const answer = (id: string, action: 'now' | 'stop') =>
  api.call('POST', `/api/queue/${id}/auto-push`, { body: { action } });

/** An import that full-auto has decided to push at a time, without a worker that reads it. */
async function planned(path: string, inMinutes: number, mode: 'full-auto' | 'manual' = 'full-auto') {
  const { id } = await folderImport(fixture, { csv: productCsv(3), path, mode });
  await fixture.database.pool.query(
    `with changed as (update imports set status = 'processed', rows_run = 1, auto_push_at = now() + $2 * interval '1 minute' where id = $1)
       update runs set valid_products = 3, open_chunks = 0, completed_at = now() where import_id = $1 and stage = 'parse'`,
    [id, inMinutes],
  );
  return id;
}
const pushRuns = async (id: string) =>
  (await fixture.database.pool.query(`select 1 from runs where import_id = $1 and stage = 'push'`, [id])).rows
    .length;

test.runIf(isLong)(
  'two sweeps and a Stop in the same instant: the import is pushed once, or not at all',
  async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const id = await planned(`race-${round}.csv`, 0);
      const begun = [answer(id, 'stop'), sweep(), sweep()];
      if (round % 2 === 0) begun.reverse();
      const [first, , last] = await Promise.all(begun);
      const reply = (round % 2 === 0 ? last : first) as Awaited<ReturnType<typeof answer>>;
      const { status, auto_push_at, auto_held } = await read(id);
      expect(auto_push_at).toBeNull();
      if (reply.status === 200) {
        expect({ status, auto_held, runs: await pushRuns(id) }).toMatchObject({
          status: 'processed',
          auto_held: expect.stringContaining('you stopped it'),
          runs: 0,
        });
      } else {
        expect(reply).toMatchObject({
          status: 409,
          body: { message: 'The push has already begun. Pause it instead.' },
        });
        expect({ status, auto_held, runs: await pushRuns(id) }).toEqual({
          status: 'uploading',
          auto_held: null,
          runs: 1,
        });
      }
      outcomes.add(status);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  },
);

test('before its time nothing is pushed; Push Now begins it, Stop ends it, and there is nothing to stop then', async () => {
  const id = await planned('later.csv', 5);
  await sweep();
  expect(await read(id)).toMatchObject({ status: 'processed', push_run: 0 });
  const { body } = await api.call('GET', `/api/queue/${id}?rows=0`);
  expect(body).toMatchObject({
    job: { autoMode: 'full-auto', autoPushAt: expect.any(String), autoHeld: null },
  });
  expect(await answer(id, 'now')).toMatchObject({
    status: 200,
    body: { job: { status: 'uploading', autoPushAt: null } },
  });
  expect(await pushRuns(id)).toBe(1);
  expect((await answer(id, 'now')).status).toBe(409);

  const stopped = await planned('stopped.csv', 5);
  expect(await answer(stopped, 'stop')).toMatchObject({
    status: 200,
    body: {
      job: { status: 'processed', autoPushAt: null, autoHeld: expect.stringContaining('you stopped it') },
    },
  });
  await sweep();
  expect(await pushRuns(stopped)).toBe(0);
  expect(await answer(stopped, 'stop')).toMatchObject({
    status: 409,
    body: { message: 'No push is planned for this import.' },
  });
  expect((await answer(stopped, 'now')).status).toBe(409);
  expect(
    (await api.call('POST', `/api/queue/${stopped}/auto-push`, { body: { action: 'later' } })).status,
  ).toBe(400);
});

test('a pause, a re-read, an edit, a held price and a newer version of the file end a planned push', async () => {
  const { pool } = fixture.database;
  const isHeld = async (id: string, reason: string) =>
    expect(await read(id)).toMatchObject({ auto_push_at: null, auto_held: expect.stringContaining(reason) });

  const reread = await planned('reread.csv', 5);
  expect((await api.call('POST', `/api/queue/${reread}/dialect`, { body: { delimiter: ';' } })).status).toBe(
    200,
  );
  await isHeld(reread, 're-read');

  const older = await planned('prices.csv', 5);
  const other = await planned('others.csv', 5);
  await folderImport(fixture, { csv: productCsv(4), path: 'prices.csv', mode: 'full-auto' });
  await isHeld(older, 'a newer version of this file arrived');
  expect(await read(other)).toMatchObject({ auto_held: null });

  const paused = await folderImport(fixture, { csv: productCsv(2), path: 'paused.csv', mode: 'full-auto' });
  await api.call('POST', `/api/queue/${paused.id}/pause`);
  await isHeld(paused.id, 'it was paused');

  const edited = await planned('edited.csv', 5);
  await pool.query(
    `insert into rows (import_id, run, row, line, product, byte_from, class, enrichable, title, price, cells)
     values ($1, 1, 1, 2, 1, 20, 'valid', false, 'Vase', '1.50', '["Vase 1","1.50","V-1"]')`,
    [edited],
  );
  const done = await fixture.database.db
    .transaction()
    .execute((trx) => editRow(trx, edited, 1, { title: 'Another' }));
  expect(done).toMatchObject({ ok: true });
  await isHeld(edited, 'the import was changed');
});

test('an import that arrived under another mode is never pushed, whatever the setting is now', async () => {
  await api.call('POST', '/api/settings', { body: { autoProcessMode: 'full-auto' } });
  const id = await planned('manual.csv', 0, 'manual');
  await sweep();
  expect(await read(id)).toMatchObject({ status: 'processed', push_run: 0 });
});

test('what is decided is decided once more before the push: a store that is gone holds it', async () => {
  const id = await planned('no-store.csv', 0);
  await pushDueImports(fixture.database.db, async () => null);
  expect(await read(id)).toMatchObject({
    push_run: 0,
    auto_held: 'Not pushed: the store wasn’t connected. Connect it, then push.',
  });
});

test('another store that was connected before the push holds it, if its currency is another one', async () => {
  const { db } = fixture.database;
  const id = await planned('other-store.csv', 0);
  const other = { shop: 'other.myshopify.com', url: 'http://127.0.0.1:8', currency: 'EUR' };
  await upsertShop(db, other);
  await pushDueImports(db, async () => ({ url: other.url }));
  expect(await read(id)).toMatchObject({
    push_run: 0,
    auto_held:
      'Not pushed: prices were checked in CAD, but the store that is connected uses EUR. Check the prices, then push.',
  });
  // A store that nobody has read yet may have any currency.
  const unknown = await planned('unknown-store.csv', 0);
  await pushDueImports(db, async () => ({ url: 'http://127.0.0.1:7' }));
  expect((await read(unknown)).auto_held).toContain('of the connected store wasn’t known');
});

test('an import whose data cannot be checked is left to a person, and does not keep others from being pushed', async () => {
  const damaged = await planned('damaged.csv', 0);
  await fixture.database.pool.query('update runs set mapping = null where import_id = $1', [damaged]);
  const sound = await planned('sound.csv', 0);
  await expect(sweep()).rejects.toThrow();
  expect((await read(sound)).status).toBe('uploading');
  expect((await read(damaged)).auto_held).toContain('couldn’t be checked');
  await sweep();
});
