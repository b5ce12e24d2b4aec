import { idRangeOfTag } from '@draftshelf/domain/review/corrections/row-key';
import { type Insertable, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRow, queryValue, queryValues } from '../../connection/query-rows.ts';
import type {
  CompareProgress,
  CorrectionsCounts,
  CorrectionsFile,
  CorrectionsRecord,
  CorrectionsTable,
} from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { isUuid } from '../../imports/imports.ts';
import type { RunOfRows } from '../../work/runs.ts';
import type { CommandKey } from '../commands/edit-commands.ts';

export type NewCorrections = Pick<Insertable<CorrectionsTable>, 'filename' | 'since_edit'> & {
  object_key: string;
  source: CorrectionsFile;
  at: CompareProgress;
};

const nothing: CorrectionsCounts = { records: 0, lines: {}, rows: 0, fields: {}, unused: {} };

export async function insertCorrections(
  db: Db,
  { import_id, run }: RunOfRows,
  { filename, since_edit, object_key, source, at }: NewCorrections,
): Promise<string> {
  return queryValue<string>(db)`
    insert into corrections (import_id, run, filename, since_edit, object_key, source, at, counts)
    values (${import_id}, ${run}, ${filename}, ${since_edit}, ${object_key}, ${storableJson(source)},
      ${storableJson(at)}, ${storableJson(nothing)})
    returning id`;
}

export async function findCorrections(db: Db, importId: string, id: string) {
  if (!isUuid(id)) return undefined;
  return findRow<CorrectionsRecord>(db)`
    select * from corrections where import_id = ${importId} and id = ${id}`;
}

/** Reads the corrections that a command applies. Throws if the command has none. */
export async function readCommandCorrections(
  db: Db,
  { import_id, id }: CommandKey,
): Promise<CorrectionsRecord> {
  const found = await findRow<CorrectionsRecord>(db)`
    select * from corrections where import_id = ${import_id} and command = ${id}`;
  if (!found) throw new Error(`Command ${id} has no corrections`);
  return found;
}

/** Finds the latest file that is still being compared with the rows of a run and whose object is still stored. */
export const findRunningComparison = (db: Db, { import_id, run }: RunOfRows) =>
  findRow<CorrectionsRecord>(db)`
    select * from corrections
    where import_id = ${import_id} and state = 'comparing' and run = ${run} and at is not null
      and object_key is not null
    order by created_at desc limit 1`;

/** Ends the failed comparisons of a run, so that a new file can be compared. */
export async function endFailedComparisons(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await sql`
    update corrections set at = null
    where import_id = ${import_id} and run = ${run} and state = 'comparing'`.execute(db);
}

/** Locks the corrections. Returns true if their comparison is still running and no other worker has advanced it. */
export async function lockComparison(db: Db, { id, at }: CorrectionsRecord): Promise<boolean> {
  const locked = await findRow<Pick<CorrectionsRecord, 'at'>>(db)`
    select at from corrections where id = ${id} for update`;
  return at !== null && locked?.at?.byte === at.byte && locked.at.settled === at.settled;
}

export async function storeCorrectionsComparison(
  db: Db,
  { id }: Pick<CorrectionsRecord, 'id'>,
  { at, counts, source }: Pick<CorrectionsRecord, 'at' | 'counts' | 'source'>,
): Promise<void> {
  await sql`
    update corrections set at = ${at && storableJson(at)}, counts = ${storableJson(counts)},
      source = ${storableJson(source)}, state = ${at ? 'comparing' : 'compared'}
    where id = ${id}`.execute(db);
}

export async function markCorrectionsApplied(
  db: Db,
  { id }: CorrectionsRecord,
  command: string,
): Promise<void> {
  await db.updateTable('corrections').set({ command, state: 'applied' }).where('id', '=', id).execute();
}

export function findImportByTag(db: Db, tag: string) {
  const [first, last] = idRangeOfTag(tag);
  return findRow<{ id: string; filename: string }>(db)`
    select id, filename from imports
    where id between ${first} and ${last} and deletion_began_at is null limit 1`;
}

/** Days for which a corrections file and its compared cells are kept. */
export const correctionsDays = 30;

/** SQL condition: the file is older than `correctionsDays`, and no task compares or applies it. */
export const isOldCorrectionsFile = sql<boolean>`corrections.created_at < now() - make_interval(days => ${sql.lit(correctionsDays)})
  and not exists (
    select 1 from chunks where chunks.import_id = corrections.import_id and chunks.kind = 'task'
      and (chunks.task = 'compare-corrections' and chunks.state in ('pending', 'published')
        or chunks.command = corrections.command and chunks.state in ('pending', 'published', 'dead')))`;

/** Clears the object keys of old files or of an import's files. Returns these keys, whose objects the sweep deletes. */
export const clearCorrectionsKeys = (db: Db, of: { importId: string } | 'old') =>
  queryValues<string>(db)`
    with forgotten as (
      select id, object_key from corrections
      where object_key is not null and ${of === 'old' ? isOldCorrectionsFile : sql`import_id = ${of.importId}`}
      for update
    )
    update corrections set object_key = null from forgotten where corrections.id = forgotten.id
    returning forgotten.object_key`;

export async function readEditedFields(db: Db, importId: string): Promise<ReadonlySet<string>> {
  return new Set(
    await queryValues<string>(db)`select distinct field from edits where import_id = ${importId}`,
  );
}
