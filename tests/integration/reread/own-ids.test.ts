import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { deriveOurId, deriveOurIdInSql } from '@draftshelf/core/imports/our-id';
import { expect } from 'vitest';
import { productCsv } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(pushers);
const { read, reach, push, edit } = pushSteps(() => stack);
const { upload, rowsOf } = importSteps(() => stack);

const reread = (id: string, dialect: object) =>
  stack.api.call('POST', `/api/queue/${id}/dialect`, { body: dialect });

const setRow = (id: string, row: number, set: { own_id?: string; byte_from?: number }) =>
  stack.database.db
    .updateTable('rows')
    .set(set)
    .where('import_id', '=', id)
    .where('row', '=', row)
    .executeTakeFirstOrThrow();

const ourIds = async (record: ImportRecord) =>
  (await rowsOf(record.id)).map((row) => deriveOurId(record, row));

const listedIds = async () => {
  const listings = await stack.database.db.selectFrom('listings').select('our_id').execute();
  return listings.map((listing) => listing.our_id);
};

test('our id is the same in TypeScript and in SQL', async () => {
  const id = await upload(productCsv(4));
  const record = await reach(id, 'processed');
  await setRow(id, 2, { own_id: 'own-2' });
  // Rows without an offset in the file have made-up ones.
  await setRow(id, 3, { byte_from: -(2 ** 33) });
  await setRow(id, 4, { byte_from: 2 ** 40 });
  const { db } = stack.database;
  const inSql = await db
    .selectFrom('rows')
    .select(deriveOurIdInSql(record).as('id'))
    .where('import_id', '=', id)
    .orderBy('row')
    .execute();
  const ids = await ourIds(record);
  expect(inSql.map((row) => row.id)).toEqual(ids);
  expect(ids[1]).toBe('own-2');
  expect(new Set(ids).size).toBe(4);
});

test.runIf(isLong)(
  'a re-read keeps own ids, under new row numbers and in an encoding that needs a transcript',
  async () => {
    const id = await upload('Note\nTitle,Price\nLamp,10\nVase,20\n', { dialect: '{"headerRecord":0}' });
    await reach(id, 'queued');
    await edit(id, 2, { title: 'Lamp', price: '10' });
    await edit(id, 3, { title: 'Vase', price: '20' });
    await setRow(id, 3, { own_id: 'own-vase' });
    const [, ...ids] = await ourIds(await read(id));
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 2, skipped: 1 });
    const listed = await listedIds();
    expect(listed).toEqual(expect.arrayContaining(ids));
    expect(ids[1]).toBe('own-vase');
    // As if the lamp had been the product of another import.
    await stack.database.pool.query(
      `update outcomes set our_id = 'of-another', outcome = 'updated' where import_id = $1 and product = 2`,
      [id],
    );

    await reread(id, { headerRecord: 1 });
    const renumbered = await reach(id, 'processed');
    expect(await ourIds(renumbered)).toEqual(ids);
    expect(renumbered).toMatchObject({ created: 1, updated: 1, skipped: 0 });

    await reread(id, { encoding: 'gb18030' });
    const transcribed = await reach(id, 'processed');
    expect(await ourIds(transcribed)).toEqual(ids);
    expect(transcribed).toMatchObject({ rows_run: 3, created: 1, updated: 1 });
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 0, unchanged: 2 });
    expect(await listedIds()).toEqual(listed);
    expect((await stack.store.stats()).products).toBe(2);
  },
);
