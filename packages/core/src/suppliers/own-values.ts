import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRow, queryRows } from '../connection/query-rows.ts';
import type { CarriedValuesTable, Schema } from '../connection/schema.ts';
import { effectiveValues, lockCarriedValues, toProductSubject } from './carried-values.ts';
import { bumpImportVersions } from './count-rows.ts';
import { selectItems } from './items-at.ts';

export type OwnValue = Pick<CarriedValuesTable, 'subject' | 'field' | 'kind'> & {
  value: string;
  theirs: string | null;
  saidAt: Date;
  filename: string;
  /** The item's key, or null if the value belongs to a product. */
  key: string | null;
  title: string | null;
};

/** A page of values. `after`: the last value shown. `field`: only values of this field, or null for all fields. */
export type OwnValuePage = {
  after: { subject: string; field: string };
  search: string;
  field: string | null;
  limit: number;
};

const none = sql``;

/** SQL condition: a value is of this field. The column `field` of a dismissed value ends with '#' and a hash. */
const isOfField = (field: string) => sql`split_part(field, '#', 1) = ${field}`;

/** Reads a page of the values that the operator has set in lists of a supplier. */
export async function listOwnValues(db: Db, supplier: number, { after, search, field, limit }: OwnValuePage) {
  const prefix = toProductSubject('');
  return queryRows<OwnValue>(db)`
    with part as materialized (
      select subject, field, kind, value, said_of as theirs, said_at as "saidAt", said_in as filename
      from ${effectiveValues(supplier, sql`(subject, field) > (${after.subject}, ${after.field})`)} counting
      where value is not null ${field === null ? none : sql`and ${isOfField(field)}`}
        ${search === '' ? sql`order by subject, field limit ${limit}` : none}
    ), products as materialized (
      select ${prefix} || our_id as subject, min(title) as title from (${selectItems({
        supplier,
        ids: sql`array(select id from supplier_items where supplier = ${supplier} and our_id = any(array(
          select substr(subject, ${prefix.length + 1}) from part where starts_with(subject, ${prefix}))))`,
      })}) items
      group by our_id
    ), titled as (
      select part.*, items.key, coalesce(items.title, products.title) as title from part
      left join (${selectItems({
        supplier,
        ids: sql`array(select substr(subject, 3)::bigint from part where starts_with(subject, 'i:'))`,
      })}) items on 'i:' || items.id = part.subject
      left join products on products.subject = part.subject
    )
    select * from titled
    ${search === '' ? none : sql`where position(lower(${search}) in lower(concat_ws(' ', value, title, key))) > 0`}
    order by subject, field limit ${limit}`;
}

/** Values to forget: one value, all values of a field, or all values. */
export type ValuesToForget = { subject: string; field: string } | { field: string } | { all: true };

/** Values per statement. */
export const valuesPerStatement = 5_000;

/** Clears the next values, locked by the caller. Returns how many: `values` were in effect, `taken` is the total. */
export async function forgetNextValues(db: Db, supplier: number, which: ValuesToForget) {
  return queryRow<{ values: number; taken: number }>(db)`
    with part as materialized (
      select subject, field, import_id from carried_values
      where supplier = ${supplier} and value is not null and ${conditionOf(which)} limit ${sql.lit(valuesPerStatement)}
    ), counting as materialized (
      select count(value)::int as values
      from ${effectiveValues(supplier, sql`(subject, field) in (select subject, field from part)`)} said
    ), forgotten as (
      update carried_values set value = null, said_of = null, source = null, settled_in = null,
        said_at = clock_timestamp(), set_at = clock_timestamp()
      where supplier = ${supplier} and (subject, field, import_id) in (select * from part)
    )
    select values, (select count(*) from part)::int as taken from counting`;
}

function conditionOf(which: ValuesToForget) {
  if ('subject' in which) return sql`subject = ${which.subject} and field = ${which.field}`;
  return 'field' in which ? isOfField(which.field) : sql`true`;
}

/** Clears values of the operator, so that the next list has the supplier's. Returns how many values were in effect. */
export async function forgetValues(db: Kysely<Schema>, supplier: number, which: ValuesToForget) {
  for (let forgotten = 0; ; ) {
    const part = await db.transaction().execute(async (trx) => {
      await lockCarriedValues(trx, [supplier]);
      return forgetNextValues(trx, supplier, which);
    });
    forgotten += part.values;
    if (part.taken < valuesPerStatement) {
      if (forgotten > 0) await bumpImportVersions(db, supplier);
      return forgotten;
    }
  }
}
