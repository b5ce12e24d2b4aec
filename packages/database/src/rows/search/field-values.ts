import type { CanonicalField } from '@draftshelf/domain/canonical-fields';
import type { HeaderMapping } from '@draftshelf/domain/mapping/header-mapping';
import { readRowValues } from '@draftshelf/domain/row-values';
import { type RawBuilder, sql } from 'kysely';
import { currentRows, type RunOfRows, readParseRun } from '../../chunks/runs.ts';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../schema.ts';
import { overlayOf } from '../effective-rows.ts';
import { hasNul } from '../stored-cells.ts';
import type { RowFilter } from './row-filter.ts';
import { findMatching } from './row-page.ts';

export type FieldValues = {
  /** Rows by value. */
  counts: Map<string, number>;
  /** The rows that were read, and those of them without a value. */
  rows: number;
  empty: number;
  /** Whether these are all rows that match. */
  isAll: boolean;
};

export type ValuesQuery = RowFilter & { field: CanonicalField; q?: string | undefined };

/** The answer is of use while the operator looks at the dialog that shows it. */
const readMsMax = 300;
const readRowsMax = 100_000;
/** Rows per statement: it takes about 15 ms. */
const rowsPerRead = 2_000;

/**
 * Counts the effective values of a field in the current rows that match the query, without the ignored ones: of the
 * first 100,000, or of as many as can be read in 300 ms.
 */
export async function readFieldValues(
  db: Db,
  record: ImportRecord,
  { field, ...filter }: ValuesQuery,
): Promise<FieldValues> {
  const deadline = performance.now() + readMsMax;
  const of = currentRows(record);
  const { mapping } = await readParseRun(db, of);
  const ofField = mappingOf(mapping, field);
  const found: FieldValues = { counts: new Map(), rows: 0, empty: 0, isAll: false };
  for (let after = 0; ; ) {
    const msMax = deadline - performance.now();
    if (msMax <= 0 || found.rows >= readRowsMax) return found;
    const page = await findMatching(db, record, filter, { after, limit: rowsPerRead, msMax });
    for (const value of await readValues(db, of, page.rows, { field, mapping: ofField })) {
      found.rows += 1;
      if (value === '') found.empty += 1;
      else found.counts.set(value, (found.counts.get(value) ?? 0) + 1);
    }
    if (page.next === null) return { ...found, isAll: true };
    after = page.next;
  }
}

/** The columns that a field's value depends on. A unit is that of a weight. */
function mappingOf(mapping: HeaderMapping, field: CanonicalField): HeaderMapping {
  const fields: CanonicalField[] = field === 'weightUnit' ? ['weight', 'weightUnit'] : [field];
  const sources = Object.fromEntries(fields.map((one) => [one, mapping.sources[one] ?? []]));
  return { ...mapping, sources };
}

type ReadField = { field: CanonicalField; mapping: HeaderMapping };

async function readValues(
  db: Db,
  of: RunOfRows,
  numbers: readonly number[],
  { field, mapping }: ReadField,
): Promise<string[]> {
  if (numbers.length === 0) return [];
  const columns = [...new Set(Object.values(mapping.sources).flat())];
  const { rows } = await sql<{ row: number; byte_from: number; cells: (string | null)[] }>`
    select row, byte_from, ${cellsOf(columns)} as cells from rows
    where import_id = ${of.import_id} and run = ${of.run} and ignored is null
      and row = any(${numbers}::int[])`.execute(db);
  const overlay = await overlayOf(db, of, rows);
  return rows.map((row) => {
    const cells: string[] = [];
    for (const [at, column] of columns.entries()) cells[column] = row.cells[at] ?? '';
    return overlay(row, readRowValues(cells, mapping)).values[field] ?? '';
  });
}

/** Some cells of a row, none of which can be read if one contains NUL. */
function cellsOf(columns: readonly number[]): RawBuilder<string[]> {
  if (columns.length === 0) return sql`array[]::text[]`;
  const cells = columns.map((column) => sql`cells ->> ${sql.lit(column)}`);
  return sql`case when ${hasNul} then array[]::text[] else array[${sql.join(cells)}] end`;
}
