import { type Kysely, sql } from 'kysely';

/** The tables of workbooks and archives. Not a column of imports: lists of imports would read it with every row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_tables (
      import_id uuid primary key references imports on delete cascade,
      tables json not null
    )`.execute(db);
}
