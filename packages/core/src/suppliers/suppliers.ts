import type { Guards } from '@draftshelf/domain/products/guards';
import type { SupplierAnswers } from '@draftshelf/domain/suppliers/gone';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ImportRecord, SupplierRecord } from '../connection/schema.ts';

type NamedSupplier = Pick<SupplierRecord, 'id' | 'name'>;

/** Returns the id of the supplier that began last, else 0. */
export async function newestSupplier(db: Db): Promise<number> {
  const { newest } = await db
    .selectFrom('suppliers')
    .select(({ fn }) => fn.max<number | null>('id').as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/** Lets suppliers begin one at a time, until the transaction ends. */
export async function lockNewSuppliers(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf'), hashtext('new supplier'))`.execute(db);
}

/** Returns the number of a supplier's newest list. */
export async function readLastNumber(db: Db, id: number): Promise<number> {
  const found = await db
    .selectFrom('suppliers')
    .select('last_number')
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.last_number ?? 0;
}

/** Locks a supplier against deletion and new lists until the transaction ends; undefined if it is gone. */
export async function lockSupplier(db: Db, id: number): Promise<NamedSupplier | undefined> {
  return db
    .selectFrom('suppliers')
    .select(['id', 'name'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

const guardColumns = [
  'guard_cost as guardCost',
  'guard_column as guardColumn',
  'guard_change as guardChange',
] as const;

export async function readGuards(db: Db, supplier: number | null): Promise<Guards | null> {
  if (supplier === null) return null;
  const guards = await db
    .selectFrom('suppliers')
    .select(guardColumns)
    .where('id', '=', supplier)
    .executeTakeFirst();
  return guards && Object.values(guards).some((limit) => limit !== null) ? guards : null;
}

export async function readAnswers(db: Db, id: number): Promise<SupplierAnswers | undefined> {
  return db
    .selectFrom('suppliers')
    .select(['sends_complete as sendsComplete', 'gone_after as goneAfter', 'when_gone as whenGone'])
    .select(guardColumns)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function setAnswers(db: Db, id: number, answers: SupplierAnswers): Promise<void> {
  const { sendsComplete, goneAfter, whenGone, guardCost, guardColumn, guardChange } = answers;
  await db
    .updateTable('suppliers')
    .set({ sends_complete: sendsComplete, gone_after: goneAfter, when_gone: whenGone })
    .set({ guard_cost: guardCost, guard_column: guardColumn, guard_change: guardChange })
    .where('id', '=', id)
    .execute();
}

/** Locks suppliers like `lockSupplier`, in the order of ids. Returns the ids of those that exist. */
export async function lockSuppliers(db: Db, ids: readonly number[]): Promise<number[]> {
  const found = await db
    .selectFrom('suppliers')
    .select('id')
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return found.map(({ id }) => id);
}

/** Finds a supplier by id, or by name in any case. */
export async function findSupplier(
  db: Db,
  by: { id: number } | { name: string },
): Promise<NamedSupplier | undefined> {
  const condition = 'id' in by ? sql<boolean>`id = ${by.id}` : sql<boolean>`lower(name) = lower(${by.name})`;
  return db.selectFrom('suppliers').select(['id', 'name']).where(condition).executeTakeFirst();
}

/** SQL condition: a supplier has a second list, or the operator has named it. */
const isKnown = sql<boolean>`(
  named_by_operator or exists (select from supplier_lists where supplier = suppliers.id offset 1))`;

/** Lists suppliers by name; the newest ones if there are more than `suppliersMax`. */
export async function listSuppliers(
  db: Db,
  suppliersMax: number,
): Promise<(NamedSupplier & { isNamed: boolean })[]> {
  const newest = db
    .selectFrom('suppliers')
    .select(['id', 'name', isKnown.as('isNamed')])
    .orderBy('id', 'desc')
    .limit(suppliersMax);
  return db.selectFrom(newest.as('newest')).selectAll().orderBy(sql`lower(name)`).execute();
}

/** Begins a supplier, numbered if the name exists or is ''. Call `lockNewSuppliers` first. */
export async function insertSupplier(db: Db, name: string, isByOperator: boolean): Promise<number> {
  const numbered = sql<string>`
    case when n = 1 and ${name} <> '' then ${name}::text else coalesce(nullif(${name}, ''), 'Supplier') || ' ' || n end`;
  const { rows } = await sql<{ id: number }>`
    insert into suppliers (name, named_by_operator)
    select ${numbered}, ${isByOperator} from generate_series(1, (select count(*) + 1 from suppliers)) as n
    where not exists (select 1 from suppliers where lower(suppliers.name) = lower(${numbered}))
    order by n limit 1
    returning id`.execute(db);
  const [inserted] = rows;
  if (!inserted) throw new Error('No name is left for a supplier');
  return inserted.id;
}

/** Records that the operator confirmed a supplier, so that screens name it. */
export async function nameByOperator(db: Db, id: number): Promise<void> {
  await db.updateTable('suppliers').set({ named_by_operator: true }).where('id', '=', id).execute();
}

export async function setSupplierName(db: Db, id: number, name: string): Promise<void> {
  await db.updateTable('suppliers').set({ name, named_by_operator: true }).where('id', '=', id).execute();
}

/** SQL condition: the operator has named a supplier, or answered for all its lists. */
const hasAnswers = sql<boolean>`named_by_operator or stock_choice is not null or currencies <> '{}'
  or sends_complete is not null or gone_after <> 2 or when_gone <> 'nothing'
  or guard_cost is not null or guard_column is not null or guard_change is not null`;

/**
 * Deletes a supplier that nothing refers to. `isAnsweredKept`: unless the operator has named it, or answered for it.
 */
export async function deleteUnused(db: Db, id: number, isAnsweredKept: boolean): Promise<void> {
  // Locked first: a list that another transaction has begun is visible only to a later statement.
  await lockSupplier(db, id);
  await db
    .deleteFrom('suppliers')
    .where('id', '=', id)
    .where(isLeft)
    .where(
      sql<boolean>`not exists (select 1 from carried_values where supplier = suppliers.id and value is not null)
      and not exists (select 1 from supplier_recipes where supplier = suppliers.id)
      and not exists (select 1 from imports join runs
        on import_id = imports.id and runs.stage = 'parse' and run = parse_run where runs.supplier = suppliers.id)`,
    )
    .$if(isAnsweredKept, (query) => query.where(sql<boolean>`not (${hasAnswers})`))
    .execute();
}

const isLeft = sql<boolean>`not exists (select 1 from supplier_lists where supplier = suppliers.id)
  and not exists (select 1 from supplier_items where supplier = suppliers.id)`;

/** Finds suppliers without any list or product left that have one of these ids or the name, in any case. */
export async function findLeftSuppliers(db: Db, ids: readonly number[], name: string | null) {
  const hasName = sql<boolean>`coalesce(lower(name) = lower(${name}::text), false)`;
  return db
    .selectFrom('suppliers')
    .select(['id as supplier', hasName.as('hasName')])
    .where(sql<boolean>`(id = any(${ids}::int[]) or ${hasName})`)
    .where(isLeft)
    .execute();
}

/** SQL condition: the operator has named the supplier, or several suppliers have several lists. */
const isShown = sql<boolean>`(named_by_operator or 2 = (
  select count(*) from (
    select from suppliers where exists (select from supplier_lists where supplier = suppliers.id offset 1) limit 2
  ) several))`;

export async function isNamed(db: Db, id: number): Promise<boolean> {
  return (await readShownNames(db, [{ supplier: id }])).has(id);
}

export async function haveSeveral(db: Db): Promise<boolean> {
  return (await db.selectFrom('suppliers').select('id').limit(2).execute()).length > 1;
}

/** Reads the name of an import's supplier; null if it has none or screens name none. */
export async function readShownName(db: Db, { supplier }: Pick<ImportRecord, 'supplier'>) {
  if (supplier === null || !(await isNamed(db, supplier))) return null;
  return (await findSupplier(db, { id: supplier }))?.name ?? null;
}

/** Reads the suppliers' names that screens show, by supplier. */
export async function readShownNames(
  db: Db,
  records: readonly Pick<ImportRecord, 'supplier'>[],
): Promise<Map<number, NamedSupplier>> {
  const ids = new Set(records.flatMap(({ supplier }) => supplier ?? []));
  if (ids.size === 0) return new Map();
  const found = await db
    .selectFrom('suppliers')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .where(isShown)
    .execute();
  return new Map(found.map((supplier) => [supplier.id, supplier]));
}

/** Reads a supplier's newest list and its number of products. */
export async function readLastList(db: Db, id: number): Promise<{ filename: string; items: number } | null> {
  const last = await db
    .selectFrom('supplier_lists')
    .leftJoin('import_records', 'import_records.id', 'import_id')
    .select(['supplier_lists.filename', sql<number>`coalesce(total_products, 0)`.as('items')])
    .where('supplier_lists.supplier', '=', id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? null;
}
