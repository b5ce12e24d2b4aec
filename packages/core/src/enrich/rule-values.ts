import { ruleSource } from '@draftshelf/domain/enrich/sources';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { hasRows, queryRows } from '../connection/query-rows.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import type { RunOfRows } from '../work/runs.ts';

/** A value that rules gave to the product with this first row. */
export type RuleValue = { row: number; field: string; value: string };

export const readRuleValues = (db: Db, of: RunOfRows, rows: readonly number[]) =>
  queryRows<RuleValue>(db)`
    select row, field, value from found_values
    where import_id = ${of.import_id} and run = ${of.run} and row = any(${rows}::int[]) and source = ${ruleSource}`;

export async function removeRuleValues(
  db: Db,
  of: RunOfRows,
  values: readonly Pick<RuleValue, 'row' | 'field'>[],
): Promise<void> {
  if (values.length === 0) return;
  await sql`
    delete from found_values using ${unnestRows('gone', values, { row: 'int', field: 'text' })}
    where import_id = ${of.import_id} and run = ${of.run} and source = ${ruleSource}
      and found_values.row = gone.row and found_values.field = gone.field`.execute(db);
}

export const hasRuleProposals = (db: Db, importId: string) =>
  hasRows(db)`
    select id from proposals where import_id = ${importId} and state = 'open' and source = ${ruleSource} limit 1`;

/**
 * Removes open proposals of rules, except for the kept fields, record by record: without statistics of a fresh pass the
 * planner prefers an index on import and source, and reads all proposals of the import.
 */
export async function removeRuleProposals(
  db: Db,
  importId: string,
  records: readonly number[],
  kept: readonly { byteFrom: number; field: string }[],
): Promise<void> {
  await sql`
    delete from proposals where state = 'open' and id = any(array(
      select of_record.id from unnest(${records}::bigint[]) as record (byte_from) cross join lateral (
        select id, byte_from, field, source, state from proposals
        where import_id = ${importId} and byte_from = record.byte_from
        offset 0
      ) of_record
      where of_record.source = ${ruleSource} and of_record.state = 'open'
        and (of_record.byte_from, of_record.field) not in (
          select * from ${unnestRows('kept', kept, { byteFrom: 'bigint', field: 'text' })})))`.execute(db);
}
