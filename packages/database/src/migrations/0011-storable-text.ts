import { type Kysely, sql } from 'kysely';

/**
 * NUL and halves of surrogate pairs in JSON, as JSON.stringify writes them, after an even number of backslashes: an odd
 * number makes it the text `\u0000`.
 */
const unstorable = String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})`;

/**
 * Replaces in stored JSON what every function that takes JSON apart refuses. The cells of rows stay as they are in the
 * file: SQL that takes them apart replaces it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and data_type = 'json' and table_name <> 'rows'`.execute(db);
  for (const { table, column } of rows) {
    const json = sql.ref(column);
    await sql`
      update ${sql.table(table)}
      set ${json} = regexp_replace(${json}::text, ${unstorable}, '\\1\\\\ufffd', 'g')::json
      where strpos(${json}::text, '\\u') > 0 and ${json}::text ~ ${unstorable}`.execute(db);
  }
}
