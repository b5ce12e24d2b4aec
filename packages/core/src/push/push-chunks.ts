import type { Outcome } from '@draftshelf/domain/imports/outcome';
import type { Db } from '../connection/database.ts';
import { changeRows, queryRow } from '../connection/query-rows.ts';
import { notifyChunks } from '../work/notify-chunks.ts';
import type { RunOfPush } from './push-run.ts';

/** Other imports wait for a chunk: 15 s at a Standard store's rate, for 25 products on each of four slots. */
const productsPerPushChunkMax = 25;
/** With a small Batch Size chunks grow beyond it: the import is locked while they are inserted. */
const smallPushChunksMax = 40_000;

const productsPerPushChunk = (productNumbers: number, batchSize: number) =>
  Math.min(productsPerPushChunkMax, Math.max(batchSize, Math.ceil(productNumbers / smallPushChunksMax)));

/** Inserts a push run's work chunks and wakes the relay. Returns their number. */
export async function insertPushChunks(
  db: Db,
  run: RunOfPush,
  { productNumbers, batchSize }: { productNumbers: number; batchSize: number },
): Promise<number> {
  const size = productsPerPushChunk(productNumbers, batchSize);
  // One statement, because the import is locked: 40,000 chunks take 0.6 s, and 1.1 s if they are sent as values.
  const chunks = await changeRows(db)`
    insert into chunks (import_id, stage, run, kind, sequence, first_product, products)
    select ${run.import_id}::uuid, 'push', ${run.run}::int, 'work', part, part * ${size}::int + 1,
      least(${size}::int, ${productNumbers}::int - part * ${size}::int)
    from generate_series(0, ${Math.ceil(productNumbers / size) - 1}::int) as part`;
  await notifyChunks(db, 'push');
  return chunks;
}

/** Like insertPushChunks, for ranges with products whose latest outcome is in `outcomes`; counts these. */
export async function insertPushChunksAgain(
  db: Db,
  run: RunOfPush,
  again: { rowsRun: number; productNumbers: number; batchSize: number; outcomes: readonly Outcome[] },
): Promise<{ chunks: number; products: number }> {
  const size = productsPerPushChunk(again.productNumbers, again.batchSize);
  const inserted = await queryRow<{ chunks: number; products: number }>(db)`
    with parts as (
      select (product - 1) / ${size}::int as part, count(*) as products from outcomes
      where import_id = ${run.import_id} and rows_run = ${again.rowsRun} and outcome = any(${again.outcomes})
      group by 1
    ), inserted as (
      insert into chunks (import_id, stage, run, kind, sequence, first_product, products)
      select ${run.import_id}::uuid, 'push', ${run.run}::int, 'work', row_number() over (order by part) - 1,
        part * ${size}::int + 1, least(${size}::int, ${again.productNumbers}::int - part * ${size}::int)
      from parts order by part
    )
    select count(*)::int as chunks, coalesce(sum(products), 0)::int as products from parts`;
  await notifyChunks(db, 'push');
  return inserted;
}
