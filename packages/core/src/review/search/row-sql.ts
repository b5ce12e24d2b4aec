import {
  isProductField as isOfProduct,
  type RowField,
  type RowValues,
} from '@draftshelf/domain/base/canonical-fields';
import { optionsField, storeCategoryField, type ValueField } from '@draftshelf/domain/base/field-value';
import { entrySeparators, isListField } from '@draftshelf/domain/base/text-list';
import { categoryIdPattern, categoryIdPrefix } from '@draftshelf/domain/products/categories';
import { type RowSort, splitRowSort } from '@draftshelf/domain/review/row-sort';
import {
  furtherValuesColumn,
  hasValueColumn,
  sizeColumns,
  valueColumns,
} from '@draftshelf/domain/review/stored-values';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows, type RunOfRows } from '../../work/runs.ts';
import { hasSingleRowProducts } from '../row-facets.ts';

/** `oneRowEach`: each product has a single row. */
export type ShownRun = RunOfRows & { oneRowEach: boolean };

export const toShownRun = (record: ImportRecord): ShownRun => ({
  ...currentRows(record),
  oneRowEach: hasSingleRowProducts(record),
});

type Value = RawBuilder<string | null>;

/** SQL value: the row's own value of a field, or null. */
export const ownValue = (field: keyof RowValues, table = 'rows'): Value =>
  hasValueColumn(field)
    ? sql.ref(`${table}.${valueColumns[field]}`)
    : sql`(${sql.ref(`${table}.${furtherValuesColumn}`)} ->> ${sql.lit(field)})`;

const isProductField = (field: ValueField): field is RowField => isOfProduct(field);

/** Fields with the supplier's category, which is mapped to a category of the store. */
const ofCategory = ['category', 'type'] as const;

/** SQL value: the name of the store's category for the category in a product's first row. Null if none is chosen. */
function storeCategory({ import_id }: RunOfRows, table: string): Value {
  const path = sql`coalesce(${sql.join(ofCategory.map((field) => ownValue(field, table)))})`;
  return sql`coalesce(${categoryIdPrefix} || substring(${path} from ${categoryIdPattern.source}), (
    select name from category_choices where category_choices.path = ${path}
      and supplier = (select coalesce(imports.supplier, 0) from imports where imports.id = ${import_id})))`;
}

const titledRows = ({ import_id, run }: RunOfRows) => sql`
  select distinct on (product) product, title from rows
  where import_id = ${import_id} and run = ${run} and title is not null and ignored is null order by product, row`;

const firstRows = ({ import_id, run }: RunOfRows, fields: readonly RowField[]) => sql`
  select product, ${sql.join(columnsOf(fields).map((column) => sql.ref(column)))} from rows
  where import_id = ${import_id} and run = ${run} and is_first and not joined and ignored is null`;

const columnsOf = (fields: readonly RowField[]) => [
  ...new Set(fields.map((field) => (hasValueColumn(field) ? valueColumns[field] : furtherValuesColumn))),
];

/** SQL: the rows of a run. Product fields are read from the product's first row, and the title from any of its rows. */
export function shownRows(of: ShownRun, fields: readonly ValueField[]): RawBuilder<unknown> {
  if (of.oneRowEach) return sql`rows`;
  const title = fields.includes('title')
    ? sql`left join (${titledRows(of)}) titled on titled.product = rows.product`
    : sql``;
  const named = fields.flatMap((field) => (field === storeCategoryField ? ofCategory : field));
  const others = named.filter(isProductField).filter((field) => field !== 'title');
  const first =
    others.length > 0
      ? sql`left join (${firstRows(of, others)}) first on first.product = rows.product`
      : sql``;
  return sql`rows ${title} ${first}`;
}

/** SQL value: the value that a row of `shownRows` shows for a field. */
export function shownValue(of: ShownRun, field: RowField | typeof storeCategoryField): Value {
  if (field === storeCategoryField) return storeCategory(of, of.oneRowEach ? 'rows' : 'first');
  if (of.oneRowEach || !isProductField(field)) return ownValue(field);
  return ownValue(field, field === 'title' ? 'titled' : 'first');
}

