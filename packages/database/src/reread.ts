import type { Dialect } from '@draftshelf/csv/dialect';
import { isTranscribed } from '@draftshelf/csv/encodings';
import { type ImportStatus, importActions } from '@draftshelf/domain/import-status';
import { sql } from 'kysely';
import { bearCut, insertWorkChunks } from './chunks.ts';
import { markDone } from './claims.ts';
import type { Db } from './connect.ts';
import { type ChunkOfRun, lockRunning } from './hand-over.ts';
import { type ImportChanges, moveStatus, nextVersion } from './imports.ts';
import { conflict, type Moved, type Refused } from './journey.ts';
import {
  completeParseRun,
  hasEnded,
  insertUncutRun,
  lastParseRun,
  obsoleteLaterRuns,
  type ParseRun,
  readRunStart,
} from './runs.ts';
import type { ImportRecord } from './schema.ts';

/**
 * Begins parse run + 1 over the stored file, in another dialect; edits are kept. The rows of the earlier run stay
 * current until the new run settles, and for good if it fails.
 */
export async function rereadImport(db: Db, id: string, dialect: Dialect): Promise<Moved | Refused> {
  const record = await db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!record || (record.status === 'failed' && record.failed_in === 'push')) return conflict;
  const earlierStatus = await statusToReturnTo(db, record);
  const run = (await lastParseRun(db, id)) + 1;
  const moved = await moveStatus(db, id, {
    from: importActions.reread,
    to: 'processing',
    set: {
      stage: 'parse',
      parse_run: run,
      open_chunks: 1,
      parsed_rows: 0,
      processed_products: 0,
      valid_products: 0,
      warning_products: 0,
      error_products: 0,
      enrich_rows: 0,
      enriched_rows: 0,
      marked_ready: false,
      failed_in: null,
      error_message: null,
      error_log: sql`'{}'`,
      error_count: 0,
      waiting_for: null,
      waiting_until: null,
      started_at: sql`now()`,
      completed_at: null,
    },
  });
  if (!moved) return conflict;
  await insertUncutRun(db, id, run, { dialect, earlierStatus });
  await bearCut(db, { import_id: id, run });
  return { ok: true, import: moved };
}

/** A run whose settle could not be done left the import failed: what was before it is still to be returned to. */
async function statusToReturnTo(db: Db, record: ImportRecord): Promise<ImportStatus> {
  if (record.failed_in !== 'parse' || record.parse_run === record.rows_run) return record.status;
  const { earlierStatus } = await readRunStart(db, record.id, record.parse_run);
  return earlierStatus ?? record.status;
}

/** The end of a cut: what it found, and the birth of the run's work chunks, in the caller's transaction. */
export async function handOverCut(
  db: Db,
  chunk: ChunkOfRun,
  cut: { parse: ParseRun; chunks: Parameters<typeof insertWorkChunks>[2]; rows: number; products: number },
): Promise<void> {
  await markDone(db, chunk);
  await completeParseRun(db, chunk.import_id, chunk.run, cut.parse);
  await insertWorkChunks(db, { import_id: chunk.import_id, stage: 'parse', run: chunk.run }, cut.chunks);
  await db
    .updateTable('imports')
    .set({
      open_chunks: sql`open_chunks - 1 + ${cut.chunks.length}`,
      total_rows: cut.rows,
      total_products: cut.products,
      product_numbers: cut.products,
      waiting_for: null,
      waiting_until: null,
      version: nextVersion,
    })
    .where('id', '=', chunk.import_id)
    .where('parse_run', '=', chunk.run)
    .execute();
}

/**
 * A run that failed leaves the import as it was before, with the cause: earlier rows stay current, and what was
 * counted of them is counted anew. The run is not taken up by a retry, since its rows are removed. False where there is
 * no earlier state to return to: no run has been settled yet.
 */
export async function returnToEarlier(db: Db, chunk: ChunkOfRun, cause: string): Promise<boolean> {
  const { earlierStatus } = await readRunStart(db, chunk.import_id, chunk.run);
  const record = await lockRunning(db, chunk);
  if (!earlierStatus || !(await hasEnded(db, record))) return false;
  const { rows } = await sql<{ rows: number; product_numbers: number }>`
    select count(*)::int as rows, coalesce(max(product), 0)::int as product_numbers
    from rows where import_id = ${record.id} and run = ${record.rows_run}`.execute(db);
  const [counted] = rows;
  await recount(db, { import_id: record.id, run: record.rows_run });
  await obsoleteLaterRuns(db, record);
  const moved = await moveStatus(db, record.id, {
    from: ['processing'],
    to: earlierStatus,
    set: {
      ...(await stageToReturnTo(db, record, earlierStatus)),
      parse_run: record.rows_run,
      total_rows: counted?.rows ?? 0,
      parsed_rows: counted?.rows ?? 0,
      product_numbers: counted?.product_numbers ?? 0,
      error_message: cause,
      waiting_for: null,
      waiting_until: null,
      completed_at: sql`now()`,
    },
  });
  return moved !== undefined;
}

