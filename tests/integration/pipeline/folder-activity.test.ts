import { saveSettings } from '@draftshelf/core/access/settings';
import { beginLook, endLook, recordTrouble } from '@draftshelf/core/folders/sources';
import { summarizeFolders } from '@draftshelf/core/folders/summarize-folders';
import { moveStatus } from '@draftshelf/core/imports/imports';
import { expect } from 'vitest';
import { productCsv } from '../../support/fixture.ts';
import { folderImport } from '../../support/folder-import.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const test = testOnFixture();

const summarize = () => fixture.database.db.transaction().execute(summarizeFolders);
const set = (path: string, columns: string) =>
  fixture.database.pool.query(`update imports set ${columns} where source_path = $1`, [path]);
const arrives = (path: string) => folderImport(fixture, { csv: productCsv(1), path, mode: 'validate-only' });

/** The activities since the last call that begin with the name of a watched folder. */
async function told(): Promise<string[]> {
  const { rows } = await fixture.database.pool.query(
    `delete from activity where message ilike '%local folder%' or import_id is not null returning type, message, import_id`,
  );
  return rows.filter(({ import_id }) => import_id === null).map(({ type, message }) => `${type} ${message}`);
}

test('the files of a look are one line, once all have been read; without the setting there is none', async () => {
  await arrives('quiet.csv');
  await set('quiet.csv', `status = 'processed'`);
  await summarize();
  await saveSettings(fixture.database.db, { notifyOnCompletion: true });
  await summarize();
  expect(await told()).toEqual([]);

  for (const path of ['a.csv', 'b.csv', 'c.csv']) await arrives(path);
  await set('a.csv', `status = 'processed'`);
  await set('b.csv', `status = 'queued'`);
  await summarize();
  expect(await told()).toEqual([]);
  await set('c.csv', `status = 'completed', created = 240`);
  await summarize();
  await summarize();
  expect(await told()).toEqual([
    'other Local folder: 3 files imported, 1 without problems, 1 needs your review. 240 drafts created.',
  ]);

  // What full-auto will still push is waited for, but no longer than 30 minutes.
  await arrives('late.csv');
  await set(
    'late.csv',
    `status = 'processed', auto_mode = 'full-auto', auto_push_at = now() + interval '1 hour'`,
  );
  await summarize();
  expect(await told()).toEqual([]);
  await set('late.csv', `created_at = now() - interval '31 minutes'`);
  await summarize();
  expect(await told()).toEqual(['completed Local folder: 1 file imported, 1 without problems.']);
});

test('many files that arrive together are told in one line at their begin and one at their end', async () => {
  const { database } = fixture;
  const { db, pool } = database;
  const { rows } = await pool.query(
    `insert into watch_sources (kind, place_key) values ('local', '/watched')
     on conflict (kind) do update set place_key = excluded.place_key returning id`,
  );
  await pool.query(
    `insert into watched_files (source, place_key, file_key, version, name, bytes, state)
     select $1, '/watched', 'many-' || nth, '1', 'many-' || nth, 10, 'waiting' from generate_series(1, 11) nth`,
    [rows[0].id],
  );
  await saveSettings(db, { notifyOnCompletion: false });
  const names = Array.from({ length: 12 }, (_, nth) => `many-${nth}.csv`);
  const records = [];
  for (const name of names) {
    records.push(await arrives(name));
    await pool.query(`delete from watched_files where id = (select min(id) from watched_files)`);
  }
  for (const [nth, { id }] of records.entries()) {
    const move = { from: ['processing'], to: 'processed', event: 'processed' } as const;
    if (nth > 0) await db.transaction().execute((trx) => moveStatus(trx, id, move));
    await summarize();
  }
  // What needs a person is told with its cause.
  const failed = { from: ['processing'], to: 'failed', event: 'failed' } as const;
  const first = records[0]?.id ?? '';
  await db
    .transaction()
    .execute((trx) => moveStatus(trx, first, { ...failed, set: { error_message: 'Why.' } }));
  await summarize();
  const entries = async () =>
    (await pool.query('with told as (delete from activity returning *) select message from told order by id'))
      .rows;
  expect((await entries()).map(({ message }) => message)).toEqual([
    'Processing 12 files from the watched folder.',
    'many-0.csv failed: Why.',
    'Local folder: 12 files imported, 11 without problems, 1 failed.',
  ]);

  await arrives('alone.csv');
  expect((await entries()).map(({ message }) => message)).toEqual([
    'Processing alone.csv from the watched folder.',
  ]);
  await set('alone.csv', `status = 'processed'`);
  await summarize();
  expect(await entries()).toEqual([]);
});

test('refused files are one line, once, when no file of the folder is about to be read', async () => {
  const { pool } = fixture.database;
  const { rows } = await pool.query(
    `insert into watch_sources (kind, place_key) values ('local', '/watched')
     on conflict (kind) do update set place_key = excluded.place_key returning id`,
  );
  const file = (name: string, state: string, reason: string | null = null) =>
    pool.query(
      `insert into watched_files (source, place_key, file_key, version, name, bytes, state, reason)
       values ($1, '/watched', $2, '1', $2, 10, $3, $4)`,
      [rows[0].id, name, state, reason],
    );
  await file('prices.xlsx', 'refused', 'This is an Excel workbook.');
  await file('next.csv', 'waiting');
  await summarize();
  expect(await told()).toEqual([]);
  // A file of an earlier place is not read any more.
  await pool.query(`update watched_files set place_key = '/former' where name = 'next.csv'`);
  await summarize();
  await summarize();
  expect(await told()).toEqual(['other Local folder: prices.xlsx was refused. This is an Excel workbook.']);
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'])
    await file(name, 'refused', 'This isn’t a CSV file.');
  await summarize();
  expect(await told()).toEqual(['other Local folder: 4 files were refused: a.pdf, b.pdf, c.pdf and 1 more.']);
});

test('trouble is told once when it begins, and once when it ends', async () => {
  const { db, pool } = fixture.database;
  const { rows } = await pool.query(
    `insert into watch_sources (kind, state) values ('local', 'ok')
     on conflict (kind) do update set state = 'ok' returning id`,
  );
  const trouble = { kind: 'not found', message: 'The folder is gone.', detail: null, waitMs: 0 } as const;
  const fail = () => db.transaction().execute((trx) => recordTrouble(trx, { id: rows[0].id }, trouble));
  await fail();
  await fail();
  expect(await told()).toEqual(['error The local folder can’t be read. The folder is gone.']);
  const read = async () => {
    await pool.query(`update watch_sources set next_look_at = now(), blocked_until = null`);
    const look = await beginLook(db, 'local');
    if (!look) throw new Error('The look is not due');
    const found = {
      cursor: null,
      more: false,
      isEmptyBaseline: false,
      files: 0,
      everyMs: 0,
    };
    await db.transaction().execute((trx) => endLook(trx, look, found));
  };
  await read();
  await read();
  expect(await told()).toEqual(['completed The local folder is read again.']);
});
