import { isTranscribed } from '@draftshelf/csv/encodings';
import { sql } from 'kysely';
import type { Db } from './connect.ts';
import { changeImport } from './imports.ts';
import { hasEnded, readRunDialect } from './runs.ts';
import type { ImportRecord } from './schema.ts';

type RunOfRows = { id: string; run: number };

/**
 * Edits and our id know a row by its offset in what the first run of these bytes scanned. Where a run scans other bytes
 * (one of the encodings needs a transcript), its rows take over the offsets of the earlier rows: those of the run before,
 * or, in a first run, those of the import that had the same bytes before (decision P23).
 */
export async function carryOffsets(db: Db, record: ImportRecord, run: number): Promise<void> {
  const now = { id: record.id, run };
  if (record.rows_run !== run) {
    if ((await scannedIn(db, now)) === (await offsetsIn(db, record))) return;
    await takeOverOffsets(db, { id: record.id, run: record.rows_run }, now);
    return;
  }
  const twin = await findTwin(db, record);
  if (!twin || !(await hasEnded(db, twin))) return;
  const counted = await offsetsIn(db, twin);
  if ((await scannedIn(db, now)) === counted) return;
  await takeOverOffsets(db, { id: twin.id, run: twin.rows_run }, now);
  await changeImport(db, record.id, { offsets_in: counted });
}

/** The import of the same bytes whose edits were copied, held so that no other rows become current meanwhile. */
async function findTwin(db: Db, record: ImportRecord): Promise<ImportRecord | undefined> {
  if (record.same_as === null) return undefined;
  return db.selectFrom('imports').selectAll().where('id', '=', record.same_as).forShare().executeTakeFirst();
}

const offsetsIn = async (db: Db, { id, offsets_in }: ImportRecord): Promise<string> =>
  offsets_in ?? scannedIn(db, { id, run: 1 });

async function scannedIn(db: Db, { id, run }: RunOfRows): Promise<string> {
  const { encoding } = await readRunDialect(db, id, run);
  return isTranscribed(encoding) ? encoding : 'the file itself';
}

/**
 * By line where both runs scanned the same bytes, else by row number. A row without an earlier one gets an offset that no
 * byte has.
 */
async function takeOverOffsets(db: Db, from: RunOfRows, to: RunOfRows): Promise<void> {
  const known = sql.ref((await scannedIn(db, from)) === (await scannedIn(db, to)) ? 'line' : 'row');
  await sql`
    with earlier as materialized (
      select distinct on (${known}) ${known} as place, byte_from from rows
      where import_id = ${from.id} and run = ${from.run} order by ${known}, row
    ), placed as (
      select rows.row, earlier.byte_from from rows left join earlier on earlier.place = rows.${known}
      where import_id = ${to.id} and run = ${to.run}
    )
    update rows set byte_from = coalesce(placed.byte_from, -rows.row) from placed
    where rows.import_id = ${to.id} and rows.run = ${to.run} and rows.row = placed.row`.execute(db);
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
