import { beginAudit, readAudits, runAudit } from '@draftshelf/core/operate/audit/audits';
import { countDeadWork, listDeadWork } from '@draftshelf/core/work/dead-work';
import { openBenchDatabase } from './bench-database.ts';
import { median, timed } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { insertStoredImport } from './stored-import.ts';

// The parts of an audit in one process, as a parse worker does them, over one pushed import. Then pages of dead work,
// each with its count, while that many chunks of another import are dead.
const { products, dead } = givenNumbers({ products: 1_000_000, dead: 10_000 });
const pages = 20;
const shop = 'https://bench.example';

const { database, db, pool, processorSeconds, close } = await openBenchDatabase();
try {
  await fillPushed();
  await pool.query('vacuum analyze');
  await audit('first numbers');
  // A re-read that gives every product another number: each line is looked for by our id.
  await pool.query(`update outcomes set rows_run = 2, product = ${products} + 1 - product`);
  await pool.query('update imports set rows_run = 2');
  await pool.query('vacuum analyze outcomes');
  await audit('other numbers');
  await fillDead();
  const times: number[] = [];
  for (let page = 0; page < pages; page += 1) {
    times.push(
      await timed(async () => {
        await listDeadWork(db, { before: undefined, cause: undefined, limit: 51 });
        await countDeadWork(db);
      }),
    );
  }
  console.log(`${dead} dead chunks: a page in ${median(times).toFixed(1)} ms`);
} finally {
  await close();
}

async function fillPushed(): Promise<void> {
  const stored = {
    name: 'pushed',
    headers: ['Title'],
    rows: products,
    rowsPerChunk: products,
    enableUpc: false,
  };
  const { id } = await insertStoredImport(database, stored);
  await pool.query(
    `with changed as (update imports set status = 'completed', push_run = 1, created = $2 where id = $1)
       update runs set import_stage = 'push' where import_id = $1 and stage = 'parse'`,
    [...[id, products]],
  );
  const numbers = `generate_series(1, ${products}) n`;
  await pool.query(
    `insert into outcomes (import_id, rows_run, product, run, our_id, outcome, store_product_id)
     select $1, 1, n, 1, md5(n::text), 'created', 'gid://shopify/Product/' || n from ${numbers}`,
    [id],
  );
  await pool.query(
    `insert into ledger (origin, shop, our_id, import_id, product, run, effect, payload_hash)
     select 'push', '${shop}', md5(n::text), $1, n, 1, 'created', md5(n::text) from ${numbers}`,
    [id],
  );
  await pool.query(
    `insert into listings (shop, our_id, store_product_id)
     select '${shop}', md5(n::text), 'gid://shopify/Product/' || n from ${numbers}`,
  );
}

async function audit(name: string): Promise<void> {
  await beginAudit(db);
  const before = processorSeconds();
  const total = await timed(async () => {
    await runAudit(db, { lock: async () => {}, signal: new AbortController().signal });
  });
  const { latest } = await readAudits(db);
  if (latest?.difference_count !== 0 || latest.problem !== null)
    throw new Error('The audit found differences');
  const processor = processorSeconds() - before;
  console.log(
    `${products} products, ${name}: ${(total / 1000).toFixed(1)} s, processor time of Postgres ${processor.toFixed(1)} s`,
  );
}

async function fillDead(): Promise<void> {
  const stored = { name: 'dead', headers: ['Title'], rows: 1, rowsPerChunk: 1, enableUpc: false };
  const { id } = await insertStoredImport(database, stored);
  await pool.query(`update imports set status = 'failed' where id = $1`, [id]);
  await pool.query(
    `insert into chunks (import_id, stage, run, kind, sequence, state, attempts, error, first_row, rows)
     select $1, 'parse', 1, 'work', n, 'dead', 5, 'broken', n, 1 from generate_series(1, ${dead}) n`,
    [id],
  );
}
