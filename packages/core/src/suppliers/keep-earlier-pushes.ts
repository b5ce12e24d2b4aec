import { itemKeyOf } from '@draftshelf/domain/suppliers/item-key';
import { suggestSupplierName } from '@draftshelf/domain/suppliers/list-signs';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { EarlierPushes, ImportRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { fingerprintHeaders } from '../reading/mappings.ts';
import { addSigns, findSigns, type SampledList } from './evidence.ts';
import type { PreparedBatch } from './prepared-batch.ts';
import { insertSupplier, lockNewSuppliers } from './suppliers.ts';

const importsMax = 5;
const comparedMax = 200;

/**
 * Inserts items for products pushed before suppliers existed, if no supplier has this list's layout. Reads the newest
 * imports with this layout, oldest first. Returns the progress with the imports that remain, or null if none do.
 */
export async function keepEarlierPushes({ db, record, progress }: PreparedBatch, list: SampledList) {
  const earlier = progress.earlier ?? (await findEarlierPushes(db, record, list));
  if (earlier === null || earlier.imports.length === 0) return earlier;
  const product = await keepPushedProducts(db, earlier);
  const imports = product === null ? earlier.imports.slice(1) : earlier.imports;
  return { ...earlier, imports, product: product ?? 0 };
}

async function findEarlierPushes(db: Db, record: ImportRecord, list: SampledList) {
  const hasKeys = list.rows.some(({ key }) => key !== null);
  if (list.layout === null || !hasKeys || record.supplier !== null) return null;
  const layout = { kind: 'layout' as const, value: list.layout };
  const isKnown = async () => (await findSigns(db, [layout])).length > 0;
  if (await isKnown()) return null;
  const pushed = await queryRows<{ id: string; headers: string[] }>(db)`
    select imports.id, headers from (
      select id, rows_run, created_at from imports
      where push_run > 0 and supplier is null and supplier_by is null and asked_supplier is null and not test_mode
        and deletion_began_at is null and id <> ${record.id}
      order by created_at desc limit ${comparedMax}
    ) imports join runs on import_id = imports.id and stage = 'parse' and run = rows_run
    where headers is not null and finalize -> 'supplier' is null
    order by created_at desc`;
  const alike = pushed
    .filter(({ headers }) => fingerprintHeaders(headers) === layout.value)
    .slice(0, importsMax);
  if (alike.length === 0) return null;
  // Another file with this layout may have inserted the supplier before the lock was granted.
  await lockNewSuppliers(db);
  if (await isKnown()) return null;
  const supplier = await insertSupplier(db, suggestSupplierName(list) ?? '');
  await addSigns(db, supplier, [layout]);
  return { supplier, imports: alike.map(({ id }) => id).reverse(), product: 0 };
}

const productsPerPart = 2_000;

/** The list number of items for products that were pushed before suppliers existed. */
const beforeLists = 0;

/**
 * Inserts items without content for the first import's next pushed products. The keys come from the store, because
 * rows may be removed. If products share a key, the last is used. Returns the last product, or null if none is left.
 */
async function keepPushedProducts(db: Db, { supplier, imports: [importId], product }: EarlierPushes) {
  type PushedKey = { product: number; kind: string | null } & Record<'ourId' | 'value' | 'title', string>;
  const rows = await queryRows<PushedKey>(db)`
    with pushed as materialized (
      select outcomes.product, outcomes.our_id, imports.shop from imports join outcomes
        on outcomes.import_id = imports.id and outcomes.rows_run = imports.rows_run
      where imports.id = ${importId} and outcomes.product > ${product}
        and outcome in ('created', 'updated', 'unchanged')
      order by outcomes.product limit ${productsPerPart}
    )
    select product, pushed.our_id as "ourId", kind, value, left(sent ->> 'title', 80) as title from pushed
    left join product_keys keys on keys.shop = pushed.shop and keys.our_id = pushed.our_id
    left join listings on listings.shop = pushed.shop and listings.our_id = pushed.our_id
    order by product`;
  const items = new Map(
    rows.flatMap(({ ourId, kind, value, title }) => {
      if (kind === null) return [];
      const key = itemKeyOf(kind === 'gtin' ? { upc: value } : { sku: value });
      const gtin = kind === 'gtin' ? Number(value) : null;
      return key === null ? [] : [[key, { key, ourId, title, gtin }]];
    }),
  );
  if (items.size > 0) {
    await sql`
      insert into supplier_items (supplier, key, our_id, title, gtin, first_list)
      select ${supplier}, key, our_id, title, gtin, ${beforeLists}
      from ${unnestRows('given', [...items.values()], { key: 'text', ourId: 'text', title: 'text', gtin: 'bigint' })}
      on conflict (supplier, key) do update set our_id = excluded.our_id, title = excluded.title
      where supplier_items.first_list = ${beforeLists}`.execute(db);
  }
  return rows.at(-1)?.product ?? null;
}
