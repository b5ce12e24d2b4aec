import type { GoneCode, GoneEnd } from '@draftshelf/domain/suppliers/gone';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { GoneLineRecord } from '../../connection/schema.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { wentThroughOne } from '../record-undone.ts';
import { linesOf, openLinesOf, setLineResult } from './preview-lines.ts';

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

/** Reads lines after a line, by planned action or result. */
export async function pageGoneLines(
  db: Db,
  preview: number,
  {
    end,
    code,
    results,
  }: { end?: GoneEnd | undefined; code?: string | undefined; results?: boolean | undefined },
  page: { after: number; limit: number },
): Promise<GoneLineRecord[]> {
  let lines = linesOf<GoneLineRecord>(db, preview).where('line', '>', page.after);
  if (end !== undefined) lines = lines.where(results ? 'result' : 'action', '=', end);
  if (code !== undefined) lines = lines.where(results ? 'result_code' : 'code', '=', code as GoneCode);
  return lines.orderBy('line').limit(page.limit).execute();
}

export const readOpenGoneLines = (
  db: Db,
  preview: number,
  range: { first: number; lines: number },
): Promise<GoneLineRecord[]> => openLinesOf<GoneLineRecord>(db, preview, range).execute();

/** Stores a line's result. Returns whether it is the first. */
export const setGoneResult = (
  db: Db,
  of: { preview: number; line: number },
  { end, code, message }: { end: GoneEnd; code: GoneCode | null; message: string | null },
): Promise<boolean> => setLineResult(db, of, { result: end, result_code: code, result_message: message });

export async function countGoneDone(db: Db, importId: string, run: number): Promise<void> {
  await db.updateTable('imports').set(wentThroughOne(run)).where('id', '=', importId).execute();
}
