import { fileKeyOf } from '@draftshelf/csv/object-keys';
import type { ImportEvent } from '@draftshelf/domain/imports/activity';
import type { ImportStatus } from '@draftshelf/domain/imports/import-status';
import { runningStatusOf, stages } from '@draftshelf/domain/imports/stages';
import { sql, type UpdateObject } from 'kysely';
import { isWaitOver, readClock } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { findRow, hasRows, queryRows, queryValues } from '../connection/query-rows.ts';
import type { ImportRecord, ParseRunState, RunRecord, RunsTable, Schema } from '../connection/schema.ts';
import { recordEvent } from './record-event.ts';

/** Columns that may change with a status. Only moveStatus changes the status itself. */
export type ImportChanges = Omit<UpdateObject<Schema, 'import_records'>, 'status' | 'starts' | 'version'>;

/** Columns of import_records that are stored in the latest parse run, with their names in the table `runs`. */
const columnsOfRun: Readonly<Record<keyof ParseRunState | 'stage' | 'started_at', keyof RunsTable>> = {
  stage: 'import_stage',
  started_at: 'import_started_at',
  failed_in: 'failed_in',
  open_chunks: 'open_chunks',
  total_rows: 'total_rows',
  total_products: 'total_products',
  product_numbers: 'product_numbers',
  edits_without_row: 'edits_without_row',
  parsed_rows: 'parsed_rows',
  processed_products: 'processed_products',
  valid_products: 'valid_products',
  warning_products: 'warning_products',
  error_products: 'error_products',
  enrich_rows: 'enrich_rows',
  enriched_rows: 'enriched_rows',
  marked_ready: 'marked_ready',
  error_message: 'error_message',
  error_log: 'error_log',
  error_count: 'error_count',
  completed_at: 'completed_at',
};

export function splitImportColumns(values: object): { ofImport: object; ofRun: object } {
  const parts: Record<'ofImport' | 'ofRun', Record<string, unknown>> = { ofImport: {}, ofRun: {} };
  for (const [column, value] of Object.entries(values)) {
    const inRun = (columnsOfRun as Readonly<Record<string, keyof RunsTable | undefined>>)[column];
    if (inRun === undefined) parts.ofImport[column] = value;
    else parts.ofRun[inRun] = value;
  }
  return parts;
}

/** SQL value: a version that no import has had. Every visible change needs a new version, so that ETags differ. */
export const nextVersion = sql<number>`nextval('import_version')`;

export const errorLogMax = 100;

/** Finds an import by id. Undefined if there is none, or if the text is not a UUID. */
export async function findImport(db: Db, id: string): Promise<ImportRecord | undefined> {
  if (!isUuid(id)) return undefined;
  return findRow<ImportRecord>(db)`${prepared}select * from import_records where id = ${id}`;
}

/**
 * Locks an import until the transaction ends, then reads it in a second statement: a single statement that waits for
 * the lock would not see changes that others have made to the run. The lock does not block foreign key checks, because
 * batches of finalize make such checks while an edit waits for the batch.
 */
export async function lockImport(db: Db, id: string): Promise<ImportRecord | undefined> {
  const isThere = await hasRows(db)`select from imports where id = ${id} for no key update`;
  return isThere ? findImport(db, id) : undefined;
}

/** Locks paused imports that are due to resume. Skips locked imports. */
export const lockImportsToResume = (db: Db) =>
  queryRows<Pick<ImportRecord, 'id' | 'paused_from'>>(db)`
    select id, paused_from from imports
    where status = 'paused' and paused_by = 'store' and ${isWaitOver(sql.ref('resume_at'), sql.ref('paused_at'))}
    for update skip locked`;

/** Returns which of these imports are in `processing`. Ignores unknown ids. */
export async function listProcessingIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const known = ids.filter(isUuid);
  if (known.length === 0) return new Set();
  return new Set(
    await queryValues<string>(db)`${prepared}
      select id from imports where id = any(${known}::uuid[]) and status = 'processing'`,
  );
}

export async function findExistingImports(db: Db, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await queryValues<string>(db)`select id from imports where id = any(${ids}::uuid[])`);
}

/** Waits for edits in progress, and blocks new edits until the transaction ends. Returns the time of this lock. */
export async function lockAgainstEdits(db: Db, id: string): Promise<Date> {
  await sql`select from imports where id = ${id} for share`.execute(db);
  return readClock(db);
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of our ids. Postgres throws for most other texts. */
export const isUuid = (text: string): boolean => uuidForm.test(text);

export async function readImportVersion(db: Db, id: string): Promise<number | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await findRow<{ version: number }>(db)`select version from imports where id = ${id}`;
  return row?.version;
}

/** Returns a version of an import's rows for an ETag. Deleting scanned products changes it: rows may link to them. */
export async function readRowsVersion(db: Db, id: string): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await findRow<{ version: number; deleted: number | null }>(db)`
    select version, case when exists (select 1 from added_rows where import_id = imports.id) then (
      select (extract(epoch from max(deleted_at)) * 1000000)::bigint from scanned_products
      where deleted_at is not null) end as deleted
    from imports where id = ${id}`;
  return row && (row.deleted === null ? String(row.version) : `${row.version}-${row.deleted}`);
}

const processedMax = 500;

export const listProcessedImports = (db: Db) =>
  queryRows<ImportRecord>(db)`
    select * from import_records where status = 'processed' order by created_at desc, id limit ${processedMax}`;

