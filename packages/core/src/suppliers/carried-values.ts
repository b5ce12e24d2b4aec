import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { CarriedValuesTable, ImportRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';

/** Locks suppliers' values. Lock order: rows of an import, carried values, imports, suppliers, tasks. */
export async function lockCarriedValues(db: Db, suppliers: readonly number[]): Promise<void> {
  for (const supplier of [...new Set(suppliers)].sort((a, b) => a - b)) {
    await sql`select pg_advisory_xact_lock(hashtext('draftshelf carried values'), ${supplier})`.execute(db);
  }
}

/** A value set in a list, or null if taken back. `had`: the values that were carried into its cell there. */
export type KeptValue = Pick<CarriedValuesTable, 'subject' | 'field' | 'kind' | 'value' | 'source'> & {
  had?: readonly { value: string; setAt: Date }[];
  saidOf: string | null;
  saidAt: Date;
  setAt: Date;
};

export const itemSubject = (item: number): string => `i:${item}`;

/** Subject of fields that a product has once. */
export const productSubject = (ourId: string): string => `p:${ourId}`;

/**
 * Precedence over the kept value. said: the newer one holds. restored, undone: an undo has left this value or none; it
 * replaces only a value of its own list or one carried into it. copied: set elsewhere; it holds only where nothing is
 * kept.
 */
export type Saying = 'said' | 'restored' | 'undone' | 'copied';

/** SQL value: in the form of `had`: the time at which a value was set, in milliseconds, and the value. */
const keptWord = sql`(extract(epoch from kept.set_at) * 1000)::bigint || ' ' || kept.value`;

const isOf = (id: string) => sql`(kept.import_id = ${id} or ${keptWord} = any(had))`;

const replaces: Record<Saying, (id: string) => RawBuilder<unknown>> = {
  said: () => sql`true`,
  restored: (id) => sql`kept.value is distinct from said.value and ${isOf(id)}`,
  undone: isOf,
  copied: () => sql`false`,
};

/** Limit per supplier. Further values are not kept; those kept still change. */
const valuesMax = 200_000;

const columns = {
  subject: 'text',
  field: 'text',
  kind: 'text',
  value: 'text',
  saidOf: 'text',
  source: 'text',
  saidAt: 'timestamptz',
  setAt: 'timestamptz',
  had: 'text[]',
} as const;

export const saidColumns = sql`
  field, kind, value, said_of, source, said_at, set_at, said_in, import_id, settled_in, settled_runs`;

/** SQL for the end of an insert: of two values of a field the newer one stays. */
export const newerStays = sql`
  on conflict (supplier, subject, field) do update set kind = excluded.kind, value = excluded.value,
    said_of = excluded.said_of, source = excluded.source, said_at = excluded.said_at, set_at = excluded.set_at,
    kept_at = excluded.kept_at, said_in = excluded.said_in, import_id = excluded.import_id,
    settled_in = excluded.settled_in, settled_runs = excluded.settled_runs
  where carried_values.said_at < excluded.said_at`;

/** Keeps values that were set in an import. The caller holds the lock of the supplier's values. */
export async function storeValues(
  db: Db,
  { id, supplier, filename }: ImportRecord,
  values: readonly KeptValue[],
  saying: Saying,
): Promise<void> {
  const last = new Map(values.map((value) => [`${value.subject} ${value.field}`, value]));
  const rows = [...last.values()].map((value) => ({
    ...value,
    saidAt: value.saidAt.toISOString(),
    setAt: value.setAt.toISOString(),
    had: (value.had ?? []).map((word) => `${word.setAt.getTime()} ${word.value}`),
  }));
  if (rows.length === 0) return;
  await sql`
    insert into carried_values
      (supplier, subject, field, kind, value, said_of, source, said_at, set_at, said_in, import_id)
    select ${supplier}::int, said.subject, said.field, said.kind, said.value, said.said_of, said.source,
      said.said_at, said.set_at, ${filename}, ${id}::uuid
    from ${unnestRows('said', rows, columns)} left join carried_values kept
      on kept.supplier = ${supplier} and kept.subject = said.subject and kept.field = said.field
    where case when kept.supplier is not null then ${replaces[saying](id)} else ${saying !== 'undone'} and (
      select count(*) from carried_values where supplier = ${supplier} and value is not null) < ${valuesMax} end
    ${newerStays}`.execute(db);
}

/** The supplier's value when the operator preferred their own to it, and when that was decided. */
export type KeptDecision = { subject: string; field: string; saidOf: string; saidAt: Date };

/** Stores the supplier's values that the operator has decided against. */
export async function storeDecisions(db: Db, supplier: number, decisions: readonly KeptDecision[]) {
  if (decisions.length === 0) return;
  const rows = decisions.map((one) => ({ ...one, saidAt: one.saidAt.toISOString() }));
  const { subject, field, saidOf, saidAt } = columns;
  await sql`
    update carried_values set said_of = decided.said_of
    from ${unnestRows('decided', rows, { subject, field, saidOf, saidAt })}
    where carried_values.supplier = ${supplier} and carried_values.subject = decided.subject
        and carried_values.field = decided.field and carried_values.said_at <= decided.said_at`.execute(db);
}

/** Takes back values that a counted list has too, so that no older edit sets them again. Values are locked. */
export async function endSettled(db: Db, supplier: number): Promise<void> {
  await sql`
    update carried_values set value = null, said_of = null, source = null, settled_in = null
    from supplier_lists list join imports on imports.id = list.import_id
    where carried_values.supplier = ${supplier} and list.supplier = ${supplier} and list.state = 'counted'
        and settled_in = list.import_id and rows_run = any(settled_runs)`.execute(db);
}

/**
 * Deletes the values and recipes of an import that becomes another supplier's list, and marks its edits, and those of
 * the former supplier's lists, to be kept again. The caller has locked carried values and lists.
 */
export async function forgetValues(db: Db, { id, supplier }: ImportRecord): Promise<void> {
  await sql`delete from carried_values where supplier = ${supplier} and import_id = ${id}`.execute(db);
  await sql`
    delete from supplier_recipes
    where supplier = ${supplier} and made_in = ${id} and used_at is null`.execute(db);
  await sql`
    update imports set edits_kept_to = 0, proposals_kept_to = null
    where ${isListOf(supplier, id)}`.execute(db);
}

const isListOf = (supplier: number | null, importId: string) =>
  sql`(id = ${importId} or id in (select import_id from supplier_lists where supplier = ${supplier}))`;

/** Locks an import and the other lists of the supplier that it leaves, in the order of ids. */
export async function lockLists(db: Db, supplier: number, importId: string): Promise<void> {
  await sql`select id from imports where ${isListOf(supplier, importId)}
    order by id for no key update`.execute(db);
}
