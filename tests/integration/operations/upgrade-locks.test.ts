import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { migrate } from '@draftshelf/database/migrations/migrate';
import { appliedMigrations } from '@draftshelf/database/migrations/schema-gate';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openEmptyInstallation } from '../../support/empty-installation.ts';
import { type Fixture, lockWaiters, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';

/** What b6bf304 had applied. */
const oldSchema = '0010-source-keys';
const imports = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const [rowsPerImport, listings] = isLong ? [700_000, 1_000_000] : [3_000, 10_000];
/** Longest that anybody may wait for a migration. */
const waitMsMax = 1_000;

/** A database of b6bf304 with rows, their counts, edits, search texts and listings, some with NUL in their JSON. */
async function openOld(): Promise<Fixture> {
  const fixture = await openEmptyInstallation();
  onTestFinished(fixture.close);
  await migrate(fixture.database, oldSchema);
  const { pool } = fixture.database;
  for (const id of imports) await storeImport(pool, id);
  await pool.query(
    `insert into listings (shop, our_id, sent)
     select 'shop', 'id' || n, ('{"title":"' || repeat('word ', 30) || case when n % 50 = 0 then '\\u0000' else '' end || '"}')::json
     from generate_series(1, ${listings}) n`,
  );
  await pool.query('analyze rows, row_search, row_findings, row_bitmaps, row_facets, listings, edits');
  return fixture;
}

async function storeImport(pool: pg.Pool, id: string): Promise<void> {
  await pool.query(
    `insert into imports (id, filename, file_bytes, sha256, object_key, status, test_mode, enable_upc, enable_ai,
       open_chunks, total_rows, total_products, product_numbers)
     values ($1::uuid, 'a.csv', 1, '', $1::text, 'processed', false, false, false, 0, 1, 1, 1)`,
    [id],
  );
  const series = `generate_series(1, ${rowsPerImport}) n`;
  await pool.query(
    `insert into rows (import_id, run, row, line, product, byte_from, class, enrichable, cells, issues)
     select $1::uuid, 1, n, n, n, n, case when n % 7 = 0 then 'error' else 'warning' end, false, '["a","b","c"]',
       case when n % 10 = 0 then 4503599627370496 + 1 else n % 3 end from ${series}`,
    [id],
  );
  await pool.query(
    `insert into row_search (import_id, run, row, text)
     select $1::uuid, 1, n, 'blue vase number ' || n from ${series} where n % 2 = 0`,
    [id],
  );
  await pool.query(
    `insert into row_findings (import_id, run, row, code, field, first_row)
     select $1::uuid, 1, n, 'duplicate', 'sku', 1 from ${series} where n % 4 > 0`,
    [id],
  );
  await pool.query(
    `insert into row_bitmaps (import_id, run, class, issue, block, rows)
     select $1::uuid, 1, class, issue, block, (repeat('0011', 256))::bit(1024)
     from generate_series(0, ${Math.floor(rowsPerImport / 1024)}) block, unnest('{error,warning}'::text[]) class,
       unnest('{"",price-missing,invalid-utf8,sku-too-long,any,left-out}'::text[]) issue`,
    [id],
  );
  await pool.query(
    `insert into row_facets (import_id, run, class, issue, rows)
     select import_id, run, class, issue, sum(bit_count(rows)) from row_bitmaps where import_id = $1
     group by 1, 2, 3, 4`,
    [id],
  );
  const { rows } = await pool.query(
    `insert into edit_commands (import_id, kind, rows) values ($1, 'bulk', 1) returning id`,
    [id],
  );
  await pool.query(
    `insert into edits (import_id, command, row, byte_from, field, before, after)
     select $1::uuid, $2::uuid, n, n, 'price', '1', '2' from ${series}`,
    [id, rows[0].id],
  );
}

/** Starts the process that migrates, as in compose. */
function startMigrate({ databaseUrl }: Fixture) {
  const main = fileURLToPath(import.meta.resolve('@draftshelf/queues/migrate-main'));
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended };
}

