import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { CarriedValuesTable, EditCommandRecord, ImportRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { namesProductField } from '../review/product-field-sql.ts';
import { currentRows } from '../work/runs.ts';
import { itemOfRow, joinFoundItems } from './row-items.ts';

/** Locks carried values of suppliers. Lock order: import rows, carried values, imports, guards, suppliers, tasks. */
export async function lockCarriedValues(db: Db, suppliers: readonly number[]): Promise<void> {
  for (const supplier of [...new Set(suppliers)].sort((a, b) => a - b)) {
    await sql`select pg_advisory_xact_lock(hashtext('draftshelf carried values'), ${supplier})`.execute(db);
  }
}

/** A list's value for a cell of an item. `setAt` is null if the list has no value of its own for the cell. */
export type KeptValue = Pick<CarriedValuesTable, 'subject' | 'field' | 'kind' | 'value' | 'source'> & {
  saidOf: string | null;
  saidAt: Date;
  setAt: Date | null;
};

export const toItemSubject = (item: number): string => `i:${item}`;

/** Returns the subject of a product's carried values, for fields that a product has once and not per variant. */
export const toProductSubject = (ourId: string): string => `p:${ourId}`;

/** SQL order of a cell's values from all lists. The value in effect, which was set or taken back last, comes first. */
export const effectiveValueFirst = sql`set_at desc nulls last, said_at desc, value is null desc`;

/** SQL query: the values in effect of a supplier's cells, for cells whose subject and field meet `condition`. */
export const effectiveValues = (supplier: number, condition: RawBuilder<unknown> = sql`true`) => sql`(
  select distinct on (subject, field) * from carried_values where supplier = ${supplier} and ${condition}
  order by subject, field, ${effectiveValueFirst})`;

/** Maximum of carried values per supplier. At this number, values are stored only for cells that already have one. */
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
} as const;

export const carriedColumns = sql`
  field, kind, value, said_of, source, said_at, set_at, said_in, import_id, settled_in, settled_runs`;

/** SQL `on conflict` clause for inserts into carried_values. If a list has two values for a cell, the newer stays. */
export const onConflictKeepNewer = sql`
  on conflict (supplier, subject, field, import_id) do update set kind = excluded.kind, value = excluded.value,
    said_of = excluded.said_of, source = excluded.source, said_at = excluded.said_at, set_at = excluded.set_at,
    kept_at = excluded.kept_at, settled_in = excluded.settled_in, settled_runs = excluded.settled_runs
  where carried_values.said_at < excluded.said_at`;

/** Stores the values that an import has for cells. The caller has locked the supplier's carried values. */
export async function storeCarriedValues(
  db: Db,
  { id, supplier, filename }: ImportRecord,
  values: readonly KeptValue[],
): Promise<void> {
  if (values.length === 0) return;
  const last = new Map(values.map((value) => [`${value.subject} ${value.field}`, value]));
  await sql`
    insert into carried_values
      (supplier, subject, field, kind, value, said_of, source, said_at, set_at, said_in, import_id)
    select ${supplier}::int, said.subject, said.field, said.kind, said.value, said.said_of, said.source,
      said.said_at, said.set_at, ${filename}, ${id}::uuid
    from ${unnestRows('said', [...last.values()], columns)} cross join lateral (
      select count(*) > 0 as is_kept, coalesce(bool_or(import_id = ${id}), false) as is_own from carried_values
      where supplier = ${supplier} and carried_values.subject = said.subject and carried_values.field = said.field
    ) kept
    where case when said.set_at is null then is_own else is_kept or (
      select count(*) from carried_values where supplier = ${supplier} and value is not null) < ${valuesMax} end
    ${onConflictKeepNewer}`.execute(db);
}

/** The operator's decision against a value of the supplier, with that value and the time of the decision. */
export type KeptDecision = { subject: string; field: string; saidOf: string; saidAt: Date };

/** Stores the supplier's values that the operator decided against, so that they are not proposed again. */
export async function storeDecisions(db: Db, supplier: number, decisions: readonly KeptDecision[]) {
  if (decisions.length === 0) return;
  const { subject, field, saidOf, saidAt } = columns;
  await sql`
    update carried_values set said_of = decided.said_of
    from ${unnestRows('decided', decisions, { subject, field, saidOf, saidAt })}
    where carried_values.supplier = ${supplier} and carried_values.subject = decided.subject
        and carried_values.field = decided.field and carried_values.said_at <= decided.said_at`.execute(db);
}

