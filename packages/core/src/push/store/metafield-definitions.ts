import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import { findMetafieldUnit } from '@draftshelf/domain/base/metafield-values';
import {
  fieldOfMetafield,
  isMappable,
  isMetafieldField,
  type MetafieldDefinition,
  metafieldName,
} from '@draftshelf/domain/base/metafields';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import { storableJson } from '../../connection/storable-json.ts';

const ofShop = (db: Db, shop: string) =>
  queryRows<MetafieldDefinition>(db)`
    select namespace, key, name, description, type, validations from metafield_definitions
    where shop = ${shop} order by namespace, key`;

/** Replaces our copy of metafield definitions if the shop's differ. The copy contains definitions of only one shop. */
export async function refreshDefinitions(
  db: Db,
  shop: string,
  definitions: readonly MetafieldDefinition[],
): Promise<void> {
  const now = definitions.toSorted((a, b) => (metafieldName(a) < metafieldName(b) ? -1 : 1));
  if (canonicalJson(await ofShop(db, shop)) === canonicalJson(now)) return;
  await db.transaction().execute(async (trx) => {
    await sql`delete from metafield_definitions`.execute(trx);
    await sql`
      insert into metafield_definitions (shop, namespace, key, name, description, type, validations)
      select ${shop}, namespace, key, name, description, type, validations
      from json_to_recordset(${storableJson(now)}::json) as given (namespace text, key text, name text,
        description text, type text, validations json)
      on conflict do nothing`.execute(trx);
  });
}

/** Lists the definitions of the shop that was read last, by name. */
export const listDefinitions = (db: Db) =>
  queryRows<MetafieldDefinition>(db)`
    select namespace, key, name, description, type, validations from metafield_definitions
    order by name, namespace, key`;

/** Returns a mapping with its metafields' definitions in the store. A metafield without a definition is not sent. */
export async function addDefinitions(db: Db, mapping: HeaderMapping): Promise<HeaderMapping> {
  const { metafields: _, ...others } = mapping;
  const fields = new Set(Object.keys(mapping.sources).filter(isMetafieldField));
  if (fields.size === 0) return others;
  const all = await listDefinitions(db);
  const metafields = all.flatMap((one) => {
    const [column = -1] = mapping.sources[fieldOfMetafield(one)] ?? [];
    if (!fields.has(fieldOfMetafield(one)) || !isMappable(one)) return [];
    const unit = findMetafieldUnit(mapping.columns[column]?.header ?? '', one);
    const decimalComma = mapping.decimalComma?.includes(column) === true;
    return { ...one, ...(unit && { unit }), ...(decimalComma && { decimalComma }) };
  });
  return { ...others, metafields };
}
