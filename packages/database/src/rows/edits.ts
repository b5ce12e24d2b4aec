import { type CanonicalField, productFields } from '@draftshelf/domain/canonical-fields';
import { canDo } from '@draftshelf/domain/import-status';
import { rowClasses } from '@draftshelf/domain/row-rule';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { lockImport, refreshReviewStatus } from '../imports/imports.ts';
import { revalidateDuplicates } from '../parse/duplicates.ts';
import { ourIdOf } from '../push/our-id.ts';
import { moveSnapshotCounts } from '../reread/reread-rollback.ts';
import type { EditCommandRecord, ImportRecord } from '../schema.ts';
import { findCommand, insertCommand, type NewCommand, setState } from './edit-commands.ts';
import { type EffectiveRow, readFirstRows, readRowsByNumber } from './effective-rows.ts';
import { moveFacets } from './row-facets.ts';
import { lockRows } from './rows-lock.ts';
import { replaceSearchRows } from './search/row-search.ts';
import {
  productsPerBatch,
  type ValidatedProducts,
  validateProducts,
  withoutNul,
} from './validate-products.ts';

/** New values of one row, by field. Null undoes an edit: the value from the file, or the found one, applies again. */
export type RowChange = { row: number; values: Partial<Record<CanonicalField, string | null>> };

export type EditRefusal = 'no such row' | 'ignored' | 'not editable now' | 'being sent' | 'too many';
export type EditResult = { ok: true; command: string } | { ok: false; reason: EditRefusal };

/**
 * Records the changes of one command and validates their products, in the caller's transaction. Applies all of them, or
 * none and returns the reason. A field that a product has only once is edited on its first row. The import's status
 * follows: fixing the last bad row makes it `processed`.
 */
export async function editRows(
  db: Db,
  importId: string,
  command: NewCommand,
  changes: readonly RowChange[],
): Promise<EditResult> {
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  if (!record) return { ok: false, reason: 'no such row' };
  if (!canDo('edit', record.status)) return { ok: false, reason: 'not editable now' };
  const rows = await readRowsByNumber(
    db,
    record,
    changes.map(({ row }) => row),
  );
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  if (changes.some(({ row }) => !byNumber.has(row))) return { ok: false, reason: 'no such row' };
  if (rows.some(({ ignored }) => ignored !== null)) return { ok: false, reason: 'ignored' };
  const products = [...new Set(rows.map(({ product }) => product))];
  if (products.length > productsPerBatch) return { ok: false, reason: 'too many' };
  const firsts = await readFirstRows(db, record, products);
  if (await anyBeingSent(db, record, [...firsts.values()])) return { ok: false, reason: 'being sent' };
  const edits = changes.flatMap(({ row, values }) =>
    Object.entries(values).map(([field, after]) => {
      const changed = byNumber.get(row) as EffectiveRow;
      // An undo restores the value of this very row, even if another row is now the product's first.
      const isOfProduct = productFields.has(field as CanonicalField) && command.undoes === undefined;
      return editOf(isOfProduct ? (firsts.get(changed.product) ?? changed) : changed, field, after);
    }),
  );
  const id = await insertCommand(db, importId, command, new Set(edits.map(({ row }) => row)).size);
  await insertEdits(db, importId, id, edits);
  await applyDifferences(db, record, await validateProducts(db, record, products));
  await refreshReviewStatus(db, importId);
  return { ok: true, command: id };
}

export type UndoResult =
  | { ok: true; command: string; rows: number[]; left: number }
  | { ok: false; reason: EditRefusal | 'no such command' | 'undone already' | 'changed since' };

/**
 * Undoes a command, in the caller's transaction: each of its edits is replaced by the one before it, or by none. What
 * another command has changed since stays, and is counted as `left`. The undo is a command too. Undoing that is the
 * redo, which applies the edits of the first command again.
 */
