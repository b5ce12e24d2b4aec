import { canDo } from '@draftshelf/domain/imports/import-status';
import type { Kysely } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryValue } from '../connection/query-rows.ts';
import type { ImportRecord, Schema } from '../connection/schema.ts';
import { changeImport, changeParseRun, findImport, lockImport } from '../imports/imports.ts';
import { refreshRows } from '../reading/refresh-products.ts';
import { lockRows } from '../review/rows-lock.ts';
import { belongsToRun, currentRows, type RunOfRows, toParseRun } from '../work/runs.ts';
import { lockCarriedValues } from './carried-values.ts';
import { carryNextRows } from './carry-values.ts';
import { readNewestEditId } from './edits-to-keep.ts';
import { keepNextEditsOfOthers } from './keep-values.ts';
import { findListOfImport } from './lists.ts';
import { isNewer, type SupplierImport } from './values-to-carry.ts';

/** Carries values of other lists into an open list before its first push, in short transactions. Safe to repeat. */
export async function carryNewerValues(db: Kysely<Schema>, importId: string): Promise<void> {
  const list = await findOpenList(db, importId);
  if (!list) return;
  const keepTo = await readNewestEditId(db);
  while (await db.transaction().execute((trx) => keepNextEditsOfOthers(trx, list, keepTo)));
  let next = await db.transaction().execute((trx) => beginCarrying(trx, list));
  while (next) {
    const part: Next = next;
    next = await db.transaction().execute((trx) => carryPart(trx, importId, part));
  }
}

type OpenList = ImportRecord & SupplierImport;

async function findOpenList(db: Db, importId: string): Promise<OpenList | undefined> {
  const record = await findImport(db, importId);
  if (!record || record.supplier === null || record.test_mode || record.push_run > 0) return undefined;
  if (!canDo('push', record.status) || (await findListOfImport(db, importId))?.state !== 'open')
    return undefined;
  return { ...record, supplier: record.supplier };
}

const carriedAt = (db: Db, of: RunOfRows) =>
  queryValue<Date>(
    db,
  )`select coalesce(carried_at, started_at) from runs where ${belongsToRun(toParseRun(of))}`;

/** The next part of carrying values into a list. `since` is when values were last carried into the list. */
type Next = {
  of: RunOfRows;
  supplier: number;
  since: Date;
  began_at: Date;
  at: number;
  command: string | null;
};

/** Returns the first part, or undefined if no value is newer. Values kept after this lock wait for the next call. */
async function beginCarrying(db: Db, record: OpenList): Promise<Next | undefined> {
  const { supplier } = record;
  const of = currentRows(record);
  await lockCarriedValues(db, [supplier]);
  const since = await carriedAt(db, of);
  const newer = await findRow<{ began_at: Date }>(db)`
    select clock_timestamp() as began_at from carried_values where ${isNewer(record, since)}
    limit 1`;
  return newer && { of, supplier, since, ...newer, at: 0, command: null };
}

/** Carries a part. Returns the next part, or undefined if this was the last or if the list was re-read or pushed. */
async function carryPart(db: Db, importId: string, part: Next): Promise<Next | undefined> {
  const { of, supplier, since } = part;
  await lockRows(db, importId);
  const record = await findOpenList(db, importId);
  if (record?.rows_run !== of.run || record.supplier !== supplier) return undefined;
  await lockCarriedValues(db, [supplier]);
  if ((await carriedAt(db, of)).getTime() !== since.getTime()) return undefined;
  const { last, command, edited, isChanged } = await carryNextRows(db, record, of, part);
  await refreshRows(db, record, edited);
  if (isChanged) await changeImport(db, importId, {});
  if (last < record.total_rows) return { ...part, at: last, command };
  await lockImport(db, importId);
  await changeParseRun(db, of, { carried_at: part.began_at });
  return undefined;
}
