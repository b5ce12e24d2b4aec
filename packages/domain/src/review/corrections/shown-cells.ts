import type { CanonicalField, RowValues } from '../../base/canonical-fields.ts';
import { parseMoney, replaceAmount } from '../../base/money.ts';
import type { HeaderMapping } from '../../reading/mapping/header-mapping.ts';
import { multiValueFields } from '../../reading/planned-fields.ts';
import { cleanCellValue } from '../../reading/row-values.ts';

/** A column of a corrections file. `at`: its index in the import's file, or null if the import's file lacks it. */
export type CorrectionColumn = { name: string; at: number | null; field: CanonicalField | null };

type ShownRow = {
  cells: readonly string[];
  values: RowValues;
  sources: Partial<Record<CanonicalField, 'edit' | 'found'>>;
};

/** Returns a row's cell for a corrections file. An edited or found value is shown in the field's first column. */
export function toCorrectionCell(
  { cells, values, sources }: ShownRow,
  column: CorrectionColumn,
  mapping: HeaderMapping,
) {
  const { at, field } = column;
  if (at === null) return (field && values[field]) ?? '';
  const cell = cells[at] ?? '';
  if (field === null || sources[field] === undefined) return cell;
  const value = values[field] ?? '';
  if (mapping.sources[field]?.[0] === at)
    return mapping.decimalComma?.includes(at) ? withComma(value) : value;
  return value === '' || multiValueFields.has(field) ? '' : cell;
}

function withComma(value: string): string {
  const amount = parseMoney(value)?.amount;
  return amount?.includes('.') ? replaceAmount(value, amount.replace('.', ',')) : value;
}

/** Returns the value of a field from its cells, each of which is read as a cell of that field. */
export function readCorrectedValue(field: CanonicalField, cells: readonly string[]): string {
  const values = cells.map((cell) => cleanCellValue(cell, field)).filter((value) => value !== '');
  return (multiValueFields.has(field) ? values.join('\n') : values[0]) ?? '';
}
