import type { KeptPart, UndoChoice, UndoCode } from '@draftshelf/domain/push/push-undo';
import type { ChoicesByCode, ChosenSum, UndoAction } from '@draftshelf/domain/push/undo-actions';
import type { GoneCode, GoneEnd } from '@draftshelf/domain/suppliers/gone';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import type { GoneLineRecord, UndoLineRecord } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { insertLines, linesOf, openLinesOf, setLineResult } from './preview-lines.ts';

/** A product of an undo, or of what is done with products that are gone. */
type ChangeLine = UndoLineRecord | GoneLineRecord;

export type NewUndoLine = {
  line: number;
  ourId: string;
  storeProductId: string | null;
  title: string | null;
  action: UndoAction;
  code: UndoCode | null;
  message: string | null;
  kept: readonly KeptPart[];
  choosable: boolean;
};

export async function insertUndoLines(db: Db, undo: number, lines: readonly NewUndoLine[]): Promise<void> {
  const stored = lines.map((line) => ({
    ...line,
    kept: storedParts(line.kept),
    choosable: Number(line.choosable),
  }));
  await insertLines(db, undo, stored);
}

const storedParts = (kept: readonly KeptPart[]) => (kept.length > 0 ? storableJson(kept) : null);

export type PlannedGone = {
  line: number;
  action: GoneEnd;
  code: GoneCode | null;
  message: string | null;
  storeProductId: string | null;
};

export async function setGonePlans(db: Db, preview: number, planned: readonly PlannedGone[]): Promise<void> {
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

/** SQL value: a line's action by the choices about it and about its code. */
const chosenAction = (choices: ChoicesByCode): RawBuilder<UndoAction> =>
  sql<UndoAction>`coalesce(choice, case when choosable then ${storableJson(choices)}::json ->> code end, action)`;

/** `results`: filter by result, not by planned action. */
type ChangeFilter = {
  action?: UndoAction | GoneEnd | undefined;
  code?: string | undefined;
  results?: boolean | undefined;
};

/** Reads lines after a line. `choices`: of an undo, which change its planned actions. */
export async function pageChanges<Line extends ChangeLine>(
  db: Db,
  { id, choices }: { id: number; choices?: ChoicesByCode },
  { action, code, results }: ChangeFilter,
  page: { after: number; limit: number },
): Promise<Line[]> {
  const [end, reason] = results ? (['result', 'result_code'] as const) : (['action', 'code'] as const);
  const ended = !results && choices ? chosenAction(choices) : sql.ref<string>(end);
  let lines = linesOf<Line>(db, id).where('line', '>', page.after);
  if (action !== undefined) lines = lines.where(sql<boolean>`${ended} = ${action}`);
  if (code !== undefined) lines = lines.where(sql<boolean>`${sql.ref(reason)} = ${code}`);
  return lines.orderBy('line').limit(page.limit).execute();
}

/** The choice for all products of its reason, if the line allows one. */
export const choiceForAll = (
  { choosable, code }: Pick<UndoLineRecord, 'choosable' | 'code'>,
  choices: ChoicesByCode,
): UndoChoice | null => (choosable && code !== null ? (choices[code] ?? null) : null);

export const choiceOf = (line: UndoLineRecord, choices: ChoicesByCode): UndoChoice | null =>
  line.choice ?? choiceForAll(line, choices);

export const readOpenChanges = <Line extends ChangeLine>(
  db: Db,
  preview: number,
  range: { first: number; lines: number },
): Promise<Line[]> => openLinesOf<Line>(db, preview, range).execute();

export async function findUndoLine(db: Db, undo: number, line: number): Promise<UndoLineRecord | undefined> {
  return linesOf<UndoLineRecord>(db, undo).where('line', '=', line).executeTakeFirst();
}

/** Sets a line's choice where one is allowed. Returns the number of lines. */
export async function chooseLine(db: Db, undo: number, line: number, choice: UndoChoice | null) {
  const { numUpdatedRows } = await db
    .updateTable('preview_lines')
    .set({ choice })
    .where((eb) => eb.and({ preview: undo, line, choosable: true }))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

const choicesPerStatement = 5_000;

/** Removes single choices under a code, replaced by one for all. At most 5,000. */
export async function clearChoices(db: Db, undo: number, code: UndoCode): Promise<void> {
  await sql`
    update preview_lines set choice = null where preview = ${undo} and line = any(array(
      select line from preview_lines where preview = ${undo} and choice is not null and about is null and code = ${code}
      limit ${choicesPerStatement}))`.execute(db);
}

export const countChosen = (db: Db, undo: number) =>
  queryRows<ChosenSum>(db)`
    select action, code, choice, count(*)::int as products from preview_lines
    where preview = ${undo} and choice is not null and about is null
    group by action, code, choice`;

/** What was done with a product, and why. */
export type ChangeResult<Action = UndoAction | GoneEnd, Code = UndoCode | GoneCode> = {
  action: Action;
  code: Code | null;
  message: string | null;
};
export type UndoLineResult = ChangeResult<UndoAction, UndoCode> & { kept: readonly KeptPart[] };

/** Stores a product's result, with the kept values of an undo. Returns whether it is the first result. */
export const setChangeResult = (
  db: Db,
  of: { preview: number; line: number },
  { action, code, message, ...undo }: ChangeResult | UndoLineResult,
): Promise<boolean> =>
  setLineResult(db, of, {
    ...{ result: action, result_code: code, result_message: message },
    ...('kept' in undo && { kept: storedParts(undo.kept) }),
  });
