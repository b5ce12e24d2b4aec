import type { LookupField } from '@draftshelf/domain/enrich/sources';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { changeRows, hasRows, queryRows } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import type { RunOfRows } from '../work/runs.ts';
import type { WaitCause } from './admit-calls.ts';
import { connectedShop } from './store-answers.ts';

/** The fields that look-ups still try to fill for the product whose first row is `row`. */
export type MissingFields = { row: number; gtin: string; fields: LookupField[] };

/** Replaces the missing fields of the products that begin in `rows`. Products not in `lacks` have no missing fields. */
export async function replaceMissingFields(
  db: Db,
  { import_id, run }: RunOfRows,
  rows: readonly number[],
  lacks: readonly MissingFields[],
): Promise<void> {
  await sql`
    delete from product_lacks
    where import_id = ${import_id} and run = ${run} and row = any(${rows}::int[])`.execute(db);
  if (lacks.length === 0) return;
  await sql`
    insert into product_lacks (import_id, run, row, gtin, fields)
    select ${import_id}, ${run}, row, gtin, fields
    from ${unnestRows('lacking', lacks, { row: 'int', gtin: 'text', fields: 'text[]' })}
    on conflict do nothing`.execute(db);
}

/** Finds the products with these GTINs that lack something. Returns their first rows in current runs, by import. */
export const findIncompleteProducts = (db: Db, gtins: readonly string[]) =>
  queryRows<{ importId: string; rows: number[] }>(db)`
    select product_lacks.import_id as "importId", array_agg(row order by row) as rows
    from product_lacks join imports on imports.id = product_lacks.import_id and imports.rows_run = product_lacks.run
    where gtin = any(${gtins}::text[]) group by 1 order by 1`;

export const hasMissingFields = (db: Db, of: RunOfRows) =>
  hasRows(db)`
    select row from product_lacks where import_id = ${of.import_id} and run = ${of.run} limit 1`;

/** Reads, by row, until when and why a row waits for look-ups. Rows without open look-ups are absent. */
export async function readWaitingRows(
  db: Db,
  of: RunOfRows,
  rows: readonly number[],
): Promise<Map<number, { until: Date | null; because: WaitCause | null }>> {
  const waiting = await queryRows<{ row: number; until: Date | null; because: WaitCause | null }>(db)`
    select distinct on (row) row, nullif(greatest(not_before, blocked_until), '-infinity') as until,
      case when blocked_until is not null then blocked_because when not_before is not null then 'retry' end as because
    from (
      select product_lacks.row, case when lookups.not_before > now() then lookups.not_before end as not_before,
        case when sources.blocked_until > now() then sources.blocked_until end as blocked_until, blocked_because
      from product_lacks
      join lookups on lookups.gtin = product_lacks.gtin and lookups.state in ('wanted','asking')
      join sources on sources.name = lookups.source and sources.enabled
      where import_id = ${of.import_id} and run = ${of.run} and product_lacks.row = any(${rows}::int[])
    ) waits
    order by row, greatest(not_before, blocked_until) nulls first`;
  return new Map(waiting.map(({ row, ...wait }) => [row, wait]));
}

export type SourceWait = {
  source: string;
  products: number;
  lookups: number;
  until: Date | null;
  because: WaitCause | null;
  perWindow: number;
  windowMs: number;
  perDay: number;
  now: Date;
};

/** Counts the products that wait for a look-up, by source. */
export const countWaitingProducts = (db: Db, of: RunOfRows) =>
  queryRows<SourceWait>(db)`
    select sources.name as source, count(*)::int as products, count(distinct lacking.gtin)::int as lookups,
      per_window as "perWindow", window_ms as "windowMs", per_day as "perDay", clock_timestamp() as now,
      case when blocked_until > now() then blocked_until else max(not_before) filter (where not_before > now()) end as until,
      case when blocked_until > now() then blocked_because when max(not_before) > now() then 'retry' end as because
    from (
      select gtin from product_lacks where import_id = ${of.import_id} and run = ${of.run} limit ${productsCountedMax}
    ) lacking
    cross join sources
    -- By key, whatever statistics say: those of a small import plan a join that compares each product with each look-up.
    cross join lateral (
      select not_before from lookups
      where gtin = lacking.gtin and source = sources.name and state in ('wanted','asking') offset 0
    ) lookups
    where sources.enabled
    group by sources.name order by position`;

/** The maximum number of products to count, because every poll of an import's screen reads these counts. */
export const productsCountedMax = 10_000;

/** The maximum number of imports whose look-ups resume at once. Older imports wait for an edit or 'Update Images'. */
const importsMax = 200;

/** Lists the newest imports with incomplete products (if `inStore`: with some that our copy of the store has). */
export const listIncompleteImports = (db: Db, { inStore }: { inStore: boolean }) =>
  queryRows<Pick<ImportRecord, 'id' | 'rows_run' | 'enable_upc' | 'total_rows'>>(db)`
    select id, rows_run, enable_upc, total_rows from import_records as imports
    where enable_upc and status <> 'cancelled' and exists (
      select 1 from product_lacks
      ${inStore ? sql`join store_products on gtins @> array[product_lacks.gtin] and shop in ${connectedShop}` : sql``}
      where import_id = imports.id and run = rows_run)
    order by created_at desc limit ${importsMax}`;

/** Queues up to 1,000 look-ups at a source for incomplete products of an import. Returns the number of look-ups. */
export async function queueMissingLookups(
  db: Db,
  { importId, source }: { importId: string; source: string },
): Promise<number> {
  return changeRows(db)`
    insert into lookups (gtin, source, state)
    select distinct product_lacks.gtin, ${source}, 'wanted' from product_lacks
    join imports on imports.id = product_lacks.import_id and imports.rows_run = product_lacks.run
    where imports.id = ${importId} and not exists (
      select 1 from lookups where lookups.gtin = product_lacks.gtin and lookups.source = ${source}
        and not (state = 'covered' or coalesce(expires_at <= now(), false)))
    order by 1 limit 1000
    on conflict (gtin, source) do update set state = 'wanted', attempts = 0, not_before = null, error = null`;
}
