import { commandKinds } from '@draftshelf/domain/review/operations/carried-command';
import { unchangedReasons } from '@draftshelf/domain/review/operations/left-reason';
import { z } from 'zod';
import { route } from '../route.ts';
import { UnchangedRows } from './commands.ts';
import { rowNumberMax } from './rows.ts';

/** The browser id in the header `browserHeader`. */
export const BrowserId = z.string().regex(/^[\w-]{16,64}$/);

export const commandsListedMax = 50;

/** Author of a command. `call`: no browser. `worker`: Draftshelf. `unknown`: made before authors were recorded. */
export const Author = z.enum(['this-browser', 'another-browser', 'call', 'worker', 'unknown']);
export type Author = z.infer<typeof Author>;

export const CommandKind = z.enum(commandKinds);

/** A command in the history. The undo and redo of a command have no entries of their own. */
const Command = z.object({
  id: z.uuid(),
  kind: CommandKind,
  /** `applying` and `undoing`: a task is still at work. */
  state: z.enum(['applied', 'undone', 'applying', 'undoing']),
  author: Author,
  at: z.iso.datetime(),
  /** Description, such as 'Price of row 12 changed to “9.90”'. */
  sentence: z.string(),
  /** Number of rows that the command changed. */
  rows: z.number().int(),
  /** Number of values that the command left unchanged, in total and by reason. */
  left: z.number().int(),
  leftCells: z.partialRecord(z.enum(unchangedReasons), z.number().int()),
  leftRows: UnchangedRows,
  /** The command that undid this one, or null. `left`: number of values kept because of later edits. */
  undo: z.object({ id: z.uuid(), author: Author, at: z.iso.datetime(), left: z.number().int() }).nullable(),
});
export type Command = z.infer<typeof Command>;

/**
 * Lists the commands that changed an import's rows, newest first. Filters: commands older than `before`, of a kind, or
 * of the requesting browser. `later`: whether a later page has older commands.
 */
export const listCommands = route('listCommands', {
  query: z.object({
    before: z.uuid().optional(),
    kind: CommandKind.optional(),
    author: z.literal('this-browser').optional(),
  }),
  reply: z.object({ commands: z.array(Command), later: z.boolean() }),
});
export type CommandPage = z.infer<(typeof listCommands)['reply']>;

export const rowEditsListedMax = 200;

/** An edit of a cell. A null `after` means that the edit was removed and the file's value applies again. */
export const RowEdit = z.object({
  id: z.number().int(),
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  at: z.iso.datetime(),
  author: Author,
  /** The command that made the edit, and the command's kind. */
  command: z.uuid(),
  kind: z.enum([...CommandKind.options, 'undo', 'redo']),
  /** The label of the source whose proposal was accepted. Null if the operator typed the value. */
  source: z.string().nullable(),
});
export type RowEdit = z.infer<typeof RowEdit>;

/**
 * Lists the edits of a row and of the fields that a product has only once, newest first. At most 200, or fewer if
 * values are very long; `earlier`: whether older edits exist. Re-reads keep edits.
 */
export const listRowEdits = route('listRowEdits', {
  params: z.object({ row: z.coerce.number().int().min(1).max(rowNumberMax) }),
  reply: z.object({ edits: z.array(RowEdit), earlier: z.boolean() }),
});
export type RowHistory = z.infer<(typeof listRowEdits)['reply']>;
