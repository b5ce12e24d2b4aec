import type { CanonicalField } from '@draftshelf/domain/canonical-fields';
import type { HeaderMapping } from '@draftshelf/domain/mapping/header-mapping';
import { readRowValues } from '@draftshelf/domain/row-values';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type RunOfRows, readParseRun } from '../../chunks/runs.ts';
import type { Db } from '../../connection/database.ts';
import { overlayOf } from '../effective-rows.ts';
import { hasNul } from '../stored-cells.ts';

/** Reads the effective values of one field ('': none) in some rows, without the ignored ones. */
export type ReadField = (which: RawBuilder<SqlBool>) => Promise<{ row: number; value: string }[]>;

/** Returns a function that reads a field of the rows of a run, and no more of their cells than it needs. */
export async function fieldReader(db: Db, of: RunOfRows, field: CanonicalField): Promise<ReadField> {
  const mapping = mappingOf((await readParseRun(db, of)).mapping, field);
  const columns = [...new Set(Object.values(mapping.sources).flat())];
  return async (which) => {
    const { rows } = await sql<{ row: number; byte_from: number; cells: (string | null)[] }>`
      select row, byte_from, ${cellsOf(columns)} as cells from rows
      where import_id = ${of.import_id} and run = ${of.run} and ignored is null and ${which}`.execute(db);
    const overlay = await overlayOf(db, of, rows);
    return rows.map((row) => {
      const cells: string[] = [];
      for (const [at, column] of columns.entries()) cells[column] = row.cells[at] ?? '';
      return { row: row.row, value: overlay(row, readRowValues(cells, mapping)).values[field] ?? '' };
    });
  };
}

/** The columns that a field's value depends on. A unit is that of a weight. */
function mappingOf(mapping: HeaderMapping, field: CanonicalField): HeaderMapping {
  const fields: CanonicalField[] = field === 'weightUnit' ? ['weight', 'weightUnit'] : [field];
  const sources = Object.fromEntries(fields.map((one) => [one, mapping.sources[one] ?? []]));
  return { ...mapping, sources };
}

/** Some cells of a row, none of which can be read if one contains NUL. */
function cellsOf(columns: readonly number[]): RawBuilder<string[]> {
  if (columns.length === 0) return sql`array[]::text[]`;
  const cells = columns.map((column) => sql`cells ->> ${sql.lit(column)}`);
  return sql`case when ${hasNul} then array[]::text[] else array[${sql.join(cells)}] end`;
}
