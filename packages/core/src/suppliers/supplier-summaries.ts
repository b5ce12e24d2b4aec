import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { importActions } from '@draftshelf/domain/imports/import-status';
import type { LeavingSupplier } from '@draftshelf/domain/suppliers/leaving';
import type { SupplierSign } from '@draftshelf/domain/suppliers/propose-supplier';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryRows } from '../connection/query-rows.ts';
import type { SupplierListRecord, SupplierRecord } from '../connection/schema.ts';
import { effectiveValues } from './carried-values.ts';
import { mergeTarget } from './leaving-suppliers.ts';
import type { StockChoice } from './supplier-pushes.ts';
import { readSupplierAnswers } from './suppliers.ts';

type ListFile = { importId: string; filename: string };

/** The newest list. `beganAt` is a time in Postgres's JSON notation. */
type LastList = { importId: string | null; filename: string; beganAt: string; products: number | null };

/** A supplier with its newest list, the list that waits for the operator, and an import that may be the supplier's. */
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

/** SQL value: the number of products in a supplier's newest list that has products. */
const productsOf = (supplier: ReturnType<typeof sql>) => sql`(
  select total_products from supplier_lists join import_records as imports on imports.id = import_id
  where supplier_lists.supplier = ${supplier} and total_products > 0 order by number desc limit 1)`;

/** Summarizes suppliers. The supplier with the newest list comes first. */
export const summarizeSuppliers = (db: Db, suppliersMax: number) =>
  queryRows<SupplierSummary>(db)`
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
        ${mergeTarget}) end as leaves
    from suppliers
    order by (select max(began_at) from supplier_lists where supplier = suppliers.id) desc nulls last, id desc
    limit ${suppliersMax}`;

/** A supplier with its settings. `products`: the number of products in its newest list. */
type SupplierDetails = Pick<SupplierSummary, 'id' | 'name' | 'products'> &
  Pick<SupplierRecord, 'merged' | 'currencies'> & { stockChoice: StockChoice | null };

/** Reads a supplier. `fields`: the number of carried values by field. */
export async function readSupplier(db: Db, id: number) {
  const answers = await readSupplierAnswers(db, id);
  const supplier = await findRow<SupplierDetails>(db)`
    select id, name, case when leaves_since is null then merged end as merged,
      stock_choice as "stockChoice", currencies,
      ${productsOf(sql.ref('suppliers.id'))} as products
    from suppliers where id = ${id}`;
  if (!supplier || !answers) return undefined;
  const fields = await queryRows<{ field: string; values: number }>(db)`
    select split_part(field, '#', 1) as field, count(*)::int as values
    from ${effectiveValues(id)} counting where value is not null group by 1 order by 2 desc, 1`;
  return { ...supplier, answers, fields };
}

export const listNewestLists = (db: Db, supplier: number, limit: number) =>
  queryRows<ListedList>(db)`
    select number, import_id, lists.filename, total_products as products, state, status, counts, began_at, counted_at
    from supplier_lists lists left join import_records on import_records.id = import_id
    where lists.supplier = ${supplier} order by number desc limit ${limit}`;

type ListedList = Pick<
  SupplierListRecord,
  'number' | 'import_id' | 'filename' | 'state' | 'counts' | 'began_at' | 'counted_at'
> & { status: string | null; products: number | null };

/** Lists a supplier's signs by kind, newest first. */
export const listSigns = (db: Db, supplier: number) =>
  queryRows<SupplierSign & { lists: number; last_at: Date }>(db)`
    select kind, value, lists, last_at from supplier_signs
    where supplier = ${supplier} and kind in ('layout', 'folder', 'filename') order by kind, last_at desc`;

/** Reads filenames and headers of imports' current rows, newest import first. */
export async function readFileHeaders(db: Db, importIds: readonly string[]) {
  return queryRows<{ filename: string; headers: string[] }>(db)`
    select filename, headers from imports
    join runs on runs.import_id = imports.id and runs.stage = 'parse' and runs.run = rows_run
    where imports.id = any(${importIds}::uuid[]) and headers is not null
    order by imports.created_at desc`;
}

export async function deleteSign(db: Db, supplier: number, { kind, value }: SupplierSign): Promise<void> {
  await sql`
    delete from supplier_signs
    where supplier = ${supplier} and kind = ${kind} and value = ${value}`.execute(db);
}