/** Where a retry takes the import up. Its rows are whole: if it had failed, then in the enrichment. */
async function stageToReturnTo(
  db: Db,
  record: ImportRecord,
  earlierStatus: ImportStatus,
): Promise<ImportChanges> {
  if (earlierStatus === 'completed') return { stage: 'push' };
  if (earlierStatus !== 'failed') return {};
  const { rows } = await sql<{ enrich_rows: number; enriched_rows: number }>`
    select count(*)::int as enrich_rows, count(chunks.id)::int as enriched_rows
    from rows left join chunks on chunks.import_id = rows.import_id and chunks.stage = 'enrich'
      and chunks.run = ${record.enrich_run} and chunks.kind = 'work' and chunks.state = 'done'
      and rows.row between chunks.first_row and chunks.first_row + chunks.rows - 1
    where rows.import_id = ${record.id} and rows.run = ${record.rows_run} and enrichable`.execute(db);
  return { stage: 'enrich', failed_in: 'enrich', ...rows[0] };
}

/** Counts products and their classes anew from the rows of a run; a product's class is its worst row's. */
export async function recount(db: Db, { import_id, run }: { import_id: string; run: number }): Promise<void> {
  await sql`
    with products as (
      select bool_or(class = 'error') as any_error, bool_or(class = 'warning') as any_warning
      from rows where import_id = ${import_id} and run = ${run} and ignored is null group by product
    ), counted as (
      select count(*)::int as total, count(*) filter (where any_error)::int as errors,
        count(*) filter (where any_warning and not any_error)::int as warnings
      from products
    )
    update imports set total_products = total, processed_products = total, error_products = errors,
      warning_products = warnings, valid_products = total - errors - warnings, version = nextval('import_version')
    from counted where id = ${import_id}`.execute(db);
}

/**
 * Edits and our id know a row by its offset in what the first run scanned. Where a run scans other bytes (one of the
 * encodings needs a transcript), its rows take over the offsets of the earlier rows: by their number (decision P23), or
 * by their line where the earlier run scanned the same bytes as this one. A row without an earlier one gets an offset
 * that no byte has.
 */
export async function carryOffsets(
  db: Db,
  record: Pick<ImportRecord, 'id'>,
  runs: { before: number; now: number },
): Promise<void> {
  const scannedIn = async (run: number) => {
    const { encoding } = (await readRunStart(db, record.id, run)).dialect;
    return isTranscribed(encoding) ? encoding : 'the file itself';
  };
  const now = await scannedIn(runs.now);
  if (now === (await scannedIn(1))) return;
  const known = sql.ref(now === (await scannedIn(runs.before)) ? 'line' : 'row');
  await sql`
    with earlier as materialized (
      select distinct on (${known}) ${known} as place, byte_from from rows
      where import_id = ${record.id} and run = ${runs.before} order by ${known}, row
    ), placed as (
      select rows.row, earlier.byte_from from rows left join earlier on earlier.place = rows.${known}
      where import_id = ${record.id} and run = ${runs.now}
    )
    update rows set byte_from = coalesce(placed.byte_from, -rows.row) from placed
    where rows.import_id = ${record.id} and rows.run = ${runs.now} and rows.row = placed.row`.execute(db);
}

/**
 * What became of products in earlier pushes follows them to their new numbers, by our id, which is made of the file's
 * digest and the offset of a product's first row (as the push worker makes it; a test holds the two together).
 */
export async function renumberOutcomes(db: Db, record: ImportRecord): Promise<void> {
  const had = await db
    .selectFrom('outcomes')
    .select('product')
    .where('import_id', '=', record.id)
    .limit(1)
    .executeTakeFirst();
  if (!had) return;
  await sql`
    create temporary table renumbered on commit drop as
    with first_rows as (
      select distinct on (product) product, byte_from from rows
      where import_id = ${record.id} and run = ${record.rows_run} and ignored is null order by product, row
    )
    select outcomes.import_id, first_rows.product, outcomes.run, outcomes.our_id, outcomes.outcome, outcomes.message,
      outcomes.store_product_id, outcomes.decided_at
    from outcomes join first_rows
      on outcomes.our_id = left(encode(sha256(convert_to(${record.sha256}::text || ':' || byte_from, 'UTF8')), 'hex'), 32)
    where outcomes.import_id = ${record.id}`.execute(db);
  await db.deleteFrom('outcomes').where('import_id', '=', record.id).execute();
  await sql`
    insert into outcomes (import_id, product, run, our_id, outcome, message, store_product_id, decided_at)
    select * from renumbered`.execute(db);
  await sql`
    update imports set created = counted.created, updated = counted.updated, unchanged = counted.unchanged,
      skipped = counted.skipped, failed = counted.failed
    from (
      select count(*) filter (where outcome = 'created')::int as created,
        count(*) filter (where outcome = 'updated')::int as updated,
        count(*) filter (where outcome = 'unchanged')::int as unchanged,
        count(*) filter (where outcome = 'skipped')::int as skipped,
        count(*) filter (where outcome = 'failed')::int as failed
      from outcomes where import_id = ${record.id}
    ) counted
    where id = ${record.id}`.execute(db);
}
