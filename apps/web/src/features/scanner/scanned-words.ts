import { formatCount } from '../../lib/intl.ts';
import type { LibraryFilters } from './scanner-address.ts';
import type { ShownScanned } from './scanner-api.ts';

/** '2 lb'; null if it was not weighed. */
export function weightWords({ value, unit }: ShownScanned['weight']): string | null {
  return value === 0 ? null : `${value} ${unit}`;
}

/** The import that has a product: 'In march.csv, row 12'. */
export function batchWords({ filename, row }: ShownScanned['batches'][number]): string {
  return row === null ? `In ${filename}` : `In ${filename}, row ${row}`;
}

/** The specification's count, and the number of matches of a search. */
export function countWords(count: string, search: string): string {
  return search === '' ? `${count} product(s) scanned` : `${count} product(s) found`;
}

/** The sentence of a library without a match. `among`: the number of products that were searched, if there are more. */
export function nothingFoundWords({ search, status }: LibraryFilters, among: number | null): string {
  const kind = status === '' ? '' : `${status} `;
  const where = among === null ? '' : ` among the ${formatCount(among)} shown`;
  return search === ''
    ? `There are no ${kind}products${where}.`
    : `No ${kind}products match “${search}”${where}.`;
}
