import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { countedRowsMax, countRows, markMissingItems } from '@draftshelf/core/suppliers/count-rows';
import { insertItems } from '@draftshelf/core/suppliers/items';
import { countListChanges, findRowItems, separateSharedIds } from '@draftshelf/core/suppliers/row-items';
import { currentRows } from '@draftshelf/core/work/runs';
import { fieldGroups } from '@draftshelf/domain/suppliers/list';
import { openBenchDatabase } from './bench-database.ts';
import { median, timed } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { insertStoredImport } from './stored-import.ts';

// A supplier's second list of as many rows as the first: a tenth of the items is missing, a tenth of the rows is new,
// and a quarter has changed. The steps are those of finalizing and of the tasks after it, in their parts. The reference
// is the same join of rows and items without storing what it finds.
const { rows, rounds } = givenNumbers({ rows: 1_000_000, rounds: 3 });
const rowsPerChunk = 20_000;
const keptPerPart = 20_000;

const { database, db, pool, processorSeconds, close } = await openBenchDatabase();

type Figures = { ms: number[]; processor: number[]; longestMs: number };
const figures = new Map<string, Figures>();

try {
  for (let round = 0; round < rounds; round += 1) await measure(round);
  console.log(`${rows} rows against ${rows} items, medians of ${rounds}`);
  for (const [label, { ms, processor, longestMs }] of figures) {
    const part = longestMs > 0 ? `, longest part ${longestMs.toFixed(0)} ms` : '';
    const seconds = `${(median(ms) / 1000).toFixed(1)} s, ${median(processor).toFixed(1)} s of processor time`;
    console.log(`${label.padEnd(32)} ${seconds}${part}`);
  }
} finally {
  await close();
}

async function measure(round: number): Promise<void> {
  const { rows: made } = await pool.query<{ id: number }>(
    `with made as (insert into suppliers (name) values ($1) returning id), lists as (
       insert into supplier_lists (supplier, number, filename)
       select id, number, number || '.csv' from made, generate_series(1, 2) as number)
     select id from made`,
    [`supplier ${round}`],
  );
  const supplier = made[0]?.id ?? 0;
  const first = await fill(`first ${round}`, { from: 0, changed: 0 });
  await keep(first, { supplier, number: 1 });
  await count(first, { supplier, number: 1 });
  await pool.query('vacuum analyze supplier_items');
  const second = await fill(`second ${round}`, { from: rows / 10, changed: 4 });
  await noted('the join alone, with its counts', () => joinAlone(second, supplier));
  const of = currentRows(second);
  const inTransaction = (work: (trx: Db) => Promise<unknown>) => () =>
    db.transaction().execute(async (trx) => void (await work(trx)));
  const items = { supplier, before: null, groups: fieldGroups };
  await noted(
    'find the items',
    inTransaction((trx) => findRowItems(trx, of, items)),
  );
  await noted(
    'give a known file other ids',
    inTransaction((trx) => separateSharedIds(trx, second, of)),
  );
  await noted(
    'count what differs',
    inTransaction((trx) => countListChanges(trx, of)),
  );
  await noted('keep new items', () => keep(second, { supplier, number: 2 }));
  await noted('count the list', () => count(second, { supplier, number: 2 }));
  await pool.query('truncate rows, row_items, supplier_items, item_versions');
}

/** Rows of a list, as parse workers store them; of each `changed` rows one differs from those of other lists. */
async function fill(
  name: string,
  { from, changed }: { from: number; changed: number },
): Promise<ImportRecord> {
  const headers = ['SKU', 'Title', 'Price'];
  const record = await insertStoredImport(database, { name, headers, rows, rowsPerChunk, enableUpc: false });
  await pool.query(
    `insert into rows (import_id, run, row, line, product, byte_from, class, enrichable, title, price, sku, cells,
       item_key, item_hashes, item_price, item_quantity)
     select $1, 1, n, n, n, n * 60, 'valid', false, 'Blue vase ' || item, '9.90', 'SKU-' || item,
       json_build_array('SKU-' || item, 'Blue vase ' || item, '9.90'), 's:SKU-' || item,
       decode(md5(kind || item) || md5(item || kind), 'hex'), 99000 + length(kind) * 1000, 5
     from (
       select n, n + $2::int as item, case when $3::int > 0 and n % greatest($3::int, 1) = 0 then 'x' else '' end as kind
       from generate_series(1, $4::int) n
     ) numbered order by n`,
    [record.id, from, changed, rows],
  );
  await pool.query('vacuum analyze rows');
  return record;
}

async function joinAlone(record: ImportRecord, supplier: number): Promise<void> {
  await pool.query(
    `select count(*), count(items.key), count(*) filter (where items.hashes <> item_hashes)
     from rows left join (select * from supplier_items where supplier = $2) items on items.key = item_key
     where import_id = $1 and run = 1 and ignored is null`,
    [record.id, supplier],
  );
}

type ListOf = { supplier: number; number: number };

/** Returns the milliseconds of the longest part. */
async function keep(record: ImportRecord, list: ListOf): Promise<number> {
  let longest = 0;
  for (let at = 0; at < rows; at += keptPerPart) {
    const part = { at, last: at + keptPerPart };
    const ms = await timed(() => db.transaction().execute((trx) => insertItems(trx, record, list, part)));
    longest = Math.max(longest, ms);
  }
  return longest;
}

/** Returns the milliseconds of the longest part. */
async function count(record: ImportRecord, list: ListOf): Promise<number> {
  let longest = 0;
  const noting = async (work: () => Promise<unknown>) => {
    longest = Math.max(longest, await timed(work));
  };
  for (let at = 0; at < rows; at += countedRowsMax) {
    const part = { at, last: at + countedRowsMax };
    await noting(() => db.transaction().execute((trx) => countRows(trx, record, list, part, null)));
  }
  await noting(() => db.transaction().execute((trx) => markMissingItems(trx, record, list, list.number > 1)));
  await pool.query(
    `update supplier_lists set state = 'counted', counted_run = 1, counted_at = now() where supplier = $1 and number = $2`,
    [list.supplier, list.number],
  );
  return longest;
}

async function noted(label: string, work: () => Promise<unknown>): Promise<void> {
  const noted = figures.get(label) ?? { ms: [], processor: [], longestMs: 0 };
  figures.set(label, noted);
  const before = processorSeconds();
  noted.ms.push(
    await timed(async () => {
      noted.longestMs = Math.max(noted.longestMs, Number((await work()) ?? 0));
    }),
  );
  noted.processor.push(processorSeconds() - before);
}
