import type { Category } from '@draftshelf/domain/products/categories';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';

type OfSupplier = Pick<ImportRecord, 'supplier'>;

/** Returns the key of a supplier's choices. Files without a supplier share the key 0. */
const supplierOf = ({ supplier }: OfSupplier): number => supplier ?? 0;

/** Stores the store category for a supplier's category path, for this and later lists. Null removes the choice. */
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

/** Reads the chosen store categories for some of a supplier's category paths, by path. */
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