/** SQL condition: the row shows this value for a field, as in `shownValue`. '' means that it shows no value. */
export function hasShownValue(of: ShownRun, field: ValueField, value: string): RawBuilder<SqlBool> {
  if (field === optionsField) return value === '' ? sql`options is null` : sql`${value} = any(options)`;
  if (field === storeCategoryField) {
    const has = (table: string) =>
      sql<SqlBool>`${storeCategory(of, table)} is not distinct from ${value === '' ? null : value}`;
    return of.oneRowEach ? has('rows') : ofProductsIn(firstRows(of, ofCategory), has('holder'));
  }
  if (of.oneRowEach || !isProductField(field)) return isValue(field, ownValue(field), value);
  // A product without a title is one that has no row with a title.
  if (field === 'title' && value === '') return sql`not ${ofProductsIn(titledRows(of), sql`true`)}`;
  const rows = field === 'title' ? titledRows(of) : firstRows(of, [field]);
  return ofProductsIn(rows, isValue(field, ownValue(field, 'holder'), value));
}

/** The characters that String.trim removes. In the collation C, \s of Postgres matches fewer. */
const spaces = '[\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*';

function isValue(field: RowField, own: Value, value: string): RawBuilder<SqlBool> {
  if (value === '') return sql`${own} is null`;
  if (!isListField(field)) return sql`${own} = ${value}`;
  // Most values do not contain the text at all, so the fast strpos comes first. The text may also be the whole value.
  return sql`(strpos(${own}, ${value}) > 0 and (${own} = ${value}
    or ${value} = any(regexp_split_to_array(${own}, ${`${spaces}[${entrySeparators}]${spaces}`}))))`;
}

/** SQL condition: the row's product is in `holders`. A subquery in an expression is hashed even without statistics. */
const ofProductsIn = (holders: RawBuilder<unknown>, which: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`((rows.product in (select product from (${holders}) holder where ${which})) is true)`;

/** Rows are sorted by at most this many characters of a text. */
const sortedCharsMax = 60;

type OrderKey = { key: RawBuilder<unknown>; isDescending?: boolean };

const textKey = (value: Value) => sql`lower(left(${value}, ${sql.lit(sortedCharsMax)}) collate pg_c_utf8)`;

/**
 * SQL: the order of rows. In both directions, texts in columns of numbers follow the numbers, and rows without a value
 * follow all others. Ignored rows are last. Equal rows are in file order. `isReversed` reverses the whole order.
 */
export function orderRows(of: ShownRun, sort: RowSort, isReversed = false): RawBuilder<unknown> {
  const keys = splitRowSort(sort).flatMap(({ field, direction }): OrderKey[] => {
    const isDescending = direction === 'descending';
    const value = shownValue(of, field);
    const column = (sizeColumns as Partial<Record<string, string>>)[field];
    if (column === undefined) return [{ key: textKey(value), isDescending }];
    const size = sql.ref(`rows.${column}`);
    const text = sql`case when ${size} = 'NaN' then ${textKey(value)} end`;
    // NaN stands for texts and is greater than any number, even when negated.
    return [{ key: isDescending ? sql`(- ${size})` : size }, { key: text }];
  });
  const [to, back] = isReversed ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  const nulls = isReversed ? sql`nulls first` : sql`nulls last`;
  // Postgres abbreviates only the first sort key, so the ignored flag, equal in nearly all rows, is the second key.
  const [first, ...others] = keys;
  const all: OrderKey[] = [
    ...(first ? [{ ...first, key: sql`case when rows.ignored is null then ${first.key} end` }] : []),
    ...[{ key: sql`(rows.ignored is not null)` }, ...others, { key: sql`rows.row` }],
  ];
  return sql.join(all.map(({ key, isDescending }) => sql`${key} ${isDescending ? back : to} ${nulls}`));
}
