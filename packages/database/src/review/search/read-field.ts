import type { CanonicalField, RowValues } from '@draftshelf/domain/base/canonical-fields';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { overlayOf } from '../effective-rows.ts';
import { hasNul } from '../stored-cells.ts';

/** Some cells of a row, as `valuesReader` selects them. */
export type RowCells = { row: number; product: number; byte_from: number; cells: (string | null)[] };
export type SelectedRow = RowCells & { joined: boolean };
/** A row with the effective values that `valuesReader` reads. */
export type ValuedRow = { row: number; product: number; values: RowValues };

/** Some cells of the rows that meet a condition, without the ignored ones. `joined`: as in the table of rows. */
export async function selectRows(
  db: Db,
  of: RunOfRows,
  cells: RawBuilder<string[]>,
  which: RawBuilder<SqlBool>,
): Promise<SelectedRow[]> {
  const { rows } = await sql<SelectedRow>`
    select row, product, joined, byte_from, ${cells} as cells from rows
    where import_id = ${of.import_id} and run = ${of.run} and ignored is null and ${which}`.execute(db);
  return rows;
}

/** Reads the effective values of some fields. `cells`: what to select of the rows that `read` takes. */
export function valuesReader(
  db: Db,
  of: RunOfRows,
  mapping: HeaderMapping,
  fields: readonly CanonicalField[],
) {
  const sources = Object.fromEntries(fields.map((field) => [field, mapping.sources[field] ?? []]));
  const columns = [...new Set(Object.values(sources).flat())];
  const ofFields = { ...mapping, sources };
  const read = async (rows: readonly RowCells[]): Promise<ValuedRow[]> => {
    const overlay = await overlayOf(db, of, rows);
    return rows.map((row) => {
      const cells: string[] = [];
      for (const [at, column] of columns.entries()) cells[column] = row.cells[at] ?? '';
      const { values } = overlay(row, readRowValues(cells, ofFields));
      return { row: row.row, product: row.product, values };
    });
  };
  return { cells: cellsOf(columns), read };
}

/** Some cells of a row, none of which can be read if one contains NUL. */
function cellsOf(columns: readonly number[]): RawBuilder<string[]> {
  if (columns.length === 0) return sql`array[]::text[]`;
  const cells = columns.map((column) => sql`cells ->> ${sql.lit(column)}`);
  return sql`case when ${hasNul} then array[]::text[] else array[${sql.join(cells)}] end`;
}
