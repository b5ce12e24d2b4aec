import { randomBytes } from 'node:crypto';
import { openDatabase, withPinnedConnection } from '@draftshelf/core/connection/database';
import { grantToAppRole } from '@draftshelf/core/migrations/app-role';
import { claimChunk } from '@draftshelf/core/work/claim-chunk';
import { expect, vi } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { test as base } from '../../support/test.ts';

const secret = "another'one @ %";

/** A connection with a role of its own. */
const test = base.extend('app', { scope: 'file' }, async ({ fixture }, { onCleanup }) => {
  const name = `app_${randomBytes(6).toString('hex')}`;
  const open = async (password: string) => {
    const url = new URL(fixture.databaseUrl);
    url.username = name;
    url.password = encodeURIComponent(password);
    expect(await grantToAppRole(fixture.database, url.href)).toBe(name);
    return openDatabase({ connectionString: url.href, applicationName: 'draftshelf-test' });
  };
  await (await open('the first')).close();
  await (await open('ﬁve\u00a0Küchen')).close();
  const database = await open(secret);
  onCleanup(async () => {
    await database.close();
    await fixture.database.pool.query(`drop owned by ${name}; drop role ${name}`);
  });
  return { name, ...database };
});

test('the role of api and workers reads and changes rows, and no tables', async ({ app }) => {
  await app.pool.query(`insert into login_failures (address) values ('192.0.2.1')`);
  for (const refused of [
    'create table more (id int)',
    'alter table imports add column more int',
    'drop table imports',
    'truncate imports',
    'delete from kysely_migration',
    'select * from pg_authid',
    "copy imports to '/tmp/stolen'",
    `create role more`,
  ]) {
    await expect(app.pool.query(refused), refused).rejects.toThrow(/permission denied|must be owner/);
  }
  const { rows } = await app.pool.query('select rolsuper from pg_roles where rolname = current_user');
  expect(rows).toEqual([{ rolsuper: false }]);
});

test('a claim ends the backend of the claim before it, without more rights', async ({ fixture, app }) => {
  const { id } = await storedImport(fixture, { csv: productCsv(1) });
  const pending = await app.db
    .selectFrom('chunks')
    .selectAll()
    .where('import_id', '=', id)
    .executeTakeFirstOrThrow();
  const frozen = withPinnedConnection(app, async ({ db, client }) => {
    expect(await claimChunk(db, pending)).toMatchObject({ claims: 1 });
    const second = await withPinnedConnection(app, (other) => claimChunk(other.db, pending));
    expect(second).toMatchObject({ claims: 2 });
    await client.query('select 1');
  });
  await expect(frozen).rejects.toThrow(/terminat|not queryable/);
});

test('jobs of the owner make way, because BullMQ changes its tables at each start', async ({
  fixture,
  app,
}) => {
  const { pool } = fixture.database;
  await pool.query('create schema bullmq');
  const url = new URL(fixture.databaseUrl);
  url.username = app.name;
  await grantToAppRole(fixture.database, url.href);
  expect((await pool.query(`select from pg_namespace where nspname = 'bullmq'`)).rowCount).toBe(0);
  await pool.query(`create schema bullmq authorization ${app.name}`);
  await grantToAppRole(fixture.database, url.href);
  expect((await pool.query(`select from pg_namespace where nspname = 'bullmq'`)).rowCount).toBe(1);
});

test('the owner needs no second role', async ({ fixture }) => {
  expect(await grantToAppRole(fixture.database, fixture.databaseUrl)).toBeNull();
});

test('the password is in no statement, and only it signs in', async ({ fixture, app }) => {
  const url = new URL(fixture.databaseUrl);
  url.username = app.name;
  url.password = encodeURIComponent(secret);
  const statements: string[] = [];
  const { pool } = fixture.database;
  const watched = {
    connect: async () => {
      const client = await pool.connect();
      const release = client.release.bind(client);
      const query = vi.spyOn(client, 'query');
      client.release = () => {
        statements.push(...query.mock.calls.map((sent) => JSON.stringify(sent)));
        query.mockRestore();
        release();
      };
      return client;
    },
  };
  await grantToAppRole({ pool: watched as unknown as typeof pool }, url.href);
  expect(statements.filter((text) => text.includes('SCRAM-SHA-256$4096:'))).toHaveLength(2);
  expect(statements.filter((text) => text.includes('another'))).toEqual([]);

  const signIn = async (password: string) => {
    url.password = encodeURIComponent(password);
    const own = openDatabase({ connectionString: url.href, applicationName: 'draftshelf-test' });
    return own.pool.query('select current_user as name').finally(own.close);
  };
  expect((await signIn(secret)).rows).toEqual([{ name: app.name }]);
  await expect(signIn(`${secret} `)).rejects.toThrow('password authentication failed');
  const { rows } = await pool.query('select rolpassword from pg_authid where rolname = $1', [app.name]);
  expect(rows[0].rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
});