export async function undoCommand(db: Db, importId: string, commandId: string): Promise<UndoResult> {
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  const command = record && (await findCommand(db, importId, commandId));
  if (!command) return { ok: false, reason: 'no such command' };
  const base = command.undoes === null ? command : await findCommand(db, importId, command.undoes);
  if (!base) throw new Error(`Command ${commandId} undoes a command that does not exist`);
  const kind = command.kind === 'undo' ? 'redo' : 'undo';
  const isInEffect = base.state === (kind === 'undo' ? 'applied' : 'undone');
  if (command.state === 'undone' || !isInEffect) return { ok: false, reason: 'undone already' };
  const cells = await cellsOf(db, base);
  const latest = cells.filter(({ is_latest }) => is_latest);
  if (latest.length === 0) return { ok: false, reason: 'changed since' };
  const rows = await rowsOfEdits(db, record, latest);
  const restored = ({ before, after }: EditedCell) => (kind === 'undo' ? before : after);
  const changes = latest.flatMap((cell) => {
    const row = rows.get(cell.byte_from);
    return row === undefined ? [] : [{ row, values: { [cell.field]: restored(cell) } }];
  });
  if (changes.length === 0) return { ok: false, reason: 'no such row' };
  const edited = await editRows(db, importId, { kind, undoes: base.id }, changes);
  if (!edited.ok) return edited;
  // Rows that the current run does not have may return with another re-read.
  const gone = latest.filter(({ byte_from }) => !rows.has(byte_from));
  const restoredGone = gone.map((cell) => ({
    ...{ row: cell.row, byteFrom: cell.byte_from, field: cell.field },
    ...{ before: null, after: restored(cell) },
  }));
  await insertEdits(db, importId, edited.command, restoredGone);
  await setState(db, command, 'undone');
  await setState(db, base, kind === 'undo' ? 'undone' : 'applied');
  const changed = [...new Set(changes.map(({ row }) => row))];
  return { ...edited, rows: changed, left: cells.length - latest.length };
}

/**
 * A cell that a command edited: its value without the command, its value with it, and whether nobody has edited it
 * since.
 */
type EditedCell = {
  row: number;
  byte_from: number;
  field: string;
  before: string | null;
  after: string | null;
  is_latest: boolean;
};

/** Ignores undone commands, and the commands that undid or redid them: these only restore the edits of others. */
async function cellsOf(db: Db, { import_id, id }: EditCommandRecord): Promise<EditedCell[]> {
  const ofOthers = sql`
    edits join edit_commands on edit_commands.import_id = edits.import_id and edit_commands.id = edits.command
    where edits.import_id = ${import_id} and edits.byte_from = own.byte_from and edits.field = own.field
      and edits.command <> ${id} and edit_commands.state = 'applied' and edit_commands.kind not in ('undo', 'redo')`;
  const { rows } = await sql<EditedCell>`
    with own as (
      select distinct on (byte_from, field) * from edits where import_id = ${import_id} and command = ${id}
      order by byte_from, field, id desc
    )
    select own.row, own.byte_from, own.field, own.after, earlier.after as before, later.id is null as is_latest
    from own
    left join lateral (
      select edits.after from ${ofOthers} and edits.id < own.id order by edits.id desc limit 1
    ) earlier on true
    left join lateral (select edits.id from ${ofOthers} and edits.id > own.id limit 1) later on true`.execute(
    db,
  );
  return rows;
}

/**
 * The current rows of some edits, by offset. A row nearly always still has the number it had when it was edited. Only a
 * re-read renumbers rows, and then all rows are scanned.
 */
async function rowsOfEdits(
  db: Db,
  record: ImportRecord,
  edits: readonly Pick<EditedCell, 'row' | 'byte_from'>[],
): Promise<Map<number, number>> {
  const find = async (bytesFrom: readonly number[], which: RawBuilder<unknown>) => {
    const { rows } = await sql<{ row: number; byte_from: number }>`
      select row, byte_from from rows
      where import_id = ${record.id} and run = ${record.rows_run} and byte_from = any(${bytesFrom}::bigint[])
        and ignored is null ${which}`.execute(db);
    return new Map(rows.map(({ row, byte_from }) => [byte_from, row]));
  };
  const offsets = edits.map(({ byte_from }) => byte_from);
  const found = await find(offsets, sql`and row = any(${edits.map(({ row }) => row)}::int[])`);
  const missing = offsets.filter((offset) => !found.has(offset));
  if (missing.length === 0) return found;
  return new Map([...found, ...(await find(missing, sql``))]);
}