/** A connection of its own that holds locks. */
async function holderOf({ databaseUrl }: Fixture): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** What the migrations changed. */
async function changedTables({ database }: Fixture): Promise<string[]> {
  const found: string[] = [];
  for (const table of ['row_facets', 'row_bitmaps', 'listings']) {
    const { rows } = await database.pool.query(
      `select md5(string_agg(line, ',' order by line)) as sum from (select t::text as line from ${table} t) lines`,
    );
    found.push(`${table} ${rows[0].sum}`);
  }
  const { rows } = await database.pool.query(
    `select indexdef from pg_indexes where schemaname = 'public' order by indexname`,
  );
  return [...found, ...rows.map(({ indexdef }) => indexdef)];
}

/** What processes do meanwhile, on the rows that migrations change. None of it changes anything. */
const meanwhile = [
  `update listings set handle = handle where our_id in ('id50', 'id${listings}')`,
  `insert into row_facets (import_id, run, class, issue, rows) values ('${imports[0]}', 1, 'error', 'any', 0)
     on conflict (import_id, run, class, issue) do update set rows = row_facets.rows`,
  `update row_bitmaps set rows = rows where import_id = '${imports[0]}' and block = 0`,
  `update imports set error_count = error_count where id = '${imports[0]}'`,
  `update edits set after = after where import_id = '${imports[0]}' and byte_from = 1`,
  `update row_search set text = text where import_id = '${imports[0]}' and row = 2`,
  `select from edits where import_id = '${imports[0]}' and byte_from = 1`,
  `select from row_search where import_id = '${imports[0]}' and row = 2`,
];

/** Works until `ended`, and returns the longest time of each statement in ms. Throws if one waits too long. */
async function workUntil(fixture: Fixture, ended: Promise<unknown>): Promise<Map<string, number>> {
  const longest = new Map<string, number>();
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  const client = await fixture.database.pool.connect();
  try {
    await client.query(`set lock_timeout = ${waitMsMax}`);
    while (!isEnded) {
      for (const statement of meanwhile) {
        const began = performance.now();
        await client.query(statement).catch((error) => {
          throw new Error(`${statement}: ${error.message}`);
        });
        longest.set(statement, Math.max(longest.get(statement) ?? 0, performance.now() - began));
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    client.release(true);
  }
  return longest;
}

test('an upgrade that is killed goes on, lets others work, and ends as in one transaction', async () => {
  const [whole, parted] = [await openOld(), await openOld()];
  await whole.database.db.transaction().execute((trx) => migrate({ db: trx }));

  const applied = async (name: string) => (await appliedMigrations(parted.database.db)).includes(name);
  // A part of each waits for one of these rows.
  const [listing, facet] = [await holderOf(parted), await holderOf(parted)];
  await listing.query(`begin; select from listings where our_id = 'id${listings}' for update`);
  await facet.query('begin');
  await facet.query(
    `insert into row_facets (import_id, run, class, issue, rows) values ($1, 1, 'error', 'refused', 1)`,
    [imports[2]],
  );
  const first = startMigrate(parted);
  const waits = async () => (await lockWaiters(parted)) > 0;
  await until('it waits for the listing', waits);
  // Changed by an earlier part, and free before the whole table is read.
  await listing.query(`select from listings where our_id = 'id50' for update nowait`);
  await listing.query('rollback');
  await until('it waits for the facet', async () => (await applied('0029-commands')) && (await waits()));
  const { rows } = await parted.database.pool.query(
    `select distinct import_id from row_facets where issue = 'refused' order by 1`,
  );
  expect(rows.map(({ import_id }) => import_id)).toEqual(imports.slice(0, 2));
  first.child.kill('SIGKILL');
  await first.ended;
  await facet.query('rollback');

  const second = startMigrate(parted);
  const longest = await workUntil(parted, second.ended);
  expect(longest.size).toBe(meanwhile.length);
  expect(await second.ended).toBe(0);
  expect(await changedTables(parted)).toEqual(await changedTables(whole));
});
