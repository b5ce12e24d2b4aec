import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { recordUpload } from '@draftshelf/core/imports/uploads';
import { beginExpiredRemovals } from '@draftshelf/core/operate/remove-old';
import { beginImport } from '@draftshelf/core/reading/begin-import';
import { type TakenFile, takeFile } from '@draftshelf/core/reading/take-file';
import { recordPhoto, releasePhotos } from '@draftshelf/core/scanner/photos';
import { requestTask } from '@draftshelf/core/work/background-tasks';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { photoAddress, photoKey, uploadKey } from '@draftshelf/domain/base/photo-address';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { createLogger } from '@draftshelf/runtime/logger';
import { workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { beforeEach, expect } from 'vitest';
import { createInstallationTasks, removeLeftovers } from '../../../apps/parse-worker/src/tasks.ts';
import { type Fixture, openFixture, productCsv, storedImport, storedUnder } from '../../support/fixture.ts';
import { claimKind, loseTasks, quietRunner } from '../../support/tasks.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const test = testOnFixture();
beforeEach(async () => void (await fixture.database.pool.query('delete from uploads')));

type Database = Fixture['database'];
const sweep = (database: Database = fixture.database) =>
  removeLeftovers(database, fixture.storage, { signal: new AbortController().signal });
/** Sets Postgres' clock ahead of the last sweep by hours; negative: back. */
const passHours = (hours: number, { pool }: Database = fixture.database) =>
  pool.query(`update uploads set swept_at = swept_at - interval '1 hour' * $1`, [hours]);
const passSweeps = async (count: number, database: Database = fixture.database) => {
  for (let n = 0; n < count; n += 1) {
    await passHours(2, database);
    expect(await sweep(database)).toBe(0);
  }
};
/** As `passSweeps(23)`: the next sweep finds the upload left over. */
const passAllButOne = ({ pool }: Database = fixture.database) => pool.query('update uploads set sweeps = 23');
const put = (key: string) => putStream(fixture.storage, key, Readable.from([Buffer.from('Title,Price\n')]));
const putRecorded = async (key: string) => {
  await recordUpload(fixture.database.db, key);
  await put(key);
};
const taken = (database: Database = fixture.database): Promise<TakenFile> =>
  takeFile(Readable.from([Buffer.from(productCsv(2))]), {
    db: database.db,
    storage: fixture.storage,
    limits: { ...readLimitsDefault, csvBytesMax: 1_000, archiveBytesMax: 20_000 },
  });
const begin = (file: TakenFile, { db }: Database = fixture.database) =>
  db
    .transaction()
    .execute((trx) =>
      beginImport(trx, file, { filename: 'a.csv', testMode: false, enableUpc: false, enableAi: false }),
    );
const exists = async (key: string) => (await storedUnder(fixture.storage, key)).length > 0;

test('files of interrupted uploads are removed after a day, an import keeps its file and its transcript', async () => {
  const record = await begin(await taken());
  const transcript = `${record.object_key}.utf-16le.utf8`;
  await putRecorded(transcript);
  const { objectKey: left } = await taken();
  await put(`${left}.utf-16le.utf8`);
  await put(`${left}.t256v1`);
  const table = `${record.object_key}.t1v1`;
  await putRecorded(table);
  await recordUpload(fixture.database.db, 'files/parts.csv');
  await fixture.storage.client.initiateNewMultipartUpload(fixture.storage.bucket, 'files/parts.csv', {});
  await passSweeps(23);
  await passHours(2);
  expect(await sweep()).toBe(4);
  const all = [left, record.object_key, transcript, table].map(exists);
  expect(await Promise.all(all)).toEqual([false, true, true, true]);
  await passHours(2);
  expect(await sweep()).toBe(0);
  expect((await fixture.database.pool.query('select * from uploads')).rows).toEqual([]);
});

test('a workbook and the text of its sheet stay together, and go together when the file is too old', async () => {
  const rows = [
    ['Title', 'Price'],
    ['Lamp', 1],
  ];
  const book = Buffer.from(await workbookFile({ sheets: [{ name: 'Prices', rows }] }));
  const options = { db: fixture.database.db, storage: fixture.storage };
  const limits = { ...readLimitsDefault, csvBytesMax: 20_000, archiveBytesMax: 20_000 };
  const workbook = async () => begin(await takeFile(Readable.from([book]), { ...options, limits }));
  const [old, kept] = [await workbook(), await workbook()];
  const objects = async () =>
    Promise.all(
      [old, kept].map(async ({ object_key }) => (await storedUnder(fixture.storage, object_key)).length),
    );
  await fixture.database.pool.query(
    `with changed as (update imports set status = 'completed' where id = $1)
       update runs set completed_at = now() - interval '1 year' where import_id = $1 and stage = 'parse'`,
    [old.id],
  );
  const retention = { keepRowsDays: null, keepFilesDays: 300 };
  expect(await beginExpiredRemovals(fixture.database, retention)).toBe(1);
  expect(await objects()).toEqual([2, 2]);
  await passSweeps(23);
  await passHours(2);
  expect(await sweep()).toBe(2);
  expect(await objects()).toEqual([0, 2]);
});

test('uploads, and photos that no product names, are removed after a day', async () => {
  const { db, pool } = fixture.database;
  const ids = Array.from({ length: 4 }, () => randomUUID());
  const [unsaved = '', named = '', upload = '', released = ''] = ids;
  for (const id of [unsaved, named, released]) {
    expect(await recordPhoto(db, id)).toBe(true);
    await put(photoKey(id));
  }
  await putRecorded(uploadKey(upload));
  await pool.query(
    `insert into scanned_products (id, name, price, sku, dimensions, weight, photos)
     values ($1, 'Vase', '1.00', 'V', '{}', '{}', $2)`,
    [randomUUID(), [photoAddress(named)]],
  );
  const both = [released, named].map(photoAddress);
  expect(await releasePhotos(db, both)).toEqual([photoKey(released)]);
  expect(await recordPhoto(db, released)).toBe(false);
  // Storage was away when it was released: the next sweep removes it.
  expect(await sweep()).toBe(1);
  await recordPhoto(db, named);
  await passSweeps(23);
  await passHours(2);
  expect(await sweep()).toBe(2);
  expect(await exists(photoKey(named))).toBe(true);
  for (const key of [photoKey(unsaved), photoKey(released), uploadKey(upload)]) {
    expect(await exists(key)).toBe(false);
  }
  expect((await pool.query('select * from uploads')).rows).toEqual([]);
});

test('no clock that jumps, and no worker that restarts, makes an upload in progress a left-over', async () => {
  const file = await taken();
  for (const hours of [
    1_000, -1_000, 48, -48, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]) {
    await passHours(hours);
    expect(await sweep()).toBe(0);
  }
  const record = await begin(file);
  expect(await exists(record.object_key)).toBe(true);
});

test('a file that may have been removed does not become an import', async () => {
  const file = await taken();
  await passAllButOne();
  await passHours(2);
  await sweep();
  await expect(begin(file)).rejects.toThrow('may have been removed');
});

test('installations on one bucket keep their files, with databases of their own and with a copy', async () => {
  const other = await openFixture();
  const records = [await begin(await taken()), await begin(await taken(other.database), other.database)];
  // As stored by earlier versions, with no import in this database.
  await put('imports/earlier.csv');
  const file = await taken();
  const { rows } = await fixture.database.pool.query('select * from uploads');
  for (const row of rows) {
    await other.database.pool.query('insert into uploads (object_key, database_id) values ($1, $2)', [
      row.object_key,
      row.database_id,
    ]);
  }
  await passAllButOne(other.database);
  await passSweeps(2, other.database);
  await passSweeps(2);
  const copied = await begin(file);
  for (const { object_key } of [...records, copied]) expect(await exists(object_key)).toBe(true);
  expect(await exists('imports/earlier.csv')).toBe(true);
  await other.close();
});

test('one worker at a time does it, when it starts', async () => {
  const { database, storage } = fixture;
  await storedImport(fixture, { csv: productCsv(2) });
  await putRecorded('files/start.csv');
  await passAllButOne();
  await passHours(2);
  const logger = createLogger({ name: 'test', level: 'silent', pretty: false });
  const { 'remove-left-overs': handler } = createInstallationTasks({
    database,
    storage,
    retention: {},
    logger,
  });
  const runner = quietRunner({ handlers: { 'remove-left-overs': handler }, database });
  await requestTask(database.db, 'remove-left-overs');
  expect(await claimKind(database.db, 'remove-left-overs')).toBeDefined();
  await runner.runDue();
  expect(await exists('files/start.csv')).toBe(true);
  await loseTasks(database);
  await runner.runDue();
  expect(await exists('files/start.csv')).toBe(false);
  await runner.stop();
});
