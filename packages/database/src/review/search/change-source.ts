import type { RowChange } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { type CountedRows, sourceOfBitmaps } from './row-filter.ts';
import type { RowSource } from './row-source.ts';

/** How many rows of a run have this change. */
export async function countChanged(
  db: Db,
  { import_id, run }: RunOfRows,
  change: RowChange,
): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(bit_count(rows)), 0)::int as rows from change_bitmaps
    where import_id = ${import_id} and run = ${run} and change = ${change}`.execute(db);
  return rows[0]?.rows ?? 0;
}

/** The rows that have this change; `count`: how many there are. */
export function changeSource(db: Db, of: CountedRows, change: RowChange, count: number): RowSource {
  return sourceOfBitmaps(of, count, async (which: RawBuilder<unknown>, order: RawBuilder<unknown>) => {
    const { rows } = await sql<{ block: number; rows: string }>`
      select block, rows from change_bitmaps
      where import_id = ${of.import_id} and run = ${of.run} and change = ${change} and ${which} ${order}`.execute(
      db,
    );
    return rows;
  });
}
