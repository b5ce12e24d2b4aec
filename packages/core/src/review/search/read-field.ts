import type { CanonicalField, RowValues } from '@draftshelf/domain/base/canonical-fields';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { columnsBeside, readRowValues } from '@draftshelf/domain/reading/row-values';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { type RunOfRows, readParseRun } from '../../work/runs.ts';
import { overlayOf } from '../effective-rows.ts';
import { hasNul } from '../stored-cells.ts';

/** Some cells of a row, as `valuesReader` selects them. */
export type RowCells = { row: number; product: number; byte_from: number; cells: (string | null)[] };
export type SelectedRow = RowCells & { joined: boolean };
/** A row with the effective values that `valuesReader` reads, and those of its cells. */
export type ValuedRow = {
  row: number;
  product: number;
  byteFrom: number;
  values: RowValues;
  parsed: RowValues;
};

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

/**
 * Reads the effective values of some fields, from the first `cellCharsMax` characters of cells. `cells`: what to select
 * of the rows that `read` takes.
 */
export function valuesReader(
  db: Db,
  of: RunOfRows,
  mapping: HeaderMapping,
  fields: readonly CanonicalField[],
  cellCharsMax?: number,
) {
  const sources = Object.fromEntries(fields.map((field) => [field, mapping.sources[field] ?? []]));
  const columns = [...new Set([...Object.values(sources).flat(), ...columnsBeside(mapping)])];
  const ofFields = { ...mapping, sources };
  const read = async (rows: readonly RowCells[]): Promise<ValuedRow[]> => {
    const overlay = await overlayOf(db, of, rows);
    return rows.map((row) => {
      const cells: string[] = [];
      for (const [at, column] of columns.entries()) cells[column] = row.cells[at] ?? '';
      const parsed = readRowValues(cells, ofFields);
      const { values } = overlay(row, parsed);
      return { row: row.row, product: row.product, byteFrom: row.byte_from, values, parsed };
    });
  };
  return { cells: cellsOf(columns, cellCharsMax), read };
}

/** The values of some fields in rows `after + 1` … `after + rows`, in order, without the ignored ones. */
export async function readValuesOf(
  db: Db,
  of: RunOfRows,
  fields: readonly CanonicalField[],
  { after, rows, cellCharsMax }: { after: number; rows: number; cellCharsMax: number },
): Promise<ValuedRow[]> {
  const { mapping } = await readParseRun(db, of);
  const reader = valuesReader(db, of, mapping, fields, cellCharsMax);
  const which = sql<SqlBool>`row > ${after} and row <= ${after + rows}`;
  const read = await reader.read(await selectRows(db, of, reader.cells, which));
  return read.sort((a, b) => a.row - b.row);
}

/** Some cells of a row, none of which can be read if one contains NUL. */
function cellsOf(columns: readonly number[], charsMax?: number): RawBuilder<string[]> {
  if (columns.length === 0) return sql`array[]::text[]`;
  const cells = columns.map((column) => {
    const cell = sql`cells ->> ${sql.lit(column)}`;
    return charsMax === undefined ? cell : sql`left(${cell}, ${sql.lit(charsMax)})`;
  });
  return sql`case when ${hasNul} then array[]::text[] else array[${sql.join(cells)}] end`;
}
