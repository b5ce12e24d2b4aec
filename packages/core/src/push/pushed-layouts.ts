import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** A layout that an operator has pushed: products of the largest push, and currencies as 'EUR as USD'. */
export type PushedLayout = { products_max: number; currencies: string[] };

/** More layouts are not kept; those that were not pushed for the longest time go first. */
const layoutsMax = 2_000;
const currenciesMax = 20;

/** The earlier pushes of a layout by operators; undefined: none. */
export async function findPushedLayout(db: Db, fingerprint: string): Promise<PushedLayout | undefined> {
  return db
    .selectFrom('pushed_layouts')
    .select(['products_max', 'currencies'])
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
}

/** Remembers that an operator has pushed a layout. */
export async function rememberPushedLayout(
  db: Db,
  pushed: { fingerprint: string; products: number; currencies: readonly string[] },
): Promise<void> {
  const { fingerprint, products, currencies } = pushed;
  await sql`
    insert into pushed_layouts (fingerprint, products_max, currencies)
    values (${fingerprint}, ${products}, (${currencies}::text[])[1:${sql.lit(currenciesMax)}])
    on conflict (fingerprint) do update set pushed_at = excluded.pushed_at,
      products_max = greatest(pushed_layouts.products_max, excluded.products_max),
      currencies = (array(select distinct unnest(excluded.currencies || pushed_layouts.currencies)))
        [1:${sql.lit(currenciesMax)}]`.execute(db);
  await sql`
    delete from pushed_layouts where fingerprint in (
      select fingerprint from pushed_layouts order by pushed_at desc, fingerprint offset ${layoutsMax}
    )`.execute(db);
}
