import { rewriteAmount } from '../../reading/column-readings.ts';
import type { HeaderMapping } from '../../reading/mapping/header-mapping.ts';
import { cleanCellValue } from '../../reading/row-values.ts';

/** Returns a function that reads a row's cell by header. If columns share the header, the first value is read. */
export function createCellReader(
  headers: readonly string[],
  mapping: Pick<HeaderMapping, 'decimalComma' | 'cents' | 'ownCurrency'>,
) {
  const indexes = Map.groupBy(headers.keys(), (index) => headers[index]);
  return (cells: readonly string[]) =>
    (header: string): string | undefined => {
      for (const index of indexes.get(header) ?? []) {
        const value = cleanCellValue(cells[index]);
        if (value !== '') return rewriteAmount(value, index, mapping);
      }
      return undefined;
    };
}
