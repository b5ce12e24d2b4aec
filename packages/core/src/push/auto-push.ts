import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { heldSentences } from '@draftshelf/domain/push/auto-push';
import { issueBit } from '@draftshelf/domain/review/issue-set';
import { type RawBuilder, sql } from 'kysely';
import { isInFuture } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { findRow, hasRows, queryRow, queryRows, queryValues } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { changeImport, createHoldColumns, findImport, nextVersion } from '../imports/imports.ts';
import type { RunOfRows } from '../work/runs.ts';

/** Maximum number of imports to decide on, and of imports to push, per sweep. */
const atOnceMax = 20;

/** SQL condition of the index imports_auto: full auto may still push the import, and no push has begun. */
const isOpen = sql<boolean>`auto_mode = 'full-auto' and auto_held is null and push_run = 0
  and status in ('processed', 'queued')`;
const isUndecided = sql<boolean>`auto_push_at is null`;
const isDue = sql<boolean>`auto_push_at <= clock_timestamp()`;

/** Lists imports with a due or undecided push. Undecided imports are in random order, so that none blocks others. */
export const listImportsToPush = (db: Db) =>
  queryValues<string>(db)`${prepared}
    (select id from imports where ${isOpen} and ${isDue} order by auto_push_at limit ${atOnceMax})
    union all
    (select id from imports where ${isOpen} and ${isUndecided} order by random() limit ${atOnceMax})`;

/** Locks an import whose automatic push is due or undecided. Undefined if it is neither, or locked already. */
export async function lockImportToPush(db: Db, id: string): Promise<ImportRecord | undefined> {
  const isLocked = await hasRows(db)`
    select 1 from imports where id = ${id} and ${isOpen} and (${isUndecided} or ${isDue})
    for no key update skip locked`;
  return isLocked ? findImport(db, id) : undefined;
}

export async function holdAutoPush(db: Db, id: string, sentence: string): Promise<void> {
  await changeImport(db, id, createHoldColumns(sentence));
}

/** The origin of a file's versions: a path in a watched folder, or the address of a supplier's list. */
export type VersionOrigin =
  | { source: FolderKind; path: string }
  | { source: 'address'; path: string; supplier: number };

/** SQL condition: an import is a version of the file. */
export const isFileVersion = (of: VersionOrigin) =>
  of.source === 'address'
    ? sql<boolean>`(source = 'address' and ${of.supplier} = (
        select runs.supplier from runs where import_id = imports.id and stage = 'parse' and run = 1))`
    : sql<boolean>`(source = ${of.source} and source <> 'upload' and source_path = ${of.path})`;

/** Leaves earlier imports of a file to a person, because import `newer` has a newer version of the file. */
export async function holdOlderVersions(db: Db, newer: string, of: VersionOrigin): Promise<void> {
  const { auto_push_at, auto_held } = createHoldColumns(heldSentences.newer);
  await sql`
    update imports set auto_push_at = ${auto_push_at}, auto_held = ${auto_held}, version = ${nextVersion}
    where ${isFileVersion(of)} and id <> ${newer} and auto_mode = 'full-auto' and auto_held is null and push_run = 0
      and status in ('processing', 'paused', 'processed', 'queued')`.execute(db);
}

/** Returns the milliseconds since the file was read. Infinity if unknown, or if the clock was set back since then. */
export async function readMsSinceParse(db: Db, id: string): Promise<number> {
  const time = sql.ref('completed_at');
  const read = await findRow<{ ms: number | null }>(db)`
    select (case when not ${isInFuture(time)} then extract(epoch from clock_timestamp() - ${time}) * 1000 end)::float8 as ms
    from import_records where id = ${id}`;
  return read?.ms ?? Number.POSITIVE_INFINITY;
}

const hasBreak = (column: string) => sql`${sql.ref(column)} ~ '[\\r\\n]'`;
const hasIssue = (bit: number) => sql`(issues & ${bit}::bigint) <> 0`;

/** Counts shifted rows, and rows that seem to contain others: a bad quote, or a line break in title, SKU or brand. */
export function countDamagedRows(db: Db, { import_id, run }: RunOfRows) {
  const isJoined = sql`(${hasIssue(issueBit('bad-quote'))} and cells::text ~ '\\\\[rn]')
    or ${hasBreak('title')} or ${hasBreak('sku')} or ${hasBreak('vendor')}`;
  const isShifted = hasIssue(issueBit('too-few-cells') + issueBit('too-many-cells'));
  return queryRow<{ joined: number; shifted: number }>(db)`
    select (count(*) filter (where ${isJoined}))::int as joined, (count(*) filter (where ${isShifted}))::int as shifted
    from rows where import_id = ${import_id} and run = ${run} and ignored is null`;
}

const comparedMax = 5_000;

/** Reads the prices of a run's first 5,000 products, in our copy of a shop and in the file. Matches by SKU or GTIN. */
export async function readPriceChanges(db: Db, { import_id, run }: RunOfRows, shop: string) {
  const copied = (condition: RawBuilder<unknown>) => sql`
    select product, first.price as after, copy.price as before from first join store_products copy
    on copy.shop = ${shop} and ${condition} where copy.price is not null`;
  return queryRows<{ before: string; after: string }>(db)`
    with first as materialized (
      select distinct on (product) product, price, sku, gtin from rows
      where import_id = ${import_id} and run = ${run} and ignored is null and product <= ${comparedMax}
      order by product, row
    )
    select distinct on (product) before, after from (
      ${copied(sql`copy.skus @> array[first.sku]`)} union all ${copied(sql`copy.gtins @> array[first.gtin]`)}
    ) known where after is not null order by product, before`;
}
