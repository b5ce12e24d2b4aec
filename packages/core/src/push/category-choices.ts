import type { Category } from '@draftshelf/domain/products/categories';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';

type OfSupplier = Pick<ImportRecord, 'supplier'>;

/** Files without a supplier share their choices. */
const supplierOf = ({ supplier }: OfSupplier): number => supplier ?? 0;

/** Stores the store category for a supplier's own, for this and later lists; null removes it. */
export async function chooseCategory(
  db: Db,
  record: OfSupplier,
  path: string,
  category: Category | null,
): Promise<void> {
  const supplier = supplierOf(record);
  if (category === null) {
    await sql`delete from category_choices where supplier = ${supplier} and path = ${path}`.execute(db);
    return;
  }
  const { id, name } = category;
  await sql`
    insert into category_choices (supplier, path, id, name) values (${supplier}, ${path}, ${id}, ${name})
    on conflict (supplier, path) do update set id = excluded.id, name = excluded.name`.execute(db);
}

/** Reads the store categories chosen for some of a supplier's own, by the latter. */
export async function readCategoryChoices(
  db: Db,
  record: OfSupplier,
  paths: readonly string[],
): Promise<Map<string, Category>> {
  if (paths.length === 0) return new Map();
  const rows = await queryRows<Category & { path: string }>(db)`
    select path, id, name from category_choices
    where supplier = ${supplierOf(record)} and path = any(${[...new Set(paths)]}::text[])`;
  return new Map(rows.map(({ path, ...category }) => [path, category]));
}
