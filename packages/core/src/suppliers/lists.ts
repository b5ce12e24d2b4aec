import { canDo, importActions } from '@draftshelf/domain/imports/import-status';
import { toIssueSet } from '@draftshelf/domain/review/issue-set';
import type { TornRows } from '@draftshelf/domain/suppliers/compare-lists';
import { bitOfChange } from '@draftshelf/domain/suppliers/list';
import { type TaskKind, taskCatalog } from '@draftshelf/domain/work/task-catalog';
import { type Kysely, sql, type UpdateObject } from 'kysely';
import { tryLock } from '../connection/advisory-lock.ts';
import type { Db } from '../connection/database.ts';
import { queryFreshRows } from '../connection/planner.ts';
import { findRow, hasRows, queryRow, queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import type {
  ChunkRecord,
  FinalizeProgress,
  ImportRecord,
  Schema,
  SupplierListRecord,
} from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { clearFormerList, findFormerList } from '../reading/finalize-progress.ts';
import { deleteBatch } from '../review/remove-rows.ts';
import { lockHeldChunk } from '../work/claim-chunk.ts';
import { wakeRelay } from '../work/notify-chunks.ts';
import type { RunOfRows } from '../work/runs.ts';
import { selectItems } from './items-at.ts';
import { itemOfRow, mayHaveItem } from './row-items.ts';
import { deleteUnusedSupplier, lockSupplier } from './suppliers.ts';

export type ListId = Pick<SupplierListRecord, 'supplier' | 'number'>;

export const findListOfImport = (db: Db, importId: string): Promise<SupplierListRecord | undefined> =>
  findRow<SupplierListRecord>(db)`select * from supplier_lists where import_id = ${importId}`;

/** Returns the ids of imports that await their first push and have no answer about recipes yet. */
export async function findListsWithoutAnswer(db: Db, records: readonly ImportRecord[]): Promise<Set<string>> {
  const waiting = records.filter(({ push_run, status }) => push_run === 0 && canDo('review', status));
  if (waiting.length === 0) return new Set();
  const ids = await queryValues<string>(db)`
    select import_id from supplier_lists
    where import_id = any(${waiting.map(({ id }) => id)}::uuid[])
      and answers -> 'recipes' is null`;
  return new Set(ids);
}

export const findListByNumber = (db: Db, supplier: number, number: number) =>
  findRow<SupplierListRecord>(db)`
    select * from supplier_lists where supplier = ${supplier} and number = ${number}`;

/** Finds a supplier's newest list that is newer than this one and waits to be pushed. */
export const findWaitingList = (db: Db, { supplier, number }: ListId) =>
  findRow<Pick<SupplierListRecord, 'import_id' | 'filename'>>(db)`
    select import_id, lists.filename from supplier_lists lists join imports on imports.id = import_id
    where lists.supplier = ${supplier} and number > ${number} and state = 'open'
      and status = any(${importActions.review}::text[])
    order by number desc limit 1`;

/** Reads the lists of a supplier that count, last counted first. */
export const listCountedLists = (db: Db, supplier: number, limit: number): Promise<SupplierListRecord[]> =>
  queryRows<SupplierListRecord>(db)`
    select * from supplier_lists where supplier = ${supplier} and state = 'counted'
    order by counted_at desc, number desc limit ${limit}`;

export const hasRowItems = (db: Db, { import_id, run }: RunOfRows): Promise<boolean> =>
  hasRows(db)`select from row_items where import_id = ${import_id} and run = ${run} limit 1`;

const rowsSampled = 500;

/** Returns whether most of a run's first rows have no key, although there are lists to compare with. */
export async function hasTooFewKeys(db: Db, { import_id, run }: RunOfRows): Promise<boolean> {
  return queryValue<boolean>(db)`
    select count(*) > 2 * count(item_key) and exists (select from supplier_lists) from (
      select item_key from rows where import_id = ${import_id} and run = ${run} and ${mayHaveItem}
      order by row limit ${sql.lit(rowsSampled)}) sampled`;
}

export async function changeList(
  db: Db,
  { supplier, number }: ListId,
  set: UpdateObject<Schema, 'supplier_lists'>,
): Promise<void> {
  await db
    .updateTable('supplier_lists')
    .set(set)
    .where('supplier', '=', supplier)
    .where('number', '=', number)
    .execute();
}

/** Stores how an import's rows, which have just become current, compare with the supplier's last counted list. */
export async function storeComparison(db: Db, importId: string, compared: FinalizeProgress['compared']) {
  await sql`
    update supplier_lists set compared_with = ${compared?.list ?? null},
      counts = ${compared && storableJson(compared.counts)},
      findings = ${compared && storableJson(compared.findings)}
    where import_id = ${importId}`.execute(db);
}

const tornIssues = toIssueSet(['unclosed-quote', 'missing-separator', 'too-few-cells']);

/** Counts torn rows (unclosed quote, missing separator, too few cells). `shortRow`: the last row if it is torn. */
export async function countTornRows(db: Db, { import_id, run }: RunOfRows): Promise<TornRows> {
  const ofFile = sql`from rows where import_id = ${import_id} and run = ${run} and line > 0`;
  const isTorn = sql`issues & ${tornIssues}::bigint <> 0`;
  return queryRow<TornRows>(db)`
    select count(*) filter (where ${isTorn})::int as torn, count(*)::int as rows,
      (select case when ${isTorn} then row end ${ofFile} order by row desc limit 1) as "shortRow" ${ofFile}`;
}

/** Counts changed rows that went back to the content that their items had before list `number` counted. */
export async function countRevertedRows(db: Db, { import_id, run }: RunOfRows, { supplier, number }: ListId) {
  const [counted] = await queryFreshRows<{ back: number }>(db)`
    select count(*)::int as back from row_items join rows using (import_id, run, row)
    join (${selectItems({ supplier, before: number })}) items on items.id = ${itemOfRow(supplier, sql`row_items.item`)}
    where import_id = ${import_id} and run = ${run} and change & ${sql.lit(bitOfChange('changed'))} <> 0
      and content_list is not null and items.hashes = item_hashes`;
  return counted?.back ?? 0;
}

/** Removes the next items that a list added and no counted or later list or recipe may use. Returns their number. */
export async function removeItemsOfList(db: Db, { supplier, number }: ListId): Promise<number> {
  return deleteBatch(
    db,
    'supplier_items',
    sql`supplier = ${supplier} and first_list = ${number}
      and not exists (select from supplier_lists lists
        where lists.supplier = ${supplier} and state = 'counted' and (number = first_list and counted_run = first_run
          or (number, counted_run) in (select list, run from item_versions versions
            where versions.supplier = ${supplier} and item = supplier_items.id)))
      and not exists (select from supplier_lists where supplier = ${supplier} and number > ${number})
      and not exists (select from supplier_recipes where supplier = ${supplier} and target -> 'items' is not null)`,
  );
}

/** Removes an import's list from its supplier. If the list counted, only its link to the import is removed. */
export async function detachList(db: Db, { supplier, number, state }: SupplierListRecord): Promise<void> {
  if (state === 'counted') return changeList(db, { supplier, number }, { import_id: null });
  await sql`delete from supplier_lists where supplier = ${supplier} and number = ${number}`.execute(db);
  await sql`delete from item_versions where supplier = ${supplier} and list = ${number}`.execute(db);
}

/** SQL query: lists that have an open task of a kind, with the task's id as `chunk`. */
export const listsWithTask = (task: TaskKind) => sql`
  select lists.*, chunks.id as chunk from chunks join supplier_lists lists on lists.import_id = chunks.import_id
  where stage = ${taskCatalog[task].stage} and kind = 'task' and task = ${task}
    and (chunks.state = 'pending' or chunks.state = 'published')`;

/** Returns whether another list of a supplier has an open task of a kind. `before`: only tasks with a lower id. */
export async function hasOtherOpenTask(
  db: Db,
  task: TaskKind,
  own: { supplier: number; import_id: string | null },
  before: number | null = null,
): Promise<boolean> {
  return hasRows(db)`
    select from (${listsWithTask(task)}) lists
    where import_id <> ${own.import_id} and supplier = ${own.supplier}
      and (${before}::bigint is null or chunk < ${before}) limit 1`;
}

/**
 * Returns whether a list may find its items now. It must wait while another list of the supplier has found items and
 * is not current yet, unless that list waits or is paused. Until the transaction ends, no other list can find items.
 */
export async function canFindItems(db: Db, own: { supplier: number; import_id: string }): Promise<boolean> {
  if (!(await tryLock(db, `items of supplier ${own.supplier}`))) return false;
  return !(await hasRows(db)`
    select from chunks join runs using (import_id, stage, run) join imports on imports.id = import_id
    where stage = 'parse' and chunks.kind = 'finalize' and chunks.state in ('pending', 'published')
      and (chunks.state = 'published' or coalesce(chunks.not_before <= clock_timestamp(), true))
      and imports.status = 'processing' and runs.run = parse_run and import_id <> ${own.import_id}
      and not coalesce(is_partial, false) and finalize ->> 'lists' is not null
      and finalize -> 'supplier' ->> 'id' = ${String(own.supplier)} limit 1`);
}

export const earlierListReason = 'Waits for an earlier list, whose products are still being stored.';

/** Wakes one of the lists that wait for an earlier list. If all were woken, all but one would only wait again. */
export async function wakeNextList(db: Db, supplier: number): Promise<void> {
  await sql`
    update chunks set not_before = null, waits = 0 where id = (
      select chunks.id from chunks join runs using (import_id, stage, run)
      where stage = 'parse' and state = 'pending' and chunks.kind = 'finalize' and waiting_for = ${earlierListReason}
        and coalesce(finalize -> 'supplier' ->> 'id', ${String(supplier)}) = ${String(supplier)}
      order by chunks.id limit 1
    )`.execute(db);
  await wakeRelay(db, 'parse');
}

/** Returns whether a file was read before, even by a deleted import. If so, its products may be items already. */
export async function isFileKnown(db: Db, { id, sha256 }: ImportRecord, supplier: number): Promise<boolean> {
  return queryValue<boolean>(db)`
    select exists (select from imports where sha256 = ${sha256} and id <> ${id})
      or exists (select from deleted_imports where sha256 = ${sha256})
      or exists (select from supplier_lists where supplier = ${supplier} and sha256 = ${sha256}
        and import_id is distinct from ${id}::uuid)`;
}

/** Returns whether a supplier has lists of other imports, including deleted imports. */
export const hasOtherLists = (db: Db, supplier: number, importId: string): Promise<boolean> =>
  hasRows(db)`
    select from supplier_lists
    where supplier = ${supplier} and import_id is distinct from ${importId}::uuid limit 1`;

/** Makes an import the newest list of a supplier. The caller has locked the supplier. */
export async function beginList(
  db: Db,
  supplier: number,
  { id, filename, file_at, sha256 }: Pick<ImportRecord, 'id' | 'filename' | 'file_at' | 'sha256'>,
  fields: readonly string[],
): Promise<void> {
  await sql`
    with next as (
      update suppliers set last_number = last_number + 1 where id = ${supplier} returning last_number
    )
    insert into supplier_lists (supplier, number, import_id, filename, file_at, sha256, fields)
    select ${supplier}, last_number, ${id}, ${filename}, ${file_at}::timestamptz, ${sha256}, ${fields}::text[]
    from next`.execute(db);
}

/**
 * Removes the next items of the list to which an import no longer belongs, then the supplier if it is unused. Call it
 * once the import's new rows are current, because a re-read may fail. Returns false if nothing was left to remove.
 */
export async function removeFormerItems(db: Kysely<Schema>, chunk: ChunkRecord): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const left = await findFormerList(trx, chunk.import_id);
    if (!left) return false;
    await lockSupplier(trx, left.supplier);
    await lockHeldChunk(trx, chunk);
    if ((await removeItemsOfList(trx, left)) > 0) return true;
    await deleteUnusedSupplier(trx, left.supplier, false);
    await clearFormerList(trx, chunk.import_id, left);
    return true;
  });
}
