import { canDo } from '@draftshelf/domain/imports/import-status';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ImportRecord, Schema } from '../connection/schema.ts';
import { changeImport, changeParseRun, findImport, lockImport } from '../imports/imports.ts';
import { refreshRows } from '../reading/refresh-products.ts';
import { lockRows } from '../review/rows-lock.ts';
import { currentRows, parseRunOf, type RunOfRows, readRun } from '../work/runs.ts';
import { lockCarriedValues } from './carried-values.ts';
import { decidePart, storePart } from './carry-values.ts';
import { lockImportToKeep } from './edits-to-keep.ts';
import { keepNext } from './keep-values.ts';
import { findListOf } from './lists.ts';
import { readStepsDone } from './recipes.ts';
import { readValuesToCarry } from './values-to-carry.ts';

/**
 * Carries values set or taken back in other lists of the supplier into an open list, before its first push, which would
 * revert them. Works in short transactions, one for each part of the rows. Safe to repeat.
 */
export async function carryNewer(db: Kysely<Schema>, importId: string): Promise<void> {
  const record = await findOpenList(db, importId);
  if (!record) return;
  while (await db.transaction().execute((trx) => keepPart(trx, record)));
  const begun = await db.transaction().execute((trx) => beginCarrying(trx, record));
  if (!begun) return;
  for (let at = 0, command: string | null = null; at < record.total_rows; ) {
    const part = await db.transaction().execute((trx) => carryPart(trx, importId, { ...begun, at, command }));
    if (!part) return;
    ({ at, command } = part);
  }
  await db.transaction().execute((trx) => endCarrying(trx, importId, begun));
}

async function findOpenList(db: Db, importId: string) {
  const record = await findImport(db, importId);
  if (!record || record.supplier === null || record.test_mode || record.push_run > 0) return undefined;
  if (!canDo('push', record.status) || (await findListOf(db, importId))?.state !== 'open') return undefined;
  return { ...record, supplier: record.supplier };
}

type OpenList = ImportRecord & { supplier: number };

/** SQL condition: a value was kept from another list, or taken back there, after this time. */
const isNewer = ({ id, supplier }: OpenList, since: Date) => sql`
  supplier = ${supplier} and import_id <> ${id} and kept_at > ${since}`;

async function carriedAt(db: Db, record: OpenList): Promise<Date> {
  const { started_at, carried_at } = await readRun(db, parseRunOf(currentRows(record)), [
    'started_at',
    'carried_at',
  ]);
  return carried_at ?? started_at;
}

async function keepPart(db: Db, { id, supplier }: OpenList): Promise<boolean> {
  await lockCarriedValues(db, [supplier]);
  const other = await lockImportToKeep(db, supplier, id);
  if (other) await keepNext(db, other);
  return other !== undefined;
}

type Begun = { of: RunOfRows; supplier: number; since: Date; began_at: Date };

/** Undefined: nothing is newer. Values kept from now on are carried next time: keeping takes the same lock. */
async function beginCarrying(db: Db, record: OpenList): Promise<Begun | undefined> {
  await lockCarriedValues(db, [record.supplier]);
  const since = await carriedAt(db, record);
  const { rows } = await sql<{ began_at: Date }>`
    select clock_timestamp() as began_at from carried_values where ${isNewer(record, since)}
    limit 1`.execute(db);
  const { supplier } = record;
  return rows[0] && { of: currentRows(record), supplier, since, ...rows[0] };
}

async function isSame(db: Db, record: OpenList, { of, supplier, since }: Begun): Promise<boolean> {
  if (record.rows_run !== of.run || record.supplier !== supplier) return false;
  return (await carriedAt(db, record)).getTime() === since.getTime();
}

async function endCarrying(db: Db, importId: string, begun: Begun): Promise<void> {
  await lockCarriedValues(db, [begun.supplier]);
  await lockImport(db, importId);
  const record = await findOpenList(db, importId);
  if (record && (await isSame(db, record, begun)))
    await changeParseRun(db, begun.of, { carried_at: begun.began_at });
}

/** Returns the last row of the part; undefined if other rows are shown, or the list is pushed. */
async function carryPart(
  db: Db,
  importId: string,
  { at, command, ...begun }: Begun & { at: number; command: string | null },
): Promise<{ at: number; command: string | null } | undefined> {
  await lockRows(db, importId);
  const record = await findOpenList(db, importId);
  if (!record) return undefined;
  await lockCarriedValues(db, [record.supplier]);
  if (!(await isSame(db, record, begun))) return undefined;
  const { supplier } = record;
  const { values, last } = await readValuesToCarry(db, begun.of, supplier, at, isNewer(record, begun.since));
  // A cell whose value is taken back would get the supplier's, without the recipes that were applied here.
  const isRepeated =
    values.some(({ value }) => value === null) && (await readStepsDone(db, importId)).length > 0;
  const carried = isRepeated ? values.filter(({ value }) => value !== null) : values;
  const part = await decidePart(db, record, begun.of, { supplier, values: carried, edited: 'newer' });
  const stored = await storePart(db, record, begun.of, { supplier, part, command });
  await refreshRows(db, record, stored.rows);
  if (stored.rows.length > 0 || part.proposals.length > 0) await changeImport(db, importId, {});
  return { at: last, command: stored.command };
}
