import type { Guards } from '@draftshelf/domain/products/guards';
import type { SupplierAnswers } from '@draftshelf/domain/suppliers/gone';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, hasRows, queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import type { ImportRecord, SupplierRecord } from '../connection/schema.ts';

type NamedSupplier = Pick<SupplierRecord, 'id' | 'name'>;

/** Returns the highest id of all suppliers, or 0 if there is none. */
export const readNewestSupplierId = (db: Db): Promise<number> =>
  queryValue<number>(db)`select coalesce(max(id), 0) from suppliers`;

/** Locks inserts of suppliers until the transaction ends. */
export async function lockNewSuppliers(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf'), hashtext('new supplier'))`.execute(db);
}

/** Returns the number of a supplier's newest list. */
export const readLastListNumber = (db: Db, id: number): Promise<number> =>
  queryValue<number>(db)`select coalesce(max(last_number), 0) from suppliers where id = ${id}`;

/** Locks a supplier against deletion and new lists until the transaction ends. Returns undefined if it is deleted. */
export const lockSupplier = (db: Db, id: number): Promise<NamedSupplier | undefined> =>
  findRow<NamedSupplier>(db)`select id, name from suppliers where id = ${id} for no key update`;

/** Locks a supplier's guards, until the transaction ends. Call it before `lockSupplier`. */
export async function lockGuards(db: Db, id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf guards'), ${id})`.execute(db);
}

