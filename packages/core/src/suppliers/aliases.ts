import { cleanedKey } from '@draftshelf/domain/suppliers/item-key';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { itemsAt } from './items-at.ts';

/** Matches keys made of uncleaned cells: invisible characters, entities, 'Ã©' for 'é'. */
const mayBeUncleaned = sql.raw(
  `'[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]'
    '|^[sh]:''|^h:.*&(#[0-9]+|#X[0-9A-F]+|[A-Z][A-Z0-9]+);|[ÂÃÄÅ][\\u0080-\\uffff]|^s:[0-9]+[.]([0-9]{3})?0$'`,
);

/** SQL query: a supplier's keys made by earlier versions (`key`), with the key of today (`cleaned`) if unique. */
export async function readAliases(
  db: Db,
  items: { supplier: number; before: number | null },
): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ key: string }>`
    select key from (${itemsAt(items)}) items where key ~ ${mayBeUncleaned}`.execute(db);
  const ofCleaned = Map.groupBy(
    rows.map(({ key }) => ({ key, cleaned: cleanedKey(key) })),
    ({ cleaned }) => cleaned,
  );
  const pairs = [...ofCleaned.values()].flatMap(([first, ...others]) =>
    first === undefined || others.length > 0 || first.key === first.cleaned ? [] : [first],
  );
  const [keys, cleaned] = [pairs.map(({ key }) => key), pairs.map((pair) => pair.cleaned)];
  return sql`select * from unnest(${keys}::text[], ${cleaned}::text[]) pairs (key, cleaned)`;
}
