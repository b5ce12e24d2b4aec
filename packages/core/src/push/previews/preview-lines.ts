import { type LineFacts, lineFacts } from '@draftshelf/domain/push/line-facts-schema';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import type { LineRecordsByKind, PreviewKind } from '../../connection/schema.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';

const insertedColumns = {
  line: 'int',
  ourId: 'text',
  storeProductId: 'text',
  title: 'text',
  action: 'text',
  code: 'text',
  message: 'text',
  choices: 'text',
  choice: 'text',
  about: 'text',
  basis: 'text',
  plannedChoice: 'text',
  changeRank: 'int',
  live: 'json',
  facts: 'json',
} as const;
type Column = keyof typeof insertedColumns;

/** A line of a plan or undo. Absent columns are stored as null. */
type NewLine<Kind extends PreviewKind> = Partial<Record<Column, string | number | object | null>> & {
  line: number;
  facts: LineFacts[Kind];
};

const noValues = Object.fromEntries(Object.keys(insertedColumns).map((column) => [column, null])) as Record<
  Column,
  null
>;

type PreviewOf<Kind extends PreviewKind> = { id: number; kind: Kind };

export async function insertPreviewLines<Kind extends PreviewKind>(
  db: Db,
  { id, kind }: PreviewOf<Kind>,
  lines: readonly NewLine<Kind>[],
): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({ ...noValues, ...line, facts: lineFacts[kind].parse(line.facts) }));
  await sql`
    insert into preview_lines (preview, line, our_id, store_product_id, title, action, code, message, choices, choice,
      about, basis, planned_choice, change_rank, live, facts)
    select ${id}, given.* from ${unnestRows('given', rows, insertedColumns)}`.execute(db);
}

/** All columns except the store's product, which may be large. */
export const listedLineColumns = sql`preview, line, our_id, store_product_id, title, action, code, message, choices, choice,
  result, result_code, result_message, about, basis, planned_choice, otherwise, change_rank, facts`;

/** Returns lines with facts typed by the kind of preview. Throws if facts are invalid. */
export const parseLines = <Kind extends PreviewKind, Line extends { facts: unknown }>(
  kind: Kind,
  lines: readonly Line[],
): (Line & LineRecordsByKind[Kind])[] =>
  lines.map((line) => ({ ...line, facts: lineFacts[kind].parse(line.facts) })) as (Line &
    LineRecordsByKind[Kind])[];

/** Reads a preview's lines that meet a condition, in order. */
export async function readPreviewLines<Kind extends PreviewKind>(
  db: Db,
  { id, kind }: PreviewOf<Kind>,
  condition: RawBuilder<unknown>,
  limit: number | null = null,
): Promise<LineRecordsByKind[Kind][]> {
  const lines = await queryRows<{ facts: unknown }>(db)`
    select ${listedLineColumns} from preview_lines where preview = ${id} and ${condition} order by line limit ${limit}`;
  return parseLines(kind, lines);
}
