import { type Kysely, sql } from 'kysely';

/**
 * Only the owner of a table may analyze it or clean its index. Api and workers own none, so the function does it with
 * the rights of its owner.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function settle_row_search(analyzed boolean) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      if to_regclass('row_search_trigrams') is not null then
        perform gin_clean_pending_list('row_search_trigrams');
      end if;
      if analyzed then
        analyze row_search;
      end if;
    end $$;
  `.execute(db);
}
