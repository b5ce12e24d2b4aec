import type { RowField, RowValues, ValuesByField } from '@draftshelf/domain/base/canonical-fields';
import { keepCompareAtPieceCount } from '@draftshelf/domain/products/compare-at';
import { isReplaceableCell } from '@draftshelf/domain/products/images';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { type EditedField, leaveOutField } from '@draftshelf/domain/review/edited-field';
import { isLeftOut } from '@draftshelf/domain/review/issue-set';
import { fromStoredValues } from '@draftshelf/domain/review/stored-values';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { hasRows, queryRows, queryValues } from '../connection/query-rows.ts';
import type { RowRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import { isTextArray } from './stored-cells.ts';

type Overlaid = Pick<EffectiveRow, 'values' | 'sources' | 'leftOut'>;

export type EffectiveRow = Omit<RowRecord, 'sources'> & {
  /** The row's own id, else the id of the row's item in the supplier's lists. */
  own_id: string | null;
  /** By field: the edited value, else the cell's value, else the found value. */
  values: RowValues;
  sources: ValuesByField<'edit' | 'found'>;
  leftOut: boolean;
  /** True if the row's stored cells are unreadable. The row then has neither cells nor values. */
  isDamaged?: true;
};

/** Returns whether a row is from the file. Rows added for scanned products have a negative `byte_from`. */
export const isFileRow = ({ byte_from }: Pick<RowRecord, 'byte_from'>): boolean => byte_from >= 0;

export async function readRowPage(db: Db, of: RunOfRows, { after, limit }: { after: number; limit: number }) {
  return effectiveRows(db, of, sql`row > ${after} order by row limit ${limit}`);
}

/** Reads rows with effective values. `which`: an SQL condition, followed by the order. */
async function effectiveRows(db: Db, { import_id, run }: RunOfRows, which: RawBuilder<unknown>) {
  const rows = await queryRows<StoredRow>(db)`
    select rows.*, ${itemId} as item_id from rows where import_id = ${import_id} and run = ${run} and ${which}`;
  return rows.map(withEffectiveValues);
}

export async function readRowsByNumber(db: Db, of: RunOfRows, numbers: readonly number[]) {
  return effectiveRows(db, of, sql`row = any(${numbers}::int[]) order by row`);
}

export async function readProductRows(
  db: Db,
  of: RunOfRows,
  range: { firstProduct: number; products: number },
): Promise<EffectiveRow[]> {
  const [first, last] = [range.firstProduct, range.firstProduct + range.products - 1];
  const which = sql`product between ${first} and ${last}`;
  return readSet(db, of, { stretches: [{ first, last }], which });
}

export async function readRowsOfProductNumbers(db: Db, of: RunOfRows, products: readonly number[]) {
  return products.length === 0 ? [] : readSet(db, of, productSet(products));
}

async function readSet(db: Db, of: RunOfRows, set: ProductSet): Promise<EffectiveRow[]> {
  const rows = await queryRows<StoredRow>(db)`${rowsOfSet(wholeRow, of, set)}`;
  return rows.sort((a, b) => a.row - b.row).map(withEffectiveValues);
}

export async function readFirstRows(
  db: Db,
  of: RunOfRows,
  products: readonly number[],
): Promise<Map<number, EffectiveRow>> {
  if (products.length === 0) return new Map();
  const rows = await queryRows<StoredRow>(db)`
    select distinct on (product) * from (${rowsOfProducts(wholeRow, of, products)}) sought
    order by product, row`;
  return new Map(rows.map((row) => [row.product, withEffectiveValues(row)]));
}

/** `rows`: the numbers of the product's rows; `bytes`: the stored size of their cells. */
export type SizedProduct = { product: number; rows: number[]; bytes: number };

/** Returns the row numbers and the stored size of each product, in the order of the products. */
export async function findRowsOfProducts(db: Db, of: RunOfRows, products: readonly number[]) {
  if (products.length === 0) return [];
  const columns = sql`product, row, pg_column_size(cells) as bytes`;
  const sizes = rowsOfProducts(columns, of, products);
  return queryRows<SizedProduct>(db)`
    select product, array_agg(row order by row) as rows, sum(bytes)::bigint as bytes from (${sizes}) sizes
    group by product order by product`;
}

/** Returns whether products have more than `max` rows in total. Reads at most `max` + 1 rows. */
export async function haveMoreRows(db: Db, of: RunOfRows, products: readonly number[], max: number) {
  if (products.length === 0) return false;
  return hasRows(db)`
    select 1 from (${rowsOfProducts(sql`rows.row`, of, products)}) counted
    offset ${max} limit 1`;
}

/** Returns the products of the given rows, in the order of `numbers`. Skips ignored rows. */
export const findProductsOfRows = (db: Db, of: RunOfRows, numbers: readonly number[]) =>
  queryValues<number>(db)`
    select product from unnest(${numbers}::int[]) with ordinality as given (number, place)
    join rows on rows.row = number
    where import_id = ${of.import_id} and run = ${of.run} and row = any(${numbers}::int[]) and ignored is null
    group by product order by min(place)`;

/** Returns, for each given row, the number of the row above it. Skips ignored rows. */
export async function findRowsAbove(db: Db, of: RunOfRows, numbers: readonly number[]) {
  const rows = await queryRows<{ row: number; above: number }>(db)`
    select asked.row, found.row as above from unnest(${numbers}::int[]) as asked (row) cross join lateral (
      select row from rows
      where import_id = ${of.import_id} and run = ${of.run} and rows.row < asked.row and ignored is null
      order by rows.row desc limit 1
    ) found`;
  return new Map(rows.map(({ row, above }) => [row, above]));
}

/** Maximum gap between products read as one stretch: another search takes as long as reading 600 cached rows. */
const gapMax = 200;

function productSet(products: readonly number[]): ProductSet {
  const stretches: { first: number; last: number }[] = [];
  for (const product of products.toSorted((a, b) => a - b)) {
    const latest = stretches.at(-1);
    if (latest && product - latest.last <= gapMax) latest.last = product;
    else stretches.push({ first: product, last: product });
  }
  return { stretches, which: sql`product = any(${products}::int[])` };
}

/** Returns an SQL query for the rows of products, without ignored rows. */
export const rowsOfProducts = (columns: RawBuilder<unknown>, of: RunOfRows, products: readonly number[]) =>
  rowsOfSet(columns, of, productSet(products));

/** Ranges of product numbers that do not overlap, and the SQL condition that selects the products in them. */
type ProductSet = { stretches: readonly { first: number; last: number }[]; which: RawBuilder<unknown> };

const stretchColumns = { first: 'int', last: 'int' } as const;

/**
 * Returns an SQL query for the rows of products. There is no index on products, because it would slow the COPY of
 * every row. Product numbers rise with row numbers, except for rows that finalize joined to a product, which have
 * their own index. So the parse chunks bound the search: each product of a chunk before or after a stretch has at
 * least one row. Binary searches narrow these bounds if products have several rows: one product takes 0.3 ms; reading
 * its chunk of 20,000 rows took 11 ms. Without `offset 0`, the planner, which has no statistics of a fresh run, would
 * read all rows of the run (30 ms for 60,000), and all joined rows if the index condition had many products.
 */
const rowsOfSet = (columns: RawBuilder<unknown>, of: RunOfRows, set: ProductSet) => sql`
    ${findStretches(of, set)}
    select ${columns} from ${inStretches(of, set)}
    union all
    select ${columns} from bound cross join lateral (
      select * from rows
      where ${ofRows(of)} and joined and rows.product between bound.first_product and bound.last_product
        and ignored is null
      offset 0
    ) rows
    where ${set.which}`;

const ofRows = ({ import_id, run }: RunOfRows) => sql`rows.import_id = ${import_id} and rows.run = ${run}`;

const findStretches = (of: RunOfRows, { stretches }: ProductSet) => sql`
    with recursive bound as (
      select wanted.first as first_product, wanted.last as last_product, chunk.first_row, chunk.end_row
      from ${unnestRows('wanted', stretches, stretchColumns)}
      cross join lateral (
        select coalesce(min(first_row + greatest(0, wanted.first - first_product)), 1) as first_row,
          coalesce(max(first_row + rows - greatest(0, first_product + products - 1 - wanted.last)), 1) as end_row
        from chunks
        where import_id = ${of.import_id} and stage = 'parse' and run = ${of.run} and kind = 'work'
          and first_product <= wanted.last and first_product + products > wanted.first
      ) chunk
    ), halving (first_product, last_product, product, low, high) as (
      select first_product, last_product, sought.product, first_row, end_row
      from bound cross join lateral (values (first_product), (last_product + 1)) sought (product)
      union all
      select first_product, last_product, halving.product,
        case when probe.product < halving.product then probe.row + 1 else low end,
        case when probe.product < halving.product then high else middle end
      from halving
      cross join lateral (select (low + high) / 2 as middle) half
      left join lateral (
        select rows.row, rows.product from rows
        where ${ofRows(of)} and rows.row >= middle and rows.row < high and not joined and ignored is null
        order by rows.row limit 1
      ) probe on true
      where low < high
    ), stretch as (
      select first_product, last_product, min(low) as first_row, max(low) as end_row
      from halving where low >= high group by first_product, last_product
    )`;

const inStretches = (of: RunOfRows, { which }: ProductSet) => sql`stretch cross join lateral (
      select * from rows
      where ${ofRows(of)} and rows.row >= stretch.first_row and rows.row < stretch.end_row
        and rows.product between stretch.first_product and stretch.last_product
        and ${which} and not joined and ignored is null
      offset 0
    ) rows`;

/** Returns the indexes, from 0, of the rows that are left out of the push. */
export const findLeftOutIndexes = (rows: readonly Pick<EffectiveRow, 'leftOut'>[]): number[] =>
  rows.flatMap(({ leftOut }, at) => (leftOut ? [at] : []));

type StoredRow = RowRecord & { item_id: string | null };

const itemId = sql<string | null>`(
  select our_id from row_items item
  where item.import_id = rows.import_id and item.run = rows.run and item.row = rows.row)`;
const wholeRow = sql`rows.*, ${itemId} as item_id`;

function withEffectiveValues({ item_id, ...stored }: StoredRow): EffectiveRow {
  const row = { ...stored, own_id: stored.own_id ?? item_id };
  const [sources, leftOut] = [row.sources ?? {}, isLeftOut(row.issues)];
  return isTextArray(row.cells)
    ? { ...row, values: fromStoredValues(row), sources, leftOut }
    : { ...row, ...unreadable, cells: [], leftOut };
}

const unreadable = { cells_as_read: null, values: {}, sources: {}, isDamaged: true as const };

/** Returns the sources in their stored form. Null means that all values come from the cells. */
export const toStoredSources = (sources: EffectiveRow['sources']): RowRecord['sources'] =>
  Object.keys(sources).length === 0 ? null : sources;

export async function computeValues(
  db: Db,
  of: RunOfRows,
  rows: readonly EffectiveRow[],
): Promise<EffectiveRow[]> {
  if (rows.length === 0) return [];
  const { mapping } = await readParseRun(db, of);
  const overlayValues = await readOverlay(db, of, rows);
  return rows.map((row) => {
    if (row.isDamaged) return { ...row, leftOut: overlayValues(row, {}).leftOut };
    return { ...row, ...overlayValues(row, readRowValues(row.cells, mapping)) };
  });
}

/** Reads found values, and edits up to id `until`. Returns a function that applies both to a row's parsed values. */
export async function readOverlay(
  db: Db,
  of: RunOfRows,
  rows: readonly Pick<RowRecord, 'row' | 'byte_from'>[],
  until?: number,
): Promise<(row: Pick<RowRecord, 'row' | 'byte_from'>, parsed: RowValues) => Overlaid> {
  const numbers = rows.map((row) => row.row);
  const offsets = rows.map((row) => row.byte_from);
  const found = await readFoundValues(db, of, numbers);
  const edits = await latestEdits(db, of.import_id, offsets, until);
  const foundByRow = Map.groupBy(found, (value) => value.row);
  const editsByByte = Map.groupBy(edits, (edit) => edit.byte_from);
  return (row, parsed) =>
    overlayValues(parsed, foundByRow.get(row.row) ?? [], editsByByte.get(row.byte_from) ?? []);
}

export const readFoundValues = (db: Db, of: RunOfRows, numbers: readonly number[]) =>
  queryRows<{ row: number; field: string; value: string }>(db)`
    select row, field, value from found_values
    where import_id = ${of.import_id} and run = ${of.run} and row = any(${numbers}::int[])`;

/** `is_carried_status`: the edit carries a status over from an earlier list, which counts as the file's status. */
type LatestEdit = {
  byte_from: number;
  row: number;
  field: string;
  after: string;
  is_carried_status: boolean;
};

/** Reads the latest edit of each row and field, up to id `until`. Skips cells whose latest edit is an undo. */
const latestEdits = (db: Db, importId: string, bytesFrom: readonly number[], until?: number) =>
  queryRows<LatestEdit>(db)`
    select byte_from, row, field, after, field = 'status' and exists (
      select 1 from edit_commands of_edit left join edit_commands base
        on base.import_id = of_edit.import_id and base.id = of_edit.undoes
      where of_edit.import_id = ${importId} and of_edit.id = command
        and coalesce(base.kind, of_edit.kind) = 'carried') as is_carried_status
    from (
      select distinct on (byte_from, field) byte_from, row, field, after, command from edits
      where import_id = ${importId} and byte_from = any(${bytesFrom}::bigint[])
        ${until === undefined ? sql`` : sql`and id <= ${until}`}
      order by byte_from, field, id desc
    ) latest where after is not null`;

/** Adds found values where parsed values are missing or replaceable, then applies the edits on top. */
export function overlayValues(
  parsed: RowValues,
  found: readonly { field: string; value: string }[],
  edits: readonly Pick<LatestEdit, 'field' | 'after' | 'is_carried_status'>[],
): Overlaid {
  const values = { ...parsed };
  const sources: EffectiveRow['sources'] = {};
  for (const { field, value } of found as { field: RowField; value: string }[]) {
    const ofCell = values[field];
    if (ofCell !== undefined && !isReplaceableCell(field, ofCell)) continue;
    values[field] = value;
    sources[field] = 'found';
  }
  if (edits.length === 0) return { values, sources, leftOut: false };
  const unedited = { ...values };
  let leftOut = false;
  for (const { field, after, is_carried_status } of edits as (LatestEdit & { field: EditedField })[]) {
    if (field === leaveOutField) {
      leftOut = true;
      continue;
    }
    if (after === '') delete values[field];
    else values[field] = after;
    if (!is_carried_status) sources[field] = 'edit';
  }
  return {
    values: keepCompareAtPieceCount(unedited, values, (field) => sources[field] === 'edit'),
    sources,
    leftOut,
  };
}
