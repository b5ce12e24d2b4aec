import { productFields } from '@draftshelf/domain/base/canonical-fields';
import type { InlineField } from '@draftshelf/domain/base/field-look';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { type RowOrder, sortsOf } from '@draftshelf/domain/review/row-sort';
import {
  firstKeyBehindValues,
  ignoredKey,
  isSortedByNumber,
  keyCharsMax,
  sortKey,
  valueKeyBegin,
} from '@draftshelf/domain/review/sort-key';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord, RowOrderRecord } from '../../connection/schema.ts';
import { currentRows, type RunOfRows, readParseRun } from '../../work/runs.ts';
import { lastEdit } from '../commands/stored-edits.ts';
import { hasOneRowEach } from '../row-facets.ts';
import { hasNul } from '../stored-cells.ts';
import { entriesReader, type FieldRows } from './read-entries.ts';

/** Row numbers in a block of an order, four bytes each. */
const rowsPerBlock = 1_024;

/** Rows whose keys are read at a time. */
const rowsPerPart = 25_000;

/** An order of 1,000,000 rows takes 4 MB, so an import keeps the ones that were asked for last. */
const ordersMax = 5;

const orderTables = ['row_order_keys', 'row_order_blocks', 'row_orders'] as const;

const ofOrder = ({ import_id, run, field }: RunOfRows & { field: string }) =>
  sql<boolean>`import_id = ${import_id} and run = ${run} and field = ${field}`;

/** The order of a run's rows by something, made or being made; undefined if nobody has asked for it. */
export async function findOrder(db: Db, of: RunOfRows, by: RowOrder): Promise<RowOrderRecord | undefined> {
  return db
    .selectFrom('row_orders')
    .selectAll()
    .where(ofOrder({ ...of, field: by }))
    .executeTakeFirst();
}

