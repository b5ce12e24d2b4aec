import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { isUuid } from '../imports/imports.ts';
import type { EditCommandKind, EditCommandRecord } from '../schema.ts';

/**
 * `undoes`: for an undo or redo, the command whose edits it undoes or applies again. `id`: a command that is there
 * already, to which edits are added; undefined for a new one. `author`: the id of a browser, or 'call'; undefined if it
 * is no operator.
 */
export type NewCommand = {
  kind: EditCommandKind;
  undoes?: string;
  id?: string | undefined;
  author?: string | undefined;
};

/** Records a command of an operator; `rows`: how many rows it changes, or further ones. Returns its id. */
export async function insertCommand(
  db: Db,
  importId: string,
  command: NewCommand,
  rows: number,
): Promise<string> {
  if (command.id !== undefined) {
    await db
      .updateTable('edit_commands')
      .set({ rows: sql`rows + ${rows}` })
      .where('import_id', '=', importId)
      .where('id', '=', command.id)
      .execute();
    return command.id;
  }
  const { id } = await db
    .insertInto('edit_commands')
    .values({
      import_id: importId,
      kind: command.kind,
      undoes: command.undoes ?? null,
      author: command.author ?? null,
      rows,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A command of an import, or undefined. */
export async function findCommand(
  db: Db,
  importId: string,
  id: string,
): Promise<EditCommandRecord | undefined> {
  if (!isUuid(id)) return undefined;
  return db
    .selectFrom('edit_commands')
    .selectAll()
    .where('import_id', '=', importId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Records whether a command is in effect. */
export async function setState(
  db: Db,
  { import_id, id }: EditCommandRecord,
  state: EditCommandRecord['state'],
): Promise<void> {
  await db
    .updateTable('edit_commands')
    .set({ state })
    .where('import_id', '=', import_id)
    .where('id', '=', id)
    .execute();
}

/** Records how many values an undo or redo has left. */
export async function setLeftValues(db: Db, importId: string, id: string, left: number): Promise<void> {
  await db
    .updateTable('edit_commands')
    .set({ left_values: left })
    .where('import_id', '=', importId)
    .where('id', '=', id)
    .execute();
}

/** Removes a command without edits. */
export async function removeCommand(db: Db, importId: string, id: string): Promise<void> {
  await db.deleteFrom('edit_commands').where('import_id', '=', importId).where('id', '=', id).execute();
}
