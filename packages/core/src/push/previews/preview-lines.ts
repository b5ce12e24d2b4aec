import { sql, type Updateable } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { PreviewLinesTable } from '../../connection/schema.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';

const lineColumns = {
  line: 'int',
  code: 'text',
  message: 'text',
  storeProductId: 'text',
  ourId: 'text',
  outcome: 'text',
  parts: 'text',
  draftHash: 'text',
  about: 'text',
  basis: 'text',
  choices: 'text',
  choice: 'text',
  title: 'text',
  action: 'text',
  live: 'text',
  kept: 'text',
  choosable: 'int',
  changes: 'text',
  changeRank: 'int',
} as const;
type Column = keyof typeof lineColumns;

/** A line of a plan or undo. JSON is text; absent columns are null. */
export type StoredLine = Partial<Record<Column, string | number | null>> & { line: number };

const noValues = {
  ...(Object.fromEntries(Object.keys(lineColumns).map((column) => [column, null])) as Record<Column, null>),
  changeRank: 0,
};

export async function insertLines(db: Db, preview: number, lines: readonly StoredLine[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({ ...noValues, ...line }));
  await sql`
    insert into preview_lines (preview, line, code, message, store_product_id, our_id, outcome, parts, draft_hash, about,
      basis, choices, choice, planned_choice, title, action, live, kept, choosable, changes, change_rank)
    select ${preview}, line, code, message, store_product_id, our_id, outcome, parts, draft_hash, about,
      basis, choices, choice, choice, title, action, live::json, kept::json, choosable = 1,
      changes::json, change_rank
    from ${unnestRows('given', rows, lineColumns)}`.execute(db);
}

export const linesOf = <Line>(db: Db, preview: number) =>
  db.selectFrom('preview_lines').selectAll().where('preview', '=', preview).$castTo<Line>();

/** Reads a preview's lines in a range that have no result, in order. */
export const openLinesOf = <Line>(
  db: Db,
  preview: number,
  { first, lines }: { first: number; lines: number },
) =>
  linesOf<Line>(db, preview)
    .where('line', '>=', first)
    .where('line', '<', first + lines)
    .where('result', 'is', null)
    .orderBy('line');

/** Stores a line's result. Returns whether it is the first. */
export async function setLineResult(
  db: Db,
  { preview, line }: { preview: number; line: number },
  result: Updateable<PreviewLinesTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('preview_lines')
    .set(result)
    .where((eb) => eb.and({ preview, line }))
    .where('result', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