/** An order that was made, by its id; undefined if it was made again since. */
export async function findMadeOrder(db: Db, of: RunOfRows, id: string): Promise<RowOrderRecord | undefined> {
  return db
    .selectFrom('row_orders')
    .selectAll()
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The first order of a run that is being made; undefined if there is none. */
export async function findUnmadeOrder(db: Db, of: RunOfRows): Promise<RowOrderRecord | undefined> {
  return db
    .selectFrom('row_orders')
    .selectAll()
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('read_rows', 'is not', null)
    .orderBy('asked_at')
    .limit(1)
    .executeTakeFirst();
}

/** Begins an order, or begins it again: the one before is read until it is made. Removes orders that are too many. */
export async function beginOrder(db: Db, of: RunOfRows, by: RowOrder): Promise<RowOrderRecord> {
  const edit = await lastEdit(db, of.import_id);
  const order = await db
    .insertInto('row_orders')
    .values({ ...of, field: by, read_rows: 0, next_edit: edit })
    .onConflict((conflict) =>
      conflict
        .columns(['import_id', 'run', 'field'])
        .doUpdateSet({ read_rows: 0, next_edit: edit, asked_at: sql`clock_timestamp()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  await sql`delete from row_order_keys where ${ofOrder(order)}`.execute(db);
  const { rows: old } = await sql<{ field: string }>`
    select field from row_orders where import_id = ${of.import_id} and run = ${of.run}
    order by asked_at desc offset ${ordersMax}`.execute(db);
  for (const { field: other } of old) {
    for (const table of orderTables)
      await sql`delete from ${sql.table(table)} where ${ofOrder({ ...of, field: other })}`.execute(db);
  }
  return order;
}

/**
 * Makes the next part of an order. Returns how many rows were read; null: the order is made. Only one process makes an
 * order at a time.
 */
export async function makePartOfOrder(
  db: Db,
  record: ImportRecord,
  order: RowOrderRecord,
): Promise<number | null> {
  const read = order.read_rows ?? 0;
  if (read >= record.total_rows) {
    await endOrder(db, order);
    return null;
  }
  const upTo = Math.min(read + rowsPerPart, record.total_rows);
  const of = { ...currentRows(record), oneRowEach: hasOneRowEach(record) };
  const within = sql<SqlBool>`row > ${read} and row <= ${upTo}`;
  const { mapping } = await readParseRun(db, of);
  for (const [nth, { field }] of sortsOf(order.field).entries()) {
    const sources = mapping.sources[field] ?? [];
    const isInOneCell =
      sources.length < 2 &&
      !isTakenApart(field) &&
      !sources.some((column) => isReadOtherwise(column, mapping)) &&
      !isTakenFromElsewhere(field, mapping) &&
      (of.oneRowEach || !productFields.has(field));
    const stored = { order, field, rowFrom: nth === 0 ? read + 1 : -(read + 1) };
    const others = isInOneCell ? await storePlainKeys(db, stored, within, sources[0]) : null;
    const which = others === null ? within : sql<SqlBool>`row = any(${others}::int[])`;
    if (others === null || others.length > 0) await storeReadKeys(db, of, stored, which);
  }
  await db.updateTable('row_orders').set({ read_rows: upTo }).where(ofOrder(order)).execute();
  return upTo;
}

/** Whether the cells of a column are not the amounts as they stand. */
const isReadOtherwise = (column: number, { decimalComma, cents, ownCurrency }: HeaderMapping): boolean =>
  decimalComma?.includes(column) === true ||
  cents?.includes(column) === true ||
  ownCurrency?.[column] !== undefined;

/** Whether values also depend on another column or a header. */
const isTakenFromElsewhere = (
  field: InlineField,
  { priceCurrency, priceUnit, reducedPrice }: HeaderMapping,
): boolean =>
  (field === 'currency' && priceCurrency !== undefined) ||
  ((field === 'price' || field === 'compareAtPrice') && reducedPrice !== undefined) ||
  ((field === 'price' || field === 'compareAtPrice' || field === 'cost') && priceUnit !== undefined);

/** Whether values may come from a header, or from a part of a cell. */
const isTakenApart = (field: InlineField): boolean => field === 'weightUnit' || field.startsWith('option');

/** `rowFrom`: the first row of the part; below 0 for the keys of a second field. */
type StoredKeys = { order: RowOrderRecord; field: InlineField; rowFrom: number };

/**
 * Stores the keys of plain values, as `sortKey` makes them, and of rows without a value, from a column of the file.
 * Returns the other rows: Postgres knows no more notations, and values may be edited or found.
 */
async function storePlainKeys(
  db: Db,
  { order, field, rowFrom }: StoredKeys,
  within: RawBuilder<SqlBool>,
  column: number | undefined,
): Promise<number[]> {
  const { import_id, run } = order;
  const { form, key } = isSortedByNumber(field)
    ? {
        form: field === 'quantity' ? '^[0-9]{1,9}$' : '^(0|[1-9][0-9]{0,14})([.][0-9]{1,9})?$',
        // The bits of a number that is not below 0, with the first one set.
        key: sql`encode(set_bit(float8send(value::float8), 7, 1), 'hex')`,
      }
    : { form: '^[A-Za-z0-9][ -~]*$', key: sql`left(lower(value collate "C"), ${sql.lit(keyCharsMax)})` };
  // These columns of the table follow edits, and to take a row's cells apart costs three times as much.
  const isTyped = field === 'title' || field === 'sku' || field === 'vendor';
  const edits = sql`select from edits where edits.import_id = ${import_id} and edits.field = ${field}`;
  const found = sql`select from found_values
    where found_values.import_id = ${import_id} and found_values.run = ${run} and found_values.field = ${field}`;
  const { rows: has } = await sql<{ edits: boolean; found: boolean }>`
    select exists (${edits}) as edits, exists (${found}) as found`.execute(db);
  const isOverlaid = sql.join(
    [
      sql`false`,
      ...(has[0]?.edits && !isTyped ? [sql`exists (${edits} and edits.byte_from = rows.byte_from)`] : []),
      ...(has[0]?.found ? [sql`exists (${found} and found_values.row = rows.row)`] : []),
    ],
    sql` or `,
  );
  const cell = column === undefined ? sql`null` : sql`btrim(cells ->> ${sql.lit(column)})`;
  const value = isTyped ? sql.ref(field) : sql`case when ${hasNul} then ${damagedCell} else ${cell} end`;
  const { rows } = await sql<{ row: number }>`
    with cell as materialized (
      select row, ignored, ${isOverlaid} as overlaid, coalesce(${value}, '') as value
      from rows where import_id = ${import_id} and run = ${run} and ${within}
    ), keyed as materialized (
      select row, case when ignored is not null then ${ignoredKey} when overlaid then null
        when value = '' then ${sortKey(field, '')} when value like 'Err:%' then null
        when value ~ ${form} then ${valueKeyBegin} || ${key} end as key
      from cell
    ), stored as (
      insert into row_order_keys (import_id, run, field, row_from, rows, keys)
      select ${import_id}, ${run}, ${order.field}, ${rowFrom}, array_agg(row), array_agg(key)
      from keyed where key is not null having count(*) > 0
    )
    select row from keyed where key is null`.execute(db);
  return rows.map(({ row }) => row);
}

/** A value that is not plain, so that the row is read. */
const damagedCell = '=';

/** Stores the keys of rows by their values as they are read everywhere else. */
async function storeReadKeys(
  db: Db,
  of: FieldRows,
  { order: { import_id, run, field: by }, field, rowFrom }: StoredKeys,
  which: RawBuilder<SqlBool>,
): Promise<void> {
  const readEntries = await entriesReader(db, of, field);
  const read = await readEntries(which);
  const { rows: ignored } = await sql<{ row: number }>`
    select row from rows where import_id = ${import_id} and run = ${run} and ${which} and ignored is not null`.execute(
    db,
  );
  const rows = [...read, ...ignored].map(({ row }) => row);
  const keys = [...read.map(({ value }) => sortKey(field, value)), ...ignored.map(() => ignoredKey)];
  await sql`
    insert into row_order_keys (import_id, run, field, row_from, rows, keys)
    values (${import_id}, ${run}, ${by}, ${rowFrom}, ${rows}::int[], ${keys}::text[])
    on conflict (import_id, run, field, row_from) do update
    set rows = row_order_keys.rows || excluded.rows, keys = row_order_keys.keys || excluded.keys`.execute(db);
}

const keysOf = (order: RowOrderRecord, part: RawBuilder<boolean>) => sql`(
  select given.row, given.key from row_order_keys cross join lateral unnest(rows, keys) as given (row, key)
  where ${ofOrder(order)} and ${part})`;

/** Rows without a value are last in either direction, and those that are equal in the order of the file. */
function placesBy(by: RowOrder): RawBuilder<unknown>[] {
  const keys = sortsOf(by).flatMap(({ direction }, nth) => {
    const key = sql`${sql.ref(nth === 0 ? 'first.key' : 'second.key')} collate "C"`;
    const isBehind = sql`${key} >= ${firstKeyBehindValues}`;
    return direction === 'descending'
      ? [isBehind, sql`case when not ${isBehind} then ${key} end desc`, key]
      : [key];
  });
  return [...keys, sql`first.row`];
}

/** Memory for sorting a million keys. */
const sortMemory = '96MB';

/** Puts the rows in the order of their keys, in place of the order that was made before. */
async function endOrder(db: Db, order: RowOrderRecord): Promise<void> {
  const of = ofOrder(order);
  const { import_id, run, field } = order;
  await sql`select set_config('work_mem', ${sortMemory}, true)`.execute(db);
  await sql`delete from row_order_blocks where ${of}`.execute(db);
  await sql`
    insert into row_order_blocks (import_id, run, field, block, rows)
    select ${import_id}, ${run}, ${field}, place / ${sql.lit(rowsPerBlock)}, string_agg(int4send(row), ''::bytea order by place)
    from (
      select first.row, (row_number() over (order by ${sql.join(placesBy(field))}))::int - 1 as place
      from ${keysOf(order, sql`row_from > 0`)} first
      ${sortsOf(field).length > 1 ? sql`join ${keysOf(order, sql`row_from < 0`)} second using (row)` : sql``}
    ) placed group by 4`.execute(db);
  const { rows } = await sql<{ rows: number; filled: number }>`
    select count(*)::int as rows,
      (count(*) filter (where key collate "C" < ${firstKeyBehindValues}))::int as filled
    from ${keysOf(order, sql`row_from > 0`)} given`.execute(db);
  await sql`delete from row_order_keys where ${of}`.execute(db);
  await db
    .updateTable('row_orders')
    .set({
      ...rows[0],
      id: sql`gen_random_uuid()`,
      sorted_at: sql`clock_timestamp()`,
      since_edit: order.next_edit,
      read_rows: null,
    })
    .where(of)
    .execute();
}

/** Whether a field of an order was edited since the order was begun. */
export async function isOutdated(db: Db, { import_id, field, since_edit }: RowOrderRecord): Promise<boolean> {
  const fields = sortsOf(field).map((sorted) => sorted.field);
  const { rows } = await sql`
    select from edits
    where import_id = ${import_id} and id > ${since_edit} and field = any(${fields}::text[]) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** The rows at some places of an order, from 0. Descending, rows without a value stay last; by one field only. */
export async function readPlaces(
  db: Db,
  order: RowOrderRecord,
  { from, to, descending }: { from: number; to: number; descending: boolean },
): Promise<number[]> {
  if (!descending) return readStored(db, order, from, to);
  const [first, last] = [Math.min(from, order.filled), Math.min(to, order.filled)];
  const values = await readStored(db, order, order.filled - last, order.filled - first);
  return [...values.reverse(), ...(await readStored(db, order, Math.max(from, order.filled), to))];
}

async function readStored(db: Db, order: RowOrderRecord, from: number, to: number): Promise<number[]> {
  if (to <= from) return [];
  const first = Math.floor(from / rowsPerBlock);
  const { rows } = await sql<{ rows: Buffer }>`
    select rows from row_order_blocks
    where ${ofOrder(order)} and block between ${first} and ${Math.floor((to - 1) / rowsPerBlock)}
    order by block`.execute(db);
  const stored = Buffer.concat(rows.map((block) => block.rows));
  const skipped = from - first * rowsPerBlock;
  return Array.from({ length: to - from }, (_, at) => stored.readInt32BE(4 * (skipped + at)));
}
