import type { CanonicalField, RowValues } from '../base/canonical-fields.ts';
import type { HeaderMapping } from './mapping/header-mapping.ts';
import { findValueColumn, readRowValues } from './row-values.ts';

/**
 * Returns cells from which `readRowValues` reads these values and the option names of the mapping. `left` has the
 * values that no cell can hold: no column has the field, or the cell would be read as another amount or also as
 * another field. `columns`: number of cells.
 */
export function toRecordCells(
  values: RowValues,
  mapping: HeaderMapping,
  columns: number,
): { cells: string[]; left: RowValues } {
  const cells = Array.from({ length: columns }, () => '');
  const given = Object.entries(values) as [CanonicalField, string][];
  for (const [field, value] of given) {
    const at = mapping.sources[field]?.[0];
    if (at !== undefined && cells[at] === '') cells[at] = cellFor(value, field, at, mapping);
  }
  for (let wrong = wrongColumn(cells, values, mapping); wrong !== undefined; ) {
    cells[wrong] = '';
    wrong = wrongColumn(cells, values, mapping);
  }
  const read = readRowValues(cells, mapping);
  const left = given.filter(([field, value]) => read[field] !== value && !isOptionName(field, mapping));
  return { cells, left: Object.fromEntries(left) };
}

/** Returns the cell that is read as the value in its column, or ''. With decimal commas, it is '1,250' for '1.250'. */
function cellFor(value: string, field: CanonicalField, at: number, mapping: HeaderMapping): string {
  const ofColumn = { ...mapping, sources: { [field]: [at] } };
  const reads = (cell: string) => readRowValues(Object.assign([], { [at]: cell }), ofColumn)[field] === value;
  return [value, value.replace('.', ',')].find(reads) ?? '';
}

/** Finds a column from whose cell a field would get a value other than the row's. */
function wrongColumn(
  cells: readonly string[],
  values: RowValues,
  mapping: HeaderMapping,
): number | undefined {
  const read = Object.entries(readRowValues(cells, mapping)) as [CanonicalField, string][];
  const wrong = read.find(([field, value]) => values[field] !== value && !isOptionName(field, mapping));
  return wrong && findValueColumn(cells, mapping, wrong[0]);
}

/** Whether a field is an option name, which the header gives to every row. */
const isOptionName = (field: CanonicalField, { optionNames = {} }: HeaderMapping) =>
  optionNames[field] !== undefined;
