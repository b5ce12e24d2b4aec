import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { describeMachine } from '../../bench/figures.ts';
import { openEmptyInstallation } from '../../support/empty-installation.ts';
import { until } from '../../support/fixture.ts';
import { loadInstallation } from '../../support/stored-installation.ts';

const oldest = '35a700a9';
const [rows, edited] = [1_000_000, 100_000];
const testMsMax = 1_800_000;

/** Gives an import of the oldest version rows up to a million, each a product, and every tenth an edited price. */
const grow = `
  create temporary table grown as
    select imports.id, rows_run as run, total_rows as had, total_products as products from imports where filename = 'reviewed.csv';
  insert into rows (import_id, run, row, line, product, byte_from, class, enrichable, title, price, sku, cells)
    select id, run, n, n + 1, products + n - had, 1000000 + 60 * n::bigint, 'valid', false, 'Lamp ' || n,
      case when n % 10 = 0 then '7.25' else '9.50' end, 'G-' || n,
      (select json_agg(case key when 'SKU' then 'G-' || n when 'Title' then 'Lamp ' || n when 'Price' then '9.50' else '' end order by place)
       from runs, json_array_elements_text(headers) with ordinality header (key, place)
       where runs.import_id = id and stage = 'parse' and runs.run = grown.run)
    from grown, generate_series(had + 1, ${rows}) n;
  update imports set total_rows = ${rows}, parsed_rows = ${rows}, total_products = products + ${rows} - had,
      product_numbers = products + ${rows} - had, valid_products = valid_products + ${rows} - had
    from grown where imports.id = grown.id;
  insert into chunks (import_id, stage, run, kind, sequence, state, first_row, rows, first_product, products, ended_at)
    select id, 'parse', run, 'work', 1000, 'done', had + 1, ${rows} - had, products + 1, ${rows} - had, now() from grown;
  insert into edit_commands (import_id, kind, rows) select id, 'bulk', ${edited} from grown;
  insert into edits (import_id, command, row, byte_from, field, before, after)
    select import_id, command, n, 1000000 + 60 * n::bigint, 'price', '9.50', '7.25'
    from (select import_id, edit_commands.id as command from edit_commands join grown on grown.id = import_id
      where rows = ${edited}) of_all, generate_series(${rows} / ${edited}, ${rows}, ${rows} / ${edited}) n
    where n > (select had from grown);
  analyze`;

test('a million rows with 100,000 edits of the oldest version are migrated, also after a kill', {
  timeout: testMsMax,
}, async () => {
  const old = await openEmptyInstallation();
  onTestFinished(old.close);
  const { pool } = old.database;
  await loadInstallation(oldest, { database: old.database });
  const client = await pool.connect();
  await client.query(grow);
  client.release();
  const megabytes = async (): Promise<number> => {
    const { rows } = await pool.query('select pg_database_size(current_database()) / 1e6 as size');
    return Math.round(rows[0].size);
  };
  const before = await megabytes();
  const main = fileURLToPath(import.meta.resolve('@draftshelf/queues/migrate-main'));
  const begin = () =>
    spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, DATABASE_URL: old.databaseUrl },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  const killed = begin();
  await until(
    'a part of the rows has their values',
    async () => {
      const { rows } = await pool.query(`
        select exists (select from information_schema.columns where table_name = 'rows' and column_name = 'price_text') as has`);
      if (!rows[0].has) return false;
      const { rows: filled } = await pool.query(
        `select from rows where sku = 'G-200000' and price_text is not null`,
      );
      return filled.length > 0;
    },
    testMsMax,
  );
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const began = performance.now();
  const migration = begin();
  await once(migration, 'exit');
  expect(migration.exitCode).toBe(0);
  const seconds = Math.round((performance.now() - began) / 1000);
  const after = await megabytes();
  console.log(await describeMachine(old.database));
  console.log(
    `${rows} rows, ${edited} edits: migrated in ${seconds} s; ${before} MB before, ${after} MB after`,
  );
  expect(after).toBeLessThanOrEqual(2 * before);

  const { rows: wrong } = await pool.query(`
    select row, price_text, title, sku, search from rows join imports on imports.id = import_id and run = rows_run
    where filename = 'reviewed.csv' and title like 'Lamp %' and sku like 'G-%' and
      (price_text is distinct from case when row % 10 = 0 then '7.25' else '9.50' end
       or price_size is distinct from case when row % 10 = 0 then 7.25 else 9.5 end
       or strpos(search, lower(sku)) = 0 or sources::text is distinct from case when row % 10 = 0 then '{"price":"edit"}' end)
    limit 3`);
  expect(wrong).toEqual([]);
  const { rows: lacking } = await pool.query('select from runs where lacks_values');
  expect(lacking).toEqual([]);
});
