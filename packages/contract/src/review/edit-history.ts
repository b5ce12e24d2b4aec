import { commandKinds } from '@draftshelf/domain/review/operations/carried-command';
import { leftReasons } from '@draftshelf/domain/review/operations/left-reason';
import { z } from 'zod';
import { route } from '../route.ts';
import { LeftRows } from './commands.ts';
import { rowNumberMax } from './rows.ts';

/** A valid value of the browser's header. */
export const BrowserId = z.string().regex(/^[\w-]{16,64}$/);

/** Commands of one page of the history. */
export const commandsListedMax = 50;

/** Author of a command. 'call': without a browser; 'worker': Draftshelf; 'unknown': older than this record. */
export const Author = z.enum(['this-browser', 'another-browser', 'call', 'worker', 'unknown']);
export type Author = z.infer<typeof Author>;

export const CommandKind = z.enum(commandKinds);

/** A command of the history. Undoing and redoing it are no lines of their own. */
const Command = z.object({
  id: z.uuid(),
  kind: CommandKind,
  /** applying, undoing: by a task. */
  state: z.enum(['applied', 'undone', 'applying', 'undoing']),
  author: Author,
  at: z.iso.datetime(),
  /** 'Price of row 12 changed to “9.90”'. */
  sentence: z.string(),
  /** Number of rows that it changed. */
  rows: z.number().int(),
  /** Values left unchanged, by reason. */
  left: z.number().int(),
  leftCells: z.partialRecord(z.enum(leftReasons), z.number().int()),
  leftRows: LeftRows,
  /** Its undo, if any; undoing that is the redo. `left`: values that had changed since. */
  undo: z.object({ id: z.uuid(), author: Author, at: z.iso.datetime(), left: z.number().int() }).nullable(),
});
export type Command = z.infer<typeof Command>;

/**
 * The commands that changed an import's rows, the newest first: those before the command `before`, of a kind, or of the
 * browser that asks. `later`: there are more of them, which are older.
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

/** Edits of one row in a reply. */
export const rowEditsListedMax = 200;

/** `after`: null if the edit of the cell was removed, so that the value of the file applied again. */
export const RowEdit = z.object({
  id: z.number().int(),
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  at: z.iso.datetime(),
  author: Author,
  /** The command, and its kind. */
  command: z.uuid(),
  kind: z.enum([...CommandKind.options, 'undo', 'redo']),
  /** The label of the source of the proposal that was taken, or null. */
  source: z.string().nullable(),
});
export type RowEdit = z.infer<typeof RowEdit>;

/**
 * The edits of a row, the newest first, also of the fields that its product has only once. At most 200, and fewer if
 * the values are very long; `earlier`: there are older ones. Re-reads of the file keep them.
 */
export const listRowEdits = route('listRowEdits', {
  params: z.object({ row: z.coerce.number().int().min(1).max(rowNumberMax) }),
  reply: z.object({ edits: z.array(RowEdit), earlier: z.boolean() }),
});
export type RowHistory = z.infer<(typeof listRowEdits)['reply']>;