type NewEdit = { row: number; byteFrom: number; field: string; before: string | null; after: string | null };

const editOf = (edited: EffectiveRow, field: string, after: string | null): NewEdit => ({
  row: edited.row,
  byteFrom: edited.byte_from,
  field,
  before: withoutNul(edited.values[field as CanonicalField] ?? null),
  after,
});

async function insertEdits(
  db: Db,
  importId: string,
  command: string,
  edits: readonly NewEdit[],
): Promise<void> {
  await sql`
    insert into edits (import_id, command, row, byte_from, field, before, after)
    select ${importId}, ${command}, edited.*
    from unnest(${edits.map(({ row }) => row)}::int[], ${edits.map(({ byteFrom }) => byteFrom)}::bigint[],
      ${edits.map(({ field }) => field)}::text[], ${edits.map(({ before }) => before)}::text[],
      ${edits.map(({ after }) => after)}::text[]) as edited`.execute(db);
}

/**
 * A product whose payload is being sent to the store must not change. In a paused or failed import none is being sent.
 */
async function anyBeingSent(db: Db, record: ImportRecord, firsts: readonly EffectiveRow[]): Promise<boolean> {
  if (record.status !== 'uploading') return false;
  const sending = await db
    .selectFrom('listings')
    .innerJoin('chunks', 'chunks.id', 'listings.sending_chunk')
    .select('listings.our_id')
    .where('listings.our_id', '=', sql<string>`any(${firsts.map((first) => ourIdOf(record, first))}::text[])`)
    .where('listings.sending', 'is not', null)
    .where('chunks.import_id', '=', record.id)
    .limit(1)
    .executeTakeFirst();
  return sending !== undefined;
}

/** Updates the facets, the search, the duplicates and the counters to the new values of rows. */
async function applyDifferences(
  db: Db,
  record: ImportRecord,
  { classes, facets, rekeyed, searched }: ValidatedProducts,
): Promise<void> {
  await moveFacets(db, { import_id: record.id, run: record.rows_run }, facets);
  await replaceSearchRows(db, record, searched);
  await revalidateDuplicates(db, record, rekeyed);
  if (rowClasses.every((name) => classes[name] === 0)) return;
  // During a re-read the import's counters belong to the new run, whose finalize applies the edits.
  if (record.rows_run !== record.parse_run) {
    await moveSnapshotCounts(db, record, classes);
    return;
  }
  await db
    .updateTable('imports')
    .set({
      valid_products: sql`valid_products + ${classes.valid}`,
      warning_products: sql`warning_products + ${classes.warning}`,
      error_products: sql`error_products + ${classes.error}`,
    })
    .where('id', '=', record.id)
    .execute();
}

/** Gives a new import the edits in effect of the latest import of the same file. Its finalize step applies them. */
export async function copyEdits(db: Db, fromImportId: string, toImportId: string): Promise<void> {
  const { rows } = await sql<{ rows: number }>`
    select count(distinct byte_from)::int as rows from edits where import_id = ${fromImportId}`.execute(db);
  const edited = rows[0]?.rows ?? 0;
  if (edited === 0) return;
  const command = await insertCommand(db, toImportId, { kind: 'copied' }, edited);
  await sql`
    insert into edits (import_id, command, row, byte_from, field, before, after)
    select ${toImportId}, ${command}, row, byte_from, field, before, after from (
      select distinct on (byte_from, field) * from edits where import_id = ${fromImportId}
      order by byte_from, field, id desc
    ) latest where after is not null`.execute(db);
}
