import { type LineFacts, lineFacts } from '@draftshelf/domain/push/line-facts-schema';
import type { KeptPart, UndoChoice, UndoCode } from '@draftshelf/domain/push/push-undo';
import type { ChoicesByCode, ChosenSum, UndoAction } from '@draftshelf/domain/push/undo-actions';
import type { GoneCode, GoneOutcome } from '@draftshelf/domain/suppliers/gone';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { changeRows, queryRows } from '../../connection/query-rows.ts';
import type { LineRecordsByKind, UndoLineRecord } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { insertPreviewLines, readPreviewLines } from './preview-lines.ts';

/** The kinds of previews that change store products: an undo, and changes to gone products. */
type ChangeKind = 'undo' | 'gone';

export type NewUndoLine = {
  line: number;
  ourId: string;
  storeProductId: string | null;
  title: string | null;
  action: UndoAction;
  code: UndoCode | null;
  message: string | null;
  kept: readonly KeptPart[];
  choices: readonly UndoChoice[];
};

export async function insertUndoLines(db: Db, undo: number, lines: readonly NewUndoLine[]): Promise<void> {
  const stored = lines.map(({ kept, choices, ...line }) => ({
    ...line,
    choices: choices.length > 0 ? choices.join(',') : null,
    facts: undoFacts(kept),
  }));
  await insertPreviewLines(db, { id: undo, kind: 'undo' }, stored);
}

const undoFacts = (kept: readonly KeptPart[]): LineFacts['undo'] =>
  kept.length > 0 ? { kept: [...kept] } : {};

export type GonePlanLine = {
  line: number;
  action: GoneOutcome;
  code: GoneCode | null;
  message: string | null;
  storeProductId: string | null;
};

export async function setGonePlans(db: Db, preview: number, planned: readonly GonePlanLine[]): Promise<void> {
  const columns = {
    line: 'int',
    action: 'text',
    code: 'text',
    message: 'text',
    storeProductId: 'text',
  } as const;
  await sql`
    update preview_lines lines set action = given.action, code = given.code, message = given.message,
      store_product_id = given.store_product_id
    from ${unnestRows('given', planned, columns)}
    where preview = ${preview} and lines.line = given.line`.execute(db);
}

/** SQL value: the action chosen for a line, else the action chosen for the line's code, else the planned action. */
const chosenAction = (choices: ChoicesByCode): RawBuilder<UndoAction> =>
  sql<UndoAction>`coalesce(choice, case when choices is not null then ${storableJson(choices)}::json ->> code end, action)`;

/** `results`: whether to filter by the result instead of the planned action. */
type ChangeFilter = {
  action?: UndoAction | GoneOutcome | undefined;
  code?: string | undefined;
  results?: boolean | undefined;
};

/** Reads the next lines after line `after`. `choices`: an undo's choices by code, which change planned actions. */
export async function readChangesPage<Kind extends ChangeKind>(
  db: Db,
  { id, kind, choices = {} }: { id: number; kind: Kind; choices?: ChoicesByCode },
  { action, code, results }: ChangeFilter,
  { after, limit }: { after: number; limit: number },
): Promise<LineRecordsByKind[Kind][]> {
  const [end, reason] = results ? [sql`result`, sql`result_code`] : [chosenAction(choices), sql`code`];
  const conditions = [sql`line > ${after}`];
  if (action !== undefined) conditions.push(sql`${end} = ${action}`);
  if (code !== undefined) conditions.push(sql`${reason} = ${code}`);
  return readPreviewLines(db, { id, kind }, sql.join(conditions, sql` and `), limit);
}

/** Returns the choice made for all products with the line's code. Null if there is none, or if the line allows none. */
export const findCodeChoice = (
  { choices, code }: Pick<UndoLineRecord, 'choices' | 'code'>,
  byCode: ChoicesByCode,
): UndoChoice | null => (choices !== null && code !== null ? (byCode[code] ?? null) : null);

export const findLineChoice = (line: UndoLineRecord, byCode: ChoicesByCode): UndoChoice | null =>
  line.choice ?? findCodeChoice(line, byCode);

/** Reads the lines of a range that have no result yet. */
export const readOpenLines = <Kind extends ChangeKind>(
  db: Db,
  preview: { id: number; kind: Kind },
  { first, lines }: { first: number; lines: number },
): Promise<LineRecordsByKind[Kind][]> =>
  readPreviewLines(db, preview, sql`line >= ${first} and line < ${first + lines} and result is null`);

export async function findUndoLine(db: Db, undo: number, line: number): Promise<UndoLineRecord | undefined> {
  return (await readPreviewLines(db, { id: undo, kind: 'undo' }, sql`line = ${line}`))[0];
}

/** Sets a line's choice if the line allows one. Returns the number of changed lines. */
export async function chooseLine(db: Db, undo: number, line: number, choice: UndoChoice | null) {
  return changeRows(db)`
    update preview_lines set choice = ${choice}
    where preview = ${undo} and line = ${line} and choices is not null`;
}

const choicesPerStatement = 5_000;

/** Removes up to 5,000 choices for single products under a code, because one choice for all products replaces them. */
export async function clearChoices(db: Db, undo: number, code: UndoCode): Promise<void> {
  await sql`
    update preview_lines set choice = null where preview = ${undo} and line = any(array(
      select line from preview_lines where preview = ${undo} and choice is not null and about is null and code = ${code}
      limit ${choicesPerStatement}))`.execute(db);
}

export const countChosenLines = (db: Db, undo: number) =>
  queryRows<ChosenSum>(db)`
    select action, code, choice, count(*)::int as products from preview_lines
    where preview = ${undo} and choice is not null and about is null
    group by action, code, choice`;

/** Result of a product's change, with its reason. */
export type ChangeResult<Action = UndoAction | GoneOutcome, Code = UndoCode | GoneCode> = {
  action: Action;
  code: Code | null;
  message: string | null;
};
export type UndoLineResult = ChangeResult<UndoAction, UndoCode> & { kept: readonly KeptPart[] };

/** Stores a product's result, with the kept values of an undo. Returns false if the product already had a result. */
export async function setChangeResult(
  db: Db,
  { preview, line }: { preview: number; line: number },
  { action, code, message, ...undo }: ChangeResult | UndoLineResult,
): Promise<boolean> {
  const facts = 'kept' in undo ? lineFacts.undo.parse(undoFacts(undo.kept)) : null;
  const changed = await changeRows(db)`
    update preview_lines set result = ${action}, result_code = ${code}, result_message = ${message},
      facts = coalesce(${facts && storableJson(facts)}::jsonb, facts)
    where preview = ${preview} and line = ${line} and result is null`;
  return changed > 0;
}