/** Returns a supplier's guards and locks them against changes until the transaction ends. */
export async function lockAndReadGuards(db: Db, supplier: number | null): Promise<Guards | null> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('draftshelf guards'), ${supplier})`.execute(db);
  return readGuards(db, supplier);
}

const guardColumns = sql`
  guard_cost as "guardCost", guard_column as "guardColumn", guard_change as "guardChange"`;

export async function readGuards(db: Db, supplier: number | null): Promise<Guards | null> {
  const guards = await findRow<Guards>(db)`select ${guardColumns} from suppliers where id = ${supplier}`;
  return guards && Object.values(guards).some((limit) => limit !== null) ? guards : null;
}

export const readSupplierAnswers = (db: Db, id: number): Promise<SupplierAnswers | undefined> =>
  findRow<SupplierAnswers>(db)`
    select sends_complete as "sendsComplete", gone_after as "goneAfter", when_gone as "whenGone", ${guardColumns}
    from suppliers where id = ${id}`;

export async function setSupplierAnswers(db: Db, id: number, answers: SupplierAnswers): Promise<void> {
  const { sendsComplete, goneAfter, whenGone, guardCost, guardColumn, guardChange } = answers;
  await sql`
    update suppliers set sends_complete = ${sendsComplete}, gone_after = ${goneAfter}, when_gone = ${whenGone},
      guard_cost = ${guardCost}, guard_column = ${guardColumn}, guard_change = ${guardChange}
    where id = ${id}`.execute(db);
}

/** Locks suppliers like `lockSupplier`, in the order of ids. Returns the ids of existing suppliers. */
export const lockSuppliers = (db: Db, ids: readonly number[]): Promise<number[]> =>
  queryValues<number>(db)`
    select id from suppliers where id = any(${ids}::int[]) order by id for no key update`;

/** Finds a supplier by id, or by name, ignoring case. */
export function findSupplier(db: Db, by: { id: number } | { name: string }) {
  const isIt = 'id' in by ? sql`id = ${by.id}` : sql`lower(name) = lower(${by.name})`;
  return findRow<NamedSupplier>(db)`select id, name from suppliers where ${isIt}`;
}

/** SQL condition: a supplier has a second list. */
const hasSecondList = sql`exists (select from supplier_lists where supplier = suppliers.id offset 1)`;

/** Lists suppliers by name. If there are more than `suppliersMax`, lists the newest of them. */
export const listSuppliers = (db: Db, suppliersMax: number) =>
  queryRows<NamedSupplier & { isNamed: boolean }>(db)`
    select * from (
      select id, name, named_by_operator or ${hasSecondList} as "isNamed" from suppliers
      order by id desc limit ${suppliersMax}
    ) newest order by lower(name)`;

/** Inserts a supplier. Appends a number to a name that is taken or empty. Call `lockNewSuppliers` first. */
export async function insertSupplier(db: Db, name: string): Promise<number> {
  const numbered = sql<string>`
    case when n = 1 and ${name} <> '' then ${name}::text else coalesce(nullif(${name}, ''), 'Supplier') || ' ' || n end`;
  return queryValue<number>(db)`
    insert into suppliers (name)
    select ${numbered} from generate_series(1, (select count(*) + 1 from suppliers)) as n
    where not exists (select 1 from suppliers where lower(suppliers.name) = lower(${numbered}))
    order by n limit 1
    returning id`;
}

/** Records that the operator confirmed or renamed a supplier, so that screens show its name. */
export async function confirmName(db: Db, id: number, name?: string): Promise<void> {
  await db.updateTable('suppliers').set({ name, named_by_operator: true }).where('id', '=', id).execute();
}

/** SQL condition: the operator has named a supplier, or answered a question for all its lists. */
const hasAnswers = sql`named_by_operator or stock_choice is not null or currencies <> '{}'
  or sends_complete is not null or gone_after <> 2 or when_gone <> 'nothing'
  or guard_cost is not null or guard_column is not null or guard_change is not null`;

/** Deletes an unreferenced supplier. If `isAnsweredKept`, keeps one with a name or an answer from the operator. */
export async function deleteUnusedSupplier(db: Db, id: number, isAnsweredKept: boolean): Promise<void> {
  // Locks in a separate statement, so that the delete sees a list inserted by another transaction before the lock.
  await lockSupplier(db, id);
  await sql`
    delete from suppliers where id = ${id} and ${isLeft}
      and not exists (select 1 from carried_values where supplier = suppliers.id and value is not null)
      and not exists (select 1 from supplier_recipes where supplier = suppliers.id)
      and not exists (select 1 from feeds where supplier = suppliers.id and state = 'on')
      and not exists (select 1 from imports join runs
        on import_id = imports.id and runs.stage = 'parse' and run = parse_run where runs.supplier = suppliers.id)
      and not (${isAnsweredKept} and (${hasAnswers}))`.execute(db);
}

const isLeft = sql`not exists (select 1 from supplier_lists where supplier = suppliers.id)
  and not exists (select 1 from supplier_items where supplier = suppliers.id)`;

/** Finds those suppliers, by id or by name in any case, that have neither lists nor items. */
export const findEmptySuppliers = (db: Db, ids: readonly number[], name: string | null) =>
  queryRows<{ supplier: number; kind: 'named' | 'unnamed' }>(db)`
    select * from (
      select id as supplier, case when lower(name) = lower(${name}::text) then 'named' else 'unnamed' end as kind
      from suppliers where ${isLeft}
    ) left_ones where supplier = any(${ids}::int[]) or kind = 'named'`;

/** SQL condition: screens show the name, because the operator set it or at least two suppliers have a second list. */
const isShown = sql`(named_by_operator or 2 = (
  select count(*) from (
    select from suppliers where ${hasSecondList} limit 2
  ) several))`;

export async function isNamed(db: Db, id: number): Promise<boolean> {
  return (await readShownNames(db, [{ supplier: id }])).has(id);
}

export const hasSeveralSuppliers = (db: Db): Promise<boolean> =>
  hasRows(db)`select from suppliers offset 1 limit 1`;

/** Reads the name of an import's supplier. Null if the import has no supplier, or if screens do not show the name. */
export async function readShownName(db: Db, record: Pick<ImportRecord, 'supplier'>) {
  return (await readShownNames(db, [record])).get(record.supplier ?? 0)?.name ?? null;
}

/** Reads the names of those suppliers whose names screens show, by supplier. */
export async function readShownNames(
  db: Db,
  records: readonly Pick<ImportRecord, 'supplier'>[],
): Promise<Map<number, NamedSupplier>> {
  const ids = new Set(records.flatMap(({ supplier }) => supplier ?? []));
  if (ids.size === 0) return new Map();
  const found = await queryRows<NamedSupplier>(db)`
    select id, name from suppliers where id = any(${[...ids]}::int[]) and ${isShown}`;
  return new Map(found.map((supplier) => [supplier.id, supplier]));
}
