import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { importActions } from '@draftshelf/domain/imports/import-status';
import type { LeavingSupplier } from '@draftshelf/domain/suppliers/leaving';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { MergedSupplier, SupplierListRecord, SupplierSignsTable } from '../connection/schema.ts';
import { countingValues } from './carried-values.ts';
import { mergedInto } from './leaving-suppliers.ts';
import type { StockChoice } from './supplier-pushes.ts';

type ListFile = { importId: string; filename: string };

type LastList = { importId: string | null; filename: string; beganAt: Date; products: number | null };

/** A supplier with its newest list, the list that waits for the operator, and an import that may be its list. */
export type SupplierSummary = {
  id: number;
  name: string;
  products: number | null;
  last: LastList | null;
  waiting: (ListFile & { toDecide: number }) | null;
  asked: ListFile | null;
  leaves: LeavingSupplier | null;
};

const isReviewed = sql<boolean>`imports.status = any(${importActions.review}::text[])`;

/** SQL value: products of a supplier's newest list that has any. */
const productsOf = (supplier: ReturnType<typeof sql>) => sql`(
  select total_products from supplier_lists join import_records as imports on imports.id = import_id
  where supplier_lists.supplier = ${supplier} and total_products > 0 order by number desc limit 1)`;

/** Summarizes suppliers, those with the newest lists first. */
export async function summarizeSuppliers(db: Db, suppliersMax: number): Promise<SupplierSummary[]> {
  const { rows } = await sql<Omit<SupplierSummary, 'last'> & { last: LastOfJson | null }>`
    select suppliers.id, name, ${productsOf(sql.ref('suppliers.id'))} as products, (
        select json_build_object('importId', import_id, 'filename', supplier_lists.filename, 'beganAt', began_at,
          'products', total_products)
        from supplier_lists left join import_records as imports on imports.id = import_id
        where supplier_lists.supplier = suppliers.id order by number desc limit 1
      ) as last, (
        select json_build_object('importId', import_id, 'filename', supplier_lists.filename, 'toDecide', (
          select count(*) from proposals
          where import_id = imports.id and source = ${supplierSource} and proposals.state = 'open'))
        from supplier_lists join imports on imports.id = import_id
        where supplier_lists.supplier = suppliers.id and state = 'open' and ${isReviewed} order by number desc limit 1
      ) as waiting, (
        select json_build_object('importId', imports.id, 'filename', filename) from imports
        where asked_supplier = suppliers.id and imports.supplier is null and ${isReviewed}
        order by created_at desc limit 1
      ) as asked, case when leaves_since is not null then json_build_object('id', suppliers.id, 'name', name, 'into',
        ${mergedInto}) end as leaves
    from suppliers
    order by (select max(began_at) from supplier_lists where supplier = suppliers.id) desc nulls last, id desc
    limit ${suppliersMax}`.execute(db);
  return rows.map(({ last, ...row }) => ({
    ...row,
    last: last && { ...last, beganAt: new Date(last.beganAt) },
  }));
}

type LastOfJson = Omit<LastList, 'beganAt'> & { beganAt: string };

/** `products`: of its newest list. `fields`: numbers of the operator's values by field. */
export type SupplierDetails = Pick<SupplierSummary, 'id' | 'name' | 'products'> & {
  merged: MergedSupplier | null;
  stockChoice: StockChoice | null;
  currencies: string[];
  fields: { field: string; values: number }[];
};

export async function readSupplier(db: Db, id: number): Promise<SupplierDetails | undefined> {
  const { rows } = await sql<Omit<SupplierDetails, 'fields'>>`
    select id, name, case when leaves_since is null then merged end as merged,
      stock_choice as "stockChoice", currencies,
      ${productsOf(sql.ref('suppliers.id'))} as products
    from suppliers where id = ${id}`.execute(db);
  const [supplier] = rows;
  if (!supplier) return undefined;
  const { rows: fields } = await sql<{ field: string; values: number }>`
    select split_part(field, '#', 1) as field, count(*)::int as values
    from ${countingValues(id)} counting where value is not null group by 1 order by 2 desc, 1`.execute(db);
  return { ...supplier, fields };
}

/** Lists a supplier's newest lists, newest first. */
export async function listNewest(
  db: Db,
  supplier: number,
  limit: number,
): Promise<(SupplierListRecord & { products: number | null })[]> {
  return db
    .selectFrom('supplier_lists')
    .leftJoin('import_records', 'import_records.id', 'import_id')
    .selectAll('supplier_lists')
    .select('total_products as products')
    .where('supplier_lists.supplier', '=', supplier)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}

/** Lists a supplier's signs, newest first of each kind. */
export async function listSigns(
  db: Db,
  supplier: number,
): Promise<(Pick<SupplierSignsTable, 'kind' | 'value'> & { lists: number; last_at: Date })[]> {
  return db
    .selectFrom('supplier_signs')
    .select(['kind', 'value', 'lists', 'last_at'])
    .where('supplier', '=', supplier)
    .where('kind', 'in', ['layout', 'folder', 'filename'])
    .orderBy('kind')
    .orderBy('last_at', 'desc')
    .execute();
}

/** Reads the headers of imports' files, by import. */
export async function readHeaders(db: Db, importIds: readonly string[]) {
  const { rows } = await sql<{ filename: string; headers: string[] }>`
    select filename, headers from imports
    join runs on runs.import_id = imports.id and runs.stage = 'parse' and runs.run = rows_run
    where imports.id = any(${importIds}::uuid[]) and headers is not null
    order by imports.created_at desc`.execute(db);
  return rows;
}

export async function deleteSign(
  db: Db,
  supplier: number,
  { kind, value }: Pick<SupplierSignsTable, 'kind' | 'value'>,
): Promise<void> {
  await sql`
    delete from supplier_signs
    where supplier = ${supplier} and kind = ${kind} and value = ${value}`.execute(db);
}
