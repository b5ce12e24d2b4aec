import { performance } from 'node:perf_hooks';
import { type Kysely, sql } from 'kysely';

/** As in the migration, which is released and cannot share it. */
const unstorable = String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})`;

/** Pages of the first part of a table, and how long a part should take. */
const firstPages = 64;
const partMs = 250;

/**
 * The migration 0011 page by page, so that a changed row is locked no longer than its part takes. A part that was done
 * before finds nothing to change.
 */
export async function storableTextInParts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string; pages: number }>`
    select table_name as table, column_name as column,
      pg_relation_size(quote_ident(table_name)::regclass) / current_setting('block_size')::int as pages
    from information_schema.columns
    where table_schema = current_schema() and data_type = 'json' and table_name <> 'rows'`.execute(db);
  for (const { table, column, pages } of rows) {
    const json = sql.ref(column);
    let size = firstPages;
    for (let from = 0; from < pages; ) {
      const to = from + size;
      const began = performance.now();
      await sql`
        update ${sql.table(table)}
        set ${json} = regexp_replace(${json}::text, ${unstorable}, '\\1\\\\ufffd', 'g')::json
        where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${to},0)`}::tid
          and strpos(${json}::text, '\\u') > 0 and ${json}::text ~ ${unstorable}`.execute(db);
      const tookMs = performance.now() - began;
      size = Math.max(1, Math.round(size * Math.min(2, partMs / tookMs)));
      from = to;
    }
  }
}
