import type { InlineField } from '@draftshelf/domain/base/field-look';
import { firstKeyBehindValues, ignoredKey, sortKey } from '@draftshelf/domain/review/sort-key';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord, RowOrderRecord } from '../../connection/schema.ts';
import { currentRows, type RunOfRows } from '../../work/runs.ts';
import { lastEdit } from '../commands/stored-edits.ts';
import { hasOneRowEach } from '../row-facets.ts';
import { entriesReader } from './read-entries.ts';

/** Row numbers in a block of an order, four bytes each. */
const rowsPerBlock = 1_024;

/** Rows whose keys are read at a time. */
const rowsPerPart = 20_000;

/** An order of 1,000,000 rows takes 4 MB, so an import keeps the ones that were asked for last. */
const ordersMax = 5;

const orderTables = ['row_order_keys', 'row_order_blocks', 'row_orders'] as const;

const ofOrder = ({ import_id, run, field }: RunOfRows & { field: string }) =>
  sql<boolean>`import_id = ${import_id} and run = ${run} and field = ${field}`;

/** The order of a run's rows by a field, made or being made; undefined if nobody has asked for it. */
export async function findOrder(db: Db, of: RunOfRows, field: string): Promise<RowOrderRecord | undefined> {
  return db
    .selectFrom('row_orders')
    .selectAll()
    .where(ofOrder({ ...of, field }))
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
export async function beginOrder(db: Db, of: RunOfRows, field: InlineField): Promise<RowOrderRecord> {
  const edit = await lastEdit(db, of.import_id);
  const order = await db
    .insertInto('row_orders')
    .values({ ...of, field, read_rows: 0, next_edit: edit })
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
  const { rows, keys } = await readKeys(db, record, order.field, { after: read, upTo });
  await sql`
    insert into row_order_keys (import_id, run, field, row_from, rows, keys)
    values (${order.import_id}, ${order.run}, ${order.field}, ${read + 1}, ${rows}::int[], ${keys}::text[])`.execute(
    db,
  );
  await db.updateTable('row_orders').set({ read_rows: upTo }).where(ofOrder(order)).execute();
  return upTo;
}

async function readKeys(
  db: Db,
  record: ImportRecord,
  field: InlineField,
  { after, upTo }: { after: number; upTo: number },
): Promise<{ rows: number[]; keys: string[] }> {
  const of = { ...currentRows(record), oneRowEach: hasOneRowEach(record) };
  const within = sql<boolean>`row > ${after} and row <= ${upTo}`;
  const readEntries = await entriesReader(db, of, field);
  const read = await readEntries(within);
  const { rows: ignored } = await sql<{ row: number }>`
    select row from rows where import_id = ${of.import_id} and run = ${of.run} and ${within}
      and ignored is not null`.execute(db);
  return {
    rows: [...read, ...ignored].map(({ row }) => row),
    keys: [...read.map(({ value }) => sortKey(field, value)), ...ignored.map(() => ignoredKey)],
  };
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
      select given.row, (row_number() over (order by given.key collate "C", given.row))::int - 1 as place
      from row_order_keys cross join lateral unnest(rows, keys) as given (row, key) where ${of}
    ) placed group by 4`.execute(db);
  const { rows } = await sql<{ rows: number; filled: number }>`
    select count(*)::int as rows,
      (count(*) filter (where key collate "C" < ${firstKeyBehindValues}))::int as filled
    from row_order_keys cross join lateral unnest(keys) as given (key) where ${of}`.execute(db);
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

/** Whether the field of an order was edited since the order was begun. */
export async function isOutdated(db: Db, { import_id, field, since_edit }: RowOrderRecord): Promise<boolean> {
  const { rows } = await sql`
    select from edits where import_id = ${import_id} and id > ${since_edit} and field = ${field} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** The rows at some places of an order, from 0. Descending, rows without a value stay last. */
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
