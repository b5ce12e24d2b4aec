import type { KeptPart, UndoChoice, UndoCode } from '@draftshelf/domain/push/push-undo';
import type { ChoicesByCode, ChosenSum, UndoAction } from '@draftshelf/domain/push/undo-actions';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import type { UndoLineRecord } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { insertLines, linesOf, openLinesOf, setLineResult } from './preview-lines.ts';

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

/** SQL value: a line's action by the choices about it and about its code. */
const chosenAction = (choices: ChoicesByCode): RawBuilder<UndoAction> =>
  sql<UndoAction>`coalesce(choice, case when choosable then ${storableJson(choices)}::json ->> code end, action)`;

/** `results`: filter by result, not by planned action. */
export type UndoLineFilter = {
  action?: UndoAction | undefined;
  code?: string | undefined;
  results?: boolean | undefined;
};

export type ShownUndoLine = UndoLineRecord & { choiceForAll: UndoChoice | null };

export async function pageUndoLines(
  db: Db,
  { id, choices }: { id: number; choices: ChoicesByCode },
  { action, code, results }: UndoLineFilter,
  page: { after: number; limit: number },
): Promise<ShownUndoLine[]> {
  let lines = linesOf<UndoLineRecord>(db, id);
  if (results) {
    if (action !== undefined) lines = lines.where('result', '=', action);
    if (code !== undefined) lines = lines.where('result_code', '=', code as UndoCode);
  } else {
    if (action !== undefined) lines = lines.where(chosenAction(choices), '=', action);
    if (code !== undefined) lines = lines.where('code', '=', code as UndoCode);
  }
  const rows = await lines.where('line', '>', page.after).orderBy('line').limit(page.limit).execute();
  return rows.map((row) => ({ ...row, choiceForAll: choiceForAll(row, choices) }));
}

const choiceForAll = (
  { choosable, code }: Pick<UndoLineRecord, 'choosable' | 'code'>,
  choices: ChoicesByCode,
): UndoChoice | null => (choosable && code !== null ? (choices[code] ?? null) : null);

export const choiceOf = (
  line: Pick<UndoLineRecord, 'choice' | 'choosable' | 'code'>,
  choices: ChoicesByCode,
): UndoChoice | null => line.choice ?? choiceForAll(line, choices);

export const readOpenLines = (
  db: Db,
  undo: number,
  range: { first: number; lines: number },
): Promise<UndoLineRecord[]> => openLinesOf<UndoLineRecord>(db, undo, range).execute();

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

export type UndoLineResult = {
  action: UndoAction;
  code: UndoCode | null;
  message: string | null;
  kept: readonly KeptPart[];
};

/** Stores a product's result and its kept values. Returns whether it is the first result. */
export const setUndoResult = (
  db: Db,
  undo: number,
  line: number,
  { action, code, message, kept }: UndoLineResult,
): Promise<boolean> =>
  setLineResult(
    db,
    { preview: undo, line },
    { result: action, result_code: code, result_message: message, kept: storedParts(kept) },
  );
