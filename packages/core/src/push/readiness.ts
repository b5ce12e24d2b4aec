import type { RowField } from '@draftshelf/domain/base/canonical-fields';
import { type Category, categoryOfId, categoryPathCharsMax } from '@draftshelf/domain/products/categories';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRow, queryRows } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { ownValue } from '../review/search/row-sql.ts';
import { currentRows } from '../work/runs.ts';
import { readCategoryChoices } from './category-choices.ts';

type OwnCategory = { path: string; field: 'category' | 'type'; products: number; category: Category | null };

export type FilledFieldCounts = {
  products: number;
  /** The number of products that have a value in each field, in the order of `fields`. */
  having: number[];
  withCategory: number;
  paths: OwnCategory[];
};

const shownPathsMax = 500;

/** Counts the products that have a value in a field, in any of their rows, and those with a category. */
export async function countFilledFields(
  db: Db,
  record: ImportRecord,
  fields: readonly RowField[],
): Promise<FilledFieldCounts> {
  const { import_id, run } = currentRows(record);
  const ofRun = sql`import_id = ${import_id} and run = ${run} and ignored is null`;
  const has = fields.map((field, at) => {
    const [value, more] = [ownValue(field), ownValue('moreImages')];
    const some = field === 'image' ? sql`coalesce(${value}, ${more})` : value;
    return sql`bool_or(${some} is not null) as ${sql.ref(`has${at}`)}`;
  });
  const counts = fields.map((_, at) => sql`count(*) filter (where ${sql.ref(`has${at}`)})::int`);
  const counted = await queryRow<{ products: number; having: number[] }>(db)`
    select count(*)::int as products, array[${sql.join(counts)}]::int[] as having
    from (select product, ${sql.join(has)} from rows where ${ofRun} group by product) of_product`;
  const [category, type] = [ownValue('category'), ownValue('type')];
  const all = await queryRows<Omit<OwnCategory, 'category'>>(db)`
    select coalesce(${category}, ${type}) as path,
      case when ${category} is null then 'type' else 'category' end as field, count(*)::int as products
    from rows where ${ofRun} and is_first and not joined
      and length(coalesce(${category}, ${type})) between 1 and ${categoryPathCharsMax}
    group by 1, 2 order by products desc, path`;
  const chosen = await readCategoryChoices(
    db,
    record,
    all.map(({ path }) => path),
  );
  const paths = all.map((one) => ({
    ...one,
    category: categoryOfId(one.path) ?? chosen.get(one.path) ?? null,
  }));
  const withCategory = paths.reduce((sum, one) => sum + (one.category ? one.products : 0), 0);
  return { ...counted, withCategory, paths: paths.slice(0, shownPathsMax) };
}
