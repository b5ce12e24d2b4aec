import { type Kysely, sql } from 'kysely';

/** The change of a row has a bit for values that were carried into it, and is all that rows are filtered by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into row_items (import_id, run, row, change)
    select import_id, run, block * 1024 + at, 1 << 30 from change_bitmaps, generate_series(0, 1023) at
    where change = 'carried' and get_bit(rows, at) = 1
    on conflict (import_id, run, row) do update set change = row_items.change | excluded.change;
    drop table change_bitmaps;
  `.execute(db);
}
