import { type SourceAnswer, storeSource } from '@draftshelf/domain/enrich/sources';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValue } from '../connection/query-rows.ts';

export type CachedAnswer = { gtin: string; source: string; answer: SourceAnswer };

/** SQL value: the shop of the connected store. Copies of other shops are not used. */
export const connectedShop = sql`(
  select shop from shops join outside_access on shops.url = outside_access.store_url)`;

const squashed = (name: ReturnType<typeof sql>) => sql`regexp_replace(lower(${name}), '[^a-z0-9]', '', 'g')`;

/** Reads answers from our copy of the store, each from the newest product. A vendor named like the shop is no brand. */
export const readStoreAnswers = (db: Db, gtins: readonly string[]) =>
  queryRows<CachedAnswer>(db)`
    select wanted.gtin, ${storeSource}::text as source, answer
    from unnest(${gtins}::text[]) as wanted (gtin) cross join lateral (
      select json_build_object('title', nullif(title, ''), 'brand',
          case when ${squashed(sql`vendor`)} <> ${squashed(sql`split_part(shop, '.', 1)`)} then nullif(vendor, '') end,
          'description', null, 'category', nullif(type, ''),
          'images', case when image is null then '[]'::json else json_build_array(image) end,
          'attribution', null, 'picturesNeedCredit', false) as answer
      from store_products
      where shop in ${connectedShop} and gtins @> array[wanted.gtin]
      order by updated_at desc, id limit 1
    ) product
    order by wanted.gtin`;

/** Returns whether the copy of the connected store has a product with a GTIN. */
export const hasStoreAnswers = (db: Db) =>
  queryValue<boolean>(db)`
    select exists (select 1 from store_products where shop in ${connectedShop} and gtins <> '{}') as has`;
