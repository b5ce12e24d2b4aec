import { canDo } from '@draftshelf/domain/imports/import-status';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { ImportRecord, Schema } from '../connection/schema.ts';
import { changeImport, findImport } from '../imports/imports.ts';
import { refreshRows } from '../reading/refresh-products.ts';
import { lockRows } from '../review/rows-lock.ts';
import { currentRows, parseRunOf, readRun } from '../work/runs.ts';
import { lockCarriedValues } from './carried-values.ts';
import { decidePart, storePart } from './carry-values.ts';
import { hasEditsToKeep, lockImportToKeep } from './edits-to-keep.ts';
import { keepNext } from './keep-values.ts';
import { findListOf } from './lists.ts';
import { isUnsure, mayHaveItem } from './row-items.ts';
import { type ValueToCarry, valueColumns } from './values-to-carry.ts';

/**
 * Carries into an open list what was said in other lists of its supplier since it was read, before it is pushed for the
 * first time: its push would take that back. Other imports are not changed.
 */
export async function carryNewer(db: Kysely<Schema>, importId: string): Promise<void> {
  const record = await findOpenList(db, importId);
  if (!record || !(await isOutdated(db, record))) return;
  while (await db.transaction().execute((trx) => keepPart(trx, record)));
  await db.transaction().execute((trx) => carryPart(trx, importId));
}

async function findOpenList(db: Db, importId: string) {
  const record = await findImport(db, importId);
  if (!record || record.supplier === null || record.test_mode || record.push_run > 0) return undefined;
  if (!canDo('push', record.status) || (await findListOf(db, importId))?.state !== 'open') return undefined;
  return { ...record, supplier: record.supplier };
}

type OpenList = ImportRecord & { supplier: number };

/** Whether other lists have edits that are not kept, or values that were kept since this one was read. */
async function isOutdated(db: Db, record: OpenList): Promise<boolean> {
  if (await hasEditsToKeep(db, record.supplier, record.id)) return true;
  const { rows } = await sql`
    select from carried_values where ${await isNewer(db, record)} limit 1`.execute(db);
  return rows.length > 0;
}

/** SQL condition: a value was said in another list since this one was read. */
async function isNewer(db: Db, record: OpenList) {
  const { started_at } = await readRun(db, parseRunOf(currentRows(record)), ['started_at']);
  return sql`supplier = ${record.supplier} and value is not null and import_id <> ${record.id}
    and said_at > ${started_at}`;
}

/** Keeps the next edits of the supplier's other lists. Returns whether there were any. */
async function keepPart(db: Db, { id, supplier }: OpenList): Promise<boolean> {
  await lockCarriedValues(db, [supplier]);
  const other = await lockImportToKeep(db, supplier, id);
  if (other) await keepNext(db, other);
  return other !== undefined;
}

async function carryPart(db: Db, importId: string): Promise<void> {
  await lockRows(db, importId);
  const record = await findOpenList(db, importId);
  if (!record) return;
  const { supplier } = record;
  await lockCarriedValues(db, [supplier]);
  const of = currentRows(record);
  const part = await decidePart(db, record, of, {
    supplier,
    values: await readNewer(db, record),
    edited: 'newer',
  });
  const { rows } = await storePart(db, record, of, { supplier, part, command: null, isAgain: false });
  await refreshRows(db, record, rows);
  if (rows.length > 0 || part.proposals.length > 0) await changeImport(db, importId, {});
}

/** The newer values of the rows' items and products. All rows are read once: keys have no index. */
async function readNewer(db: Db, record: OpenList): Promise<ValueToCarry[]> {
  const { import_id, run } = currentRows(record);
  const ofRun = sql`import_id = ${import_id} and run = ${run}`;
  const newer = await isNewer(db, record);
  const { rows } = await withoutNestedLoops(db, () =>
    sql<ValueToCarry>`
      with newer as materialized (
        select ${valueColumns} from carried_values where ${newer}
      ), items as materialized (
        select id, key from supplier_items where id = any(array(
          select substr(subject, 3)::bigint from newer where starts_with(subject, 'i:')))
      ), named as (
        select rows.row, product, byte_from, our_id, coalesce(known.id, items.id) as item,
          ${isUnsure} as is_unsure
        from (select * from rows where ${ofRun} and ${mayHaveItem}) rows
        left join (select * from row_items where ${ofRun}) row_items on row_items.row = rows.row
        left join items known on known.id = row_items.item
        left join items on items.key = rows.item_key
          and not exists (select from supplier_items where id = row_items.item)
      )
      select row, product, byte_from, newer.* from (
        select row, product, byte_from, 'i:' || item as subject from named where not is_unsure and item is not null
        union all select row, product, byte_from, 'p:' || our_id from named where our_id is not null
      ) rows join newer using (subject)
      order by row`.execute(db),
  );
  return rows;
}
