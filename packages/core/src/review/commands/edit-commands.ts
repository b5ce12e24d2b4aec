import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import { unchangedRowsMax } from '@draftshelf/domain/review/operations/left-reason';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { CommandStep } from '@draftshelf/domain/review/operations/recipe';
import { sql, type UpdateObject } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRow, queryValue } from '../../connection/query-rows.ts';
import type {
  CommandProgress,
  EditCommandKind,
  EditCommandRecord,
  Schema,
  UnchangedCells,
  UnchangedRows,
} from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { isUuid } from '../../imports/imports.ts';

/** `id`: an existing command to add edits to. `author`: a browser's id, or 'call'; undefined if no operator acts. */
export type NewCommand = { kind: EditCommandKind; id?: string | undefined; author?: string | undefined };

/** Inserts a command of an operator, or adds `rows` to an existing command. Returns the command's id. */
export async function insertCommand(
  db: Db,
  importId: string,
  { kind, id, author }: NewCommand,
  rows: number,
): Promise<string> {
  if (id !== undefined) {
    await changeCommand(db, { import_id: importId, id }, { rows: sql`rows + ${rows}` });
    return id;
  }
  return queryValue<string>(db)`
    insert into edit_commands (import_id, kind, author, rows)
    values (${importId}, ${kind}, ${author ?? null}, ${rows}) returning id`;
}

export type CommandKey = Pick<EditCommandRecord, 'import_id' | 'id'>;
type Changes = UpdateObject<Schema, 'edit_commands'>;

const update = (db: Db, { import_id, id }: CommandKey, set: Changes) =>
  db.updateTable('edit_commands').set(set).where('import_id', '=', import_id).where('id', '=', id);

export async function changeCommand(db: Db, command: CommandKey, set: Changes): Promise<void> {
  await update(db, command, set).execute();
}

export type CommandToApply = Pick<NewCommand, 'author'> &
  (
    | { kind: 'bulk'; operations: Operation[]; target: CommandTarget; sinceEdit: number | null }
    | { kind: 'recipes'; steps: CommandStep[] }
    | { kind: 'corrections'; sinceEdit: number | null }
    | { kind: 'undo' | 'redo'; undoes: string }
  );

const notBegun: CommandProgress = { step: 'rows', at: 0, batch: 200, pictured: false, carry: null };

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

export const storeSteps = (db: Db, command: CommandKey, steps: readonly CommandStep[]): Promise<void> =>
  changeCommand(db, command, stepColumns(steps));

export async function findCommand(db: Db, importId: string, id: string) {
  if (!isUuid(id)) return undefined;
  return findRow<EditCommandRecord>(db)`
    select * from edit_commands where import_id = ${importId} and id = ${id}`;
}

/** Returns the command that an undo or redo refers to. For another command, returns the command itself. */
export async function readBaseCommand(db: Db, command: EditCommandRecord): Promise<EditCommandRecord> {
  if (command.undoes === null) return command;
  const base = await findCommand(db, command.import_id, command.undoes);
  if (!base) throw new Error(`Command ${command.id} undoes a command that does not exist`);
  return base;
}

/** `leftRows`: all rows left unchanged, of which only the first are stored. `progress`: where the next part begins. */
export type CommandPart = {
  rows: number[];
  edits: number;
  left: UnchangedCells;
  leftRows?: UnchangedRows;
  progress: Partial<CommandProgress>;
};

export async function storeCommandPart(
  db: Db,
  command: EditCommandRecord,
  part: CommandPart,
  progress: CommandProgress,
): Promise<EditCommandRecord> {
  const { left_cells, left_rows, rows, edits } = command;
  const left: UnchangedCells = { ...left_cells };
  for (const [reason, cells] of Object.entries(part.left)) left[reason] = (left[reason] ?? 0) + cells;
  return update(db, command, {
    rows: rows + part.rows.length,
    edits: (edits ?? 0) + part.edits,
    left_cells: storableJson(left),
    ...(part.leftRows && { left_rows: storableJson(withFirst(left_rows, part.leftRows)) }),
    progress: storableJson(progress),
  })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Merges the first unchanged rows of two parts. Both belong to one run, because a re-read waits for the command. */
function withFirst(before: UnchangedRows | null, { run, rows }: UnchangedRows): UnchangedRows {
  const merged = { ...before?.rows };
  for (const [reason, numbers] of Object.entries(rows)) {
    const all = new Set([...(merged[reason] ?? []), ...numbers]);
    merged[reason] = [...all].sort((a, b) => a - b).slice(0, unchangedRowsMax);
  }
  return { run, rows: merged };
}

export const storeCommandProgress = (db: Db, command: CommandKey, progress: CommandProgress): Promise<void> =>
  changeCommand(db, command, { progress: storableJson(progress) });

export function requireProgress({ id, progress }: EditCommandRecord): CommandProgress {
  if (!progress) throw new Error(`Command ${id} has ended`);
  return progress;
}

/** Target duration of a part in milliseconds. It is short, because other changes wait while a part changes rows. */
const partMs = 150;
const [batchMin, batchMax] = [50, 2_000];

/** Returns the number of rows for the next part if `batch` rows took `ms`: at most twice `batch`, because rows vary. */
export function computeNextBatch(batch: number, ms: number): number {
  const next = Math.min(2 * batch, Math.round((batch * partMs) / Math.max(1, ms)));
  return Math.max(batchMin, Math.min(batchMax, next));
}

export async function removeCommand(db: Db, importId: string, id: string): Promise<void> {
  await db.deleteFrom('edit_commands').where('import_id', '=', importId).where('id', '=', id).execute();
}