export const readImport = (db: Db, id: string): Promise<ImportRecord> =>
  db.selectFrom('import_records').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Finds the latest import of the same bytes: a test import only if there is no other, a deleted one only if pushed. */
export const findSameFileImport = (db: Db, sha256: string) =>
  findRow<Pick<ImportRecord, 'id' | 'filename'>>(db)`
    select id, filename from imports
    where sha256 = ${sha256} and status <> 'cancelled' and (deletion_began_at is null or push_run > 0)
    order by test_mode, created_at desc limit 1`;

/** Whether imports of the same bytes copied this import's edits and may still need the places of its rows. */
export const hasCopies = (db: Db, id: string) =>
  hasRows(db)`select from imports where same_as = ${id} limit 1`;

/** Unlinks imports of the same bytes from an import that is being deleted. Its filename stays in `same_filename`. */
export async function unlinkSameFiles(db: Db, id: string): Promise<void> {
  await sql`update imports set same_as = null, version = ${nextVersion} where same_as = ${id}`.execute(db);
}

/** Values that end an import's pause and wait. */
const notWaiting = {
  ...{ paused_from: null, paused_by: null, resume_at: null },
  ...{ waiting_for: null, waiting_until: null },
};

/** Values that clear the failure of an import whose stage begins again. */
export const failureReset = {
  ...{ failed_in: null, error_message: null, error_log: [], error_count: 0, completed_at: null },
} satisfies ImportChanges;

/** Changes an import's status. Undefined if its status is not in `from`, or if its `starts` differ from `start`. */
export async function moveStatus(
  db: Db,
  id: string,
  move: {
    from: readonly ImportStatus[];
    to: ImportStatus;
    set?: ImportChanges;
    event?: ImportEvent;
    start?: number | undefined;
  },
): Promise<ImportRecord | undefined> {
  const { from, to, set = {}, start } = move;
  const isStart = stages.some((stage) => runningStatusOf(stage) === to);
  const { ofImport, ofRun } = splitImportColumns(set);
  const found = await db
    .updateTable('imports')
    .set({
      ...notWaiting,
      ...ofImport,
      status: to,
      version: nextVersion,
      ...(isStart ? { starts: sql`starts + 1` } : {}),
    })
    .where('id', '=', id)
    .where('status', 'in', from)
    .$if(start !== undefined, (query) => query.where('starts', '=', start ?? 0))
    .returning('parse_run')
    .executeTakeFirst();
  if (!found) return undefined;
  await changeParseRun(db, { import_id: id, run: found.parse_run }, ofRun);
  const moved = await readImport(db, id);
  if (move.event) await recordEvent(db, move.event, moved);
  return moved;
}

/** Like moveStatus, but for an import that the caller has locked, so that its stored status is still `status`. */
export async function moveLockedImport(
  db: Db,
  { id, status }: Pick<ImportRecord, 'id' | 'status'>,
  move: Omit<Parameters<typeof moveStatus>[2], 'from' | 'start'>,
): Promise<ImportRecord> {
  const moved = await moveStatus(db, id, { from: [status], ...move });
  if (!moved) throw new Error(`Import ${id} changed its status while it was locked`);
  return moved;
}

/**
 * Changes a parse run. The caller has locked the import. Only the finalize of a first read does not need this lock,
 * because the run is not shown yet and finalize locks nothing later.
 */
export async function changeParseRun(
  db: Db,
  { import_id, run }: Pick<RunRecord, 'import_id' | 'run'>,
  set: UpdateObject<Schema, 'runs'>,
): Promise<void> {
  if (Object.keys(set).length === 0) return;
  await db
    .updateTable('runs')
    .set(set)
    .where((eb) => eb.and({ import_id, stage: 'parse', run }))
    .execute();
}

/** Changes columns other than the status, and sets a new version. Locks the import. */
export async function changeImport(db: Db, id: string, set: ImportChanges): Promise<void> {
  const { ofImport, ofRun } = splitImportColumns(set);
  const found = await db
    .updateTable('imports')
    .set({ ...ofImport, version: nextVersion })
    .where('id', '=', id)
    .returning('parse_run')
    .executeTakeFirst();
  if (found) await changeParseRun(db, { import_id: id, run: found.parse_run }, ofRun);
}

/** Returns columns that hold an import back from full auto, unless it is pushed. An earlier reason stays. */
export const createHoldColumns = (sentence: string) => ({
  auto_push_at: null,
  auto_held: sql<string | null>`case when auto_mode = 'full-auto' and push_run = 0
      then coalesce(auto_held, ${sentence}::text) else auto_held end`,
});

export async function setImportShop(
  db: Db,
  id: string,
  { shop, currency }: { shop: string; currency: string },
): Promise<void> {
  await sql`
    update imports set shop = ${shop}, currency = ${currency}, version = ${nextVersion}
    where id = ${id} and (shop, currency) is distinct from (${shop}::text, ${currency}::text)`.execute(db);
}

/** SQL expression: error_log with messages appended, limited to its first 100 entries. */
export const appendErrors = (messages: readonly string[]) =>
  sql<string[]>`(error_log || ${messages}::text[])[1:${sql.lit(errorLogMax)}]`;

/** Returns those keys that belong to stored files, to corrections, or to objects derived from them. */
export async function listKnownObjects(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const files = keys.map(fileKeyOf);
  const named = await queryValues<string>(db)`
    select object_key from imports where object_key = any(${files}::text[]) and file_removed_at is null
    union all select object_key from corrections where object_key = any(${files}::text[])`;
  const known = new Set(named);
  return new Set(keys.filter((key) => known.has(fileKeyOf(key))));
}