/** Sets carried values to null if a counted list also has them, so no older edit applies. Lock the values first. */
export async function clearSettledValues(db: Db, supplier: number): Promise<void> {
  await sql`
    update carried_values set value = null, said_of = null, source = null, settled_in = null
    from supplier_lists list join imports on imports.id = list.import_id
    where carried_values.supplier = ${supplier} and list.supplier = ${supplier} and list.state = 'counted'
        and settled_in = list.import_id and rows_run = any(settled_runs)`.execute(db);
}

/**
 * Deletes the carried values and unused recipes of an import that moves to another supplier, and marks its edits as
 * not kept. Values of other lists that take effect instead are carried into open lists. Lock the values first.
 */
export async function forgetValuesOfList(db: Db, { id, supplier }: ImportRecord): Promise<void> {
  await sql`
    with forgotten as (
      delete from carried_values where supplier = ${supplier} and import_id = ${id} returning subject, field
    )
    update carried_values said set kept_at = clock_timestamp() from forgotten
    where said.supplier = ${supplier} and said.subject = forgotten.subject and said.field = forgotten.field
      and import_id <> ${id}`.execute(db);
  await sql`
    delete from supplier_recipes
    where supplier = ${supplier} and made_in = ${id} and used_at is null`.execute(db);
  await sql`update imports set edits_kept_to = 0, proposals_kept_to = null where id = ${id}`.execute(db);
}

/** SQL joins of an import's edits with their command as `command`, and with the command that it undoes as `base`. */
export const commandJoins = (importId: string): RawBuilder<unknown> => sql`
  join edit_commands command on command.import_id = ${importId} and command.id = edits.command
  left join edit_commands base on base.import_id = ${importId} and base.id = command.undoes`;

/** SQL value: the supplier and file from which a command (or the command that it undoes) carried values, or null. */
export const carrySource = sql`coalesce(base.carried, command.carried)`;

/** A cell with a carried value, set at `since` in file `filename`. A null `subject`: the value is no longer stored. */
export type CarriedCell = {
  row: number;
  field: string;
  subject: string | null;
  since: Date;
  filename: string | null;
};

/** Reads the carried values in some current rows of an import. */
export async function readCarriedCells(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run' | 'supplier'>,
  numbers: readonly number[],
): Promise<CarriedCell[]> {
  if (record.supplier === null) return [];
  const { import_id, run } = currentRows(record);
  const ofProduct = namesProductField('edits.field');
  return queryRows<CarriedCell>(db)`
    select rows.row, edits.field, subject, coalesce(said_at, edited_at) as since,
      coalesce(said_in, ${carrySource} ->> 'filename') as filename
    from rows ${joinFoundItems('rows')}
    cross join lateral (
      select distinct on (field) * from edits
      where import_id = ${import_id} and byte_from = rows.byte_from order by field, id desc
    ) edits ${commandJoins(import_id)}
    left join lateral (
      select subject, said_at, said_in from carried_values said
      where said.supplier = ${record.supplier} and said.field = edits.field
        and said.subject = case when ${ofProduct} then 'p:' || coalesce(own_id, row_items.our_id)
          else 'i:' || ${itemOfRow(record.supplier, sql`row_items.item`)} end
        and said.value = edits.after
      order by ${effectiveValueFirst} limit 1
    ) carried on true
    where rows.import_id = ${import_id} and rows.run = ${run} and rows.row = any(${numbers}::int[])
      and edits.after is not null and ${carrySource} is not null`;
}

/** Lists the commands that carried values of a supplier into an import, newest first. */
export const listCarriedCommands = (db: Db, importId: string, supplier: number) =>
  queryRows<Pick<EditCommandRecord, 'id' | 'state' | 'edits'>>(db)`
    select id, state, edits from edit_commands
    where import_id = ${importId} and kind = 'carried' and carried ->> 'supplier' = ${String(supplier)}
    order by created_at desc, id desc`;
