import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { CarriedValuesTable, ImportRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { listUncarriedCommands } from './supplier-proposals.ts';

/** Locks the values of a supplier for this transaction: they are stored one after the other. It is the last lock. */
export async function lockCarriedValues(db: Db, supplier: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf carried values'), ${supplier})`.execute(db);
}

/** A value that was said in a list, or taken back: null. */
export type KeptValue = Pick<CarriedValuesTable, 'subject' | 'field' | 'kind' | 'value' | 'source'> & {
  saidOf: string | null;
  saidAt: Date;
};

/** The subject of the fields that a product has once. */
export const productSubject = (ourId: string): string => `p:${ourId}`;

/**
 * How a value counts against the one that is kept. said: the newer one holds. restored: so it does, but an equal value
 * stays as it was said. copied: nobody has said it there, so it holds only where nothing is kept.
 */
export type Saying = 'said' | 'restored' | 'copied';

const replaces: Record<Saying, RawBuilder<unknown>> = {
  said: sql`true`,
  restored: sql`carried_values.value is distinct from excluded.value`,
  copied: sql`false`,
};

/** Values of a supplier, at most. Further ones are left; those that are there still change. */
const valuesMax = 200_000;

const columns = {
  subject: 'text',
  field: 'text',
  kind: 'text',
  value: 'text',
  saidOf: 'text',
  source: 'text',
  saidAt: 'timestamptz',
} as const;

/** Keeps values that were said in an import. The caller holds the lock of the supplier's values. */
export async function storeValues(
  db: Db,
  { id, supplier, filename }: ImportRecord,
  values: readonly KeptValue[],
  saying: Saying,
): Promise<void> {
  const last = new Map(values.map((value) => [`${value.subject} ${value.field}`, value]));
  const rows = [...last.values()].map((value) => ({ ...value, saidAt: value.saidAt.toISOString() }));
  if (rows.length === 0) return;
  await sql`
    insert into carried_values
      (supplier, subject, field, kind, value, said_of, source, said_at, said_in, import_id)
    select ${supplier}::int, said.*, ${filename}, ${id}::uuid
    from ${unnestRows('said', rows, columns)}
    where exists (
        select 1 from carried_values kept
        where kept.supplier = ${supplier} and kept.subject = said.subject and kept.field = said.field)
      or (select count(*) from carried_values kept where kept.supplier = ${supplier}) < ${valuesMax}
    on conflict (supplier, subject, field) do update set kind = excluded.kind, value = excluded.value,
      said_of = excluded.said_of, source = excluded.source, said_at = excluded.said_at, said_in = excluded.said_in,
      import_id = excluded.import_id, settled_in = null
    where carried_values.said_at < excluded.said_at and ${replaces[saying]}`.execute(db);
}

/** Of a value that the operator prefers to the supplier's: what the supplier said then, and when that was decided. */
export type KeptDecision = { subject: string; field: string; saidOf: string; saidAt: Date };

/** Stores what the supplier says where the operator has decided that his own value holds. */
export async function storeDecisions(
  db: Db,
  supplier: number,
  decisions: readonly KeptDecision[],
): Promise<void> {
  if (decisions.length === 0) return;
  const rows = decisions.map((one) => ({ ...one, saidAt: one.saidAt.toISOString() }));
  const { subject, field, saidOf, saidAt } = columns;
  await sql`
    update carried_values set said_of = decided.said_of
    from ${unnestRows('decided', rows, { subject, field, saidOf, saidAt })}
    where carried_values.supplier = ${supplier} and carried_values.subject = decided.subject
      and carried_values.field = decided.field and carried_values.said_at <= decided.said_at`.execute(db);
}

/** Stores the commands that were done to an import with its list, for the import of the next list. */
export async function storeCommands(db: Db, importId: string): Promise<void> {
  await db
    .updateTable('supplier_lists')
    .set({ commands: storableJson(await listUncarriedCommands(db, importId)) })
    .where('import_id', '=', importId)
    .execute();
}

/** Ends the values that a counted list of the supplier says too. */
export async function endSettled(db: Db, supplier: number): Promise<void> {
  await sql`
    delete from carried_values where supplier = ${supplier} and settled_in in (
      select import_id from supplier_lists where supplier = ${supplier} and state = 'counted')`.execute(db);
}

/**
 * Takes away the values that were said in an import which is another supplier's list. They are to be kept for that, and
 * those of the former supplier's lists that they had replaced again.
 */
export async function forgetValues(db: Db, { id, supplier }: ImportRecord): Promise<void> {
  await sql`delete from carried_values where supplier = ${supplier} and import_id = ${id}`.execute(db);
  await sql`
    update imports set edits_kept_to = 0, proposals_kept_to = null where id = any(array(
      select id from imports where id = ${id} or id in (
        select import_id from supplier_lists where supplier = ${supplier}
      ) order by id for no key update))`.execute(db);
}
