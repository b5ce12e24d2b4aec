import { optionsField, type ValueField } from '@draftshelf/domain/base/field-value';
import { entriesOf } from '@draftshelf/domain/base/text-list';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryFreshRows } from '../../connection/planner.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { matchesFilter, type RowFilter } from './row-filter.ts';
import { shownRows, shownValue, toShownRun } from './row-sql.ts';

export type ValuesQuery = RowFilter & { field: ValueField };

/** Maximum number of rows to read. Each row may have a different value, and all values are held in memory. */
const readRowsMax = 100_000;

/**
 * Counts the values of a field in the first 100,000 matching rows, except ignored rows. `counts`: rows by value, or by
 * entry for lists and options. `rows`: the number of rows read. `empty`: the number of rows without a value.
 */
export async function readFieldValues(db: Db, record: ImportRecord, { field, ...filter }: ValuesQuery) {
  const of = toShownRun(record);
  const counted = await queryFreshRows<{ value: string | string[] | null; rows: number }>(db)`
    select value, count(*)::int as rows from (
      select rows.row, ${field === optionsField ? sql`options` : shownValue(of, field)} as value
      from ${shownRows(of, [field])}
      where ${matchesFilter(of, filter)} and rows.ignored is null order by rows.row limit ${readRowsMax + 1}
    ) read group by value order by min(row)`;
  const found = { counts: new Map<string, number>(), rows: 0, empty: 0 };
  for (const { value, rows } of counted) {
    const entries = Array.isArray(value) ? value : entriesOf(field, value ?? '');
    found.rows += rows;
    if (entries.length === 0) found.empty += rows;
    for (const entry of entries) found.counts.set(entry, (found.counts.get(entry) ?? 0) + rows);
  }
  return { ...found, isAll: found.rows <= readRowsMax };
}
