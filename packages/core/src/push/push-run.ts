import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import type { ImportEvent } from '@draftshelf/domain/imports/activity';
import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { sql } from 'kysely';
import { readPreferences } from '../access/preferences.ts';
import type { Db } from '../connection/database.ts';
import { changeRows, findRow, queryRow, queryRows } from '../connection/query-rows.ts';
import type { ImportRecord, RetryOptions } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { failureReset, type ImportChanges, moveLockedImport } from '../imports/imports.ts';
import { enqueueFinalize } from '../work/chunks.ts';
import { wakeRelay } from '../work/notify-chunks.ts';
import { belongsToRun, type RunOfStage, readRun } from '../work/runs.ts';
import { stopPreview } from './previews/previews.ts';
import { type Shop, upsertShop } from './store/shops.ts';

export type PushRunKey = Omit<RunOfStage, 'stage'>;

export type PushRun = {
  /** The kind of preview that the run carries out. Null if the run is a push. */
  carriesOut: 'undo' | 'gone' | null;
  shop: string | null;
  /** Whether Safe Mode was on when the run began. True for older runs, which did not store it. */
  draftMode: boolean;
  /** Whether full auto, not an operator, began the run. */
  automatic: boolean;
  /** Options of a retry. Null for a push of all products. */
  retry: RetryOptions | null;
  /** The choice for products in the store under another id. `isChosen`: whether it was made for this push. */
  whenInStore: MatchChoice;
  isChosen: boolean;
  /** Whether a product is updated if its changes in the store concern other parts than the update. */
  sendNonOverlapping: boolean;
};

const pushRun = ({ import_id, run }: PushRunKey): RunOfStage => ({ import_id, stage: 'push', run });

/** `options`: the options of a retry. A run that carries out a preview has the preview's shop and no Safe Mode. */
export type NewPushRun = {
  kind: 'full' | 'retry' | 'undo' | 'gone';
  options?: RetryOptions;
  draftMode?: boolean;
  shop?: string | null;
  automatic?: boolean;
};

export async function insertPushRun(
  db: Db,
  { import_id, run }: PushRunKey,
  { kind, options, draftMode, shop, automatic }: NewPushRun,
): Promise<void> {
  await sql`
    insert into runs (import_id, stage, run, kind, options, draft_mode, shop, automatic)
    values (${import_id}, 'push', ${run}, ${kind}, ${options ? storableJson(options) : null}, ${draftMode ?? null},
      ${shop ?? null}, ${automatic ?? false})`.execute(db);
}

/** Returns the number of the last push, or 0. Undos have numbers in the same series, but are skipped. */
export async function readLastPushRun(db: Db, importId: string): Promise<number> {
  const last = await findRow<{ run: number }>(db)`
    select run from runs where import_id = ${importId} and stage = 'push' and kind not in ('undo', 'gone')
    order by run desc limit 1`;
  return last?.run ?? 0;
}

/** `to`: null if the run has failed or is not over. */
export type DraftPush = { id: string; storeUrl: string; from: Date; to: Date | null };

/** Reads where and when each import's last push, with its retries, created drafts. Skips pushes without Safe Mode. */
export const listDraftPushes = (db: Db, importIds: readonly string[]) =>
  queryRows<DraftPush>(db)`
    select import_id as id, url as "storeUrl", min(started_at) as "from", max(ended_at) as "to"
    from runs join shops using (shop)
    where import_id = any(${importIds}::uuid[]) and stage = 'push' and kind in ('full', 'retry')
      and draft_mode is not false
      and run >= (select max(run) from runs pushes
        where pushes.import_id = runs.import_id and pushes.stage = 'push' and pushes.kind = 'full')
    group by import_id, url`;

/** Sets a run's choice for products that the store has under another id. */
export async function setMatchChoice(db: Db, of: PushRunKey, choice: MatchChoice): Promise<void> {
  await sql`update runs set when_in_store = ${choice} where ${belongsToRun(pushRun(of))}`.execute(db);
}

