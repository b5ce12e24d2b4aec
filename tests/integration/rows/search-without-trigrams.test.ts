import { randomBytes } from 'node:crypto';
import { openDatabase } from '@draftshelf/database/connection/database';
import { findImport } from '@draftshelf/database/imports/imports';
import { migrate } from '@draftshelf/database/migrations/migrate';
import { readFacets } from '@draftshelf/database/review/row-facets';
import { fillSearch } from '@draftshelf/database/review/search/fill-search';
import { readPage } from '@draftshelf/database/review/search/row-page';
import { hasTrigramIndex } from '@draftshelf/database/review/search/row-search';
import { currentRows } from '@draftshelf/database/work/runs';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { claimTask } from '../../support/claim-task.ts';
import { openFixture, productCsv, storedImport } from '../../support/fixture.ts';

test('a database without the extensions is migrated, and searched by reading rows', async () => {
  const fixture = await openFixture();
  const admin = new pg.Client({ connectionString: inject('services').postgresUrl });
  await admin.connect();
  const name = `plain_${randomBytes(6).toString('hex')}`;
  const url = new URL(fixture.databaseUrl);
  url.pathname = `/${name}`;
  await admin.query(`create role ${name} login password '${name}'`);
  await admin.query(`create database ${name}`);
  const owner = new pg.Client({ connectionString: url.href });
  await owner.connect();
  await owner.query(`grant create on schema public to ${name}`);
  await owner.end();
  url.username = name;
  url.password = name;
  const database = openDatabase({ connectionString: url.href, applicationName: 'draftshelf-test' });
  try {
    await migrate(database);
    expect(await hasTrigramIndex(database.db)).toBe(false);
    const { id } = await storedImport(
      { database, storage: fixture.storage },
      { csv: productCsv(300), set: { status: 'queued' } },
    );
    await database.pool.query(
      `insert into rows (import_id, run, row, line, byte_from, product, class, enrichable, title, cells)
       select $1, 1, i, i, i, i, 'valid', false, 'Vase ' || i, '[]' from generate_series(1, 300) i`,
      [id],
    );
    await database.pool.query('insert into row_facets values ($1, 1, $2, $3, 300)', [id, 'valid', '']);
    await database.pool.query('update runs set ended_at = now() where import_id = $1', [id]);
    const chunk = await claimTask(database, { import_id: id, run: 1 }, 'fill-search', 300);
    expect(await fillSearch(database.db, chunk)).toBe('done');
    const record = await findImport(database.db, id);
    if (!record) throw new Error('The import is gone');
    const facets = await readFacets(database.db, currentRows(record));
    const page = await readPage(database.db, record, facets, { q: 'VASE 29', limit: 25 });
    expect(page.rows.map(({ row }) => row)).toEqual([29, 290, 291, 292, 293, 294, 295, 296, 297, 298, 299]);
    expect(page).toMatchObject({ later: false, searchedTo: null });
  } finally {
    await database.close();
    await admin.query(`drop database ${name} with (force)`);
    await admin.query(`drop role ${name}`);
    await admin.end();
    await fixture.close();
  }
});
