import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import { leftRowsMax } from '@draftshelf/domain/review/operations/left-reason';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { CommandStep } from '@draftshelf/domain/review/operations/recipe';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type {
  CommandProgress,
  EditCommandKind,
  EditCommandRecord,
  LeftCells,
  LeftRows,
} from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { isUuid } from '../../imports/imports.ts';

/** `id`: a command to which edits are added. `author`: the id of a browser, or 'call'; undefined for no operator. */
export type NewCommand = {
  kind: EditCommandKind;
  id?: string | undefined;
  author?: string | undefined;
};

/** Records a command of an operator, or `rows` further rows of it. Returns its id. */
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
    .values({ import_id: importId, kind: command.kind, author: command.author ?? null, rows })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export type CommandToApply = Pick<NewCommand, 'author'> &
  (
    | { kind: 'bulk'; operations: Operation[]; target: CommandTarget; sinceEdit: number | null }
    | { kind: 'recipes'; steps: CommandStep[] }
    | { kind: 'corrections'; sinceEdit: number }
    | { kind: 'undo' | 'redo'; undoes: string }
  );

const notBegun: CommandProgress = {
  step: 'rows',
  at: 0,
  batch: 200,
  pictured: false,
  carry: null,
};

export async function insertCommandToApply(
  db: Db,
  importId: string,
  command: CommandToApply,
  step: CommandProgress['step'] = 'rows',
): Promise<EditCommandRecord> {
  const bulk = command.kind === 'bulk' ? command : undefined;
  const steps = command.kind === 'recipes' ? command.steps : null;
  return db
    .insertInto('edit_commands')
    .values({
      import_id: importId,
      kind: command.kind,
      author: command.author ?? null,
      state: 'applying',
      undoes: 'undoes' in command ? command.undoes : null,
      ...(bulk && { operations: storableJson(bulk.operations), target: storableJson(bulk.target) }),
      ...(steps && stepColumns(steps)),
      since_edit: 'sinceEdit' in command ? command.sinceEdit : null,
      rows: 0,
      edits: 0,
      left_cells: storableJson({}),
      progress: storableJson({ ...notBegun, step }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const stepColumns = (steps: readonly CommandStep[]) => ({
  steps: storableJson(steps),
  operations: storableJson(steps.flatMap(({ operations }) => operations)),
});

export async function storeSteps(
  db: Db,
  { import_id, id }: Pick<EditCommandRecord, 'import_id' | 'id'>,
  steps: readonly CommandStep[],
): Promise<void> {
  await db
    .updateTable('edit_commands')
    .set(stepColumns(steps))
    .where('import_id', '=', import_id)
    .where('id', '=', id)
    .execute();
}

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

export async function setState(
  db: Db,
  { import_id, id }: Pick<EditCommandRecord, 'import_id' | 'id'>,
  state: EditCommandRecord['state'],
): Promise<void> {
  await db
    .updateTable('edit_commands')
    .set({ state })
    .where('import_id', '=', import_id)
    .where('id', '=', id)
    .execute();
}

export type PartCounts = { rows: number; edits: number; left: LeftCells; leftRows?: LeftRows };

/** Adds the counts of a part to its command and stores its progress. Returns the changed command. */
export async function storePart(
  db: Db,
  { import_id, id, left_cells, left_rows, rows, edits }: EditCommandRecord,
  part: PartCounts,
  progress: CommandProgress,
): Promise<EditCommandRecord> {
  const left: LeftCells = { ...left_cells };
  for (const [reason, cells] of Object.entries(part.left)) left[reason] = (left[reason] ?? 0) + cells;
  return db
    .updateTable('edit_commands')
    .set({
      rows: rows + part.rows,
      edits: (edits ?? 0) + part.edits,
      left_cells: storableJson(left),
      ...(part.leftRows && { left_rows: storableJson(withFirst(left_rows, part.leftRows)) }),
      progress: storableJson(progress),
    })
    .where('import_id', '=', import_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A re-read waits for a command, so both parts are of one run. */
function withFirst(before: LeftRows | null, { run, rows }: LeftRows): LeftRows {
  const merged = { ...before?.rows };
  for (const [reason, numbers] of Object.entries(rows)) {
    const all = new Set([...(merged[reason] ?? []), ...numbers]);
    merged[reason] = [...all].sort((a, b) => a - b).slice(0, leftRowsMax);
  }
  return { run, rows: merged };
}

export async function storeProgress(
  db: Db,
  { import_id, id }: Pick<EditCommandRecord, 'import_id' | 'id'>,
  progress: CommandProgress,
): Promise<void> {
  await db
    .updateTable('edit_commands')
    .set({ progress: storableJson(progress) })
    .where('import_id', '=', import_id)
    .where('id', '=', id)
    .execute();
}

export async function endCommand(
  db: Db,
  { import_id, id }: Pick<EditCommandRecord, 'import_id' | 'id'>,
): Promise<void> {
  await db
    .updateTable('edit_commands')
    .set({ state: 'applied', progress: null, ended_at: sql`now()` })
    .where('import_id', '=', import_id)
    .where('id', '=', id)
    .execute();
}

/** Marks the undos and redos of a command before its latest one as no longer in effect. */
export async function endEarlierUndos(db: Db, latest: EditCommandRecord): Promise<void> {
  await db
    .updateTable('edit_commands')
    .set({ state: 'undone' })
    .where('import_id', '=', latest.import_id)
    .where('undoes', '=', latest.undoes)
    .where('id', '<>', latest.id)
    .execute();
}

export async function removeCommand(db: Db, importId: string, id: string): Promise<void> {
  await db.deleteFrom('edit_commands').where('import_id', '=', importId).where('id', '=', id).execute();
}