/** Reads a push run. A run without a match choice of its own follows the preferences. */
export async function readPushRun(db: Db, of: PushRunKey): Promise<PushRun> {
  const columns = ['kind', 'shop', 'draft_mode', 'automatic', 'options', 'when_in_store'] as const;
  const run = await readRun(db, pushRun(of), columns);
  const preferences = await readPreferences(db);
  return {
    carriesOut: run.kind === 'undo' || run.kind === 'gone' ? run.kind : null,
    shop: run.shop,
    draftMode: run.draft_mode ?? true,
    automatic: run.automatic,
    retry: run.options,
    whenInStore: run.when_in_store ?? preferences.whenInStore,
    isChosen: run.when_in_store !== null,
    sendNonOverlapping: preferences.sendNonOverlapping,
  };
}

/** Sets the shop of a push run unless it is set. Returns the run's shop. Also stores the shop's address. */
export async function claimRunShop(db: Db, of: PushRunKey, at: Shop): Promise<string> {
  await upsertShop(db, at);
  const row = await findRow<{ shop: string }>(db)`
    update runs set shop = coalesce(shop, ${at.shop}) where ${belongsToRun(pushRun(of))} returning shop`;
  return row?.shop ?? at.shop;
}

export async function readRunStores(db: Db, importId: string): Promise<Map<number, string>> {
  const rows = await queryRows<{ run: number; url: string }>(db)`
    select run, url from runs join shops using (shop) where import_id = ${importId} and stage = 'push'`;
  return new Map(rows.map(({ run, url }) => [run, url]));
}

/** Moves a locked import to its next push run. The caller has inserted the run's chunks. */
export async function beginPushRun(
  db: Db,
  record: ImportRecord,
  started: NewPushRun,
  {
    chunks,
    products,
    event,
    set,
  }: { chunks: number; products: number; event: ImportEvent; set: ImportChanges },
): Promise<ImportRecord> {
  const run = record.push_run + 1;
  const moved = await moveLockedImport(db, record, {
    to: 'uploading',
    event,
    set: {
      ...{ stage: 'push', push_run: run, open_chunks: chunks, push_total: products, push_done: 0 },
      ...{ auto_push_at: null, auto_held: null, ...failureReset, started_at: sql`now()`, ...set },
    },
  });
  await stopPreview(db, record.id, 'push');
  await insertPushRun(db, { import_id: record.id, run }, started);
  if (chunks === 0) await enqueueFinalize(db, { import_id: record.id, stage: 'push', run });
  return moved;
}

/** Products per chunk. Limits other imports' wait: with a Standard store, 4 slots push 25 products each in 15 s. */
const productsPerPushChunkMax = 25;
/** Maximum chunks per run: the import is locked during their insertion. A Batch Size that is too small is raised. */
const smallPushChunksMax = 40_000;

const productsPerPushChunk = (productNumbers: number, batchSize: number) =>
  Math.min(productsPerPushChunkMax, Math.max(batchSize, Math.ceil(productNumbers / smallPushChunksMax)));

/** Inserts a push run's work chunks and wakes the relay. Returns the number of chunks. */
export async function insertPushChunks(
  db: Db,
  run: PushRunKey,
  { productNumbers, batchSize }: { productNumbers: number; batchSize: number },
): Promise<number> {
  const size = productsPerPushChunk(productNumbers, batchSize);
  // One statement, because the import is locked: 40,000 chunks take 0.6 s, and 1.1 s if sent as values.
  const chunks = await changeRows(db)`
    insert into chunks (import_id, stage, run, kind, sequence, first_product, products)
    select ${run.import_id}::uuid, 'push', ${run.run}::int, 'work', part, part * ${size}::int + 1,
      least(${size}::int, ${productNumbers}::int - part * ${size}::int)
    from generate_series(0, ${Math.ceil(productNumbers / size) - 1}::int) as part`;
  await wakeRelay(db, 'push');
  return chunks;
}

/** Like insertPushChunks, but only for chunks with products whose outcome is in `outcomes`. Counts these products. */
export async function insertRetryChunks(
  db: Db,
  run: PushRunKey,
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
  await wakeRelay(db, 'push');
  return inserted;
}
