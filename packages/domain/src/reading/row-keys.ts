import {
  type CanonicalField,
  canonicalFields,
  fieldSpecs,
  type RowValues,
} from '../base/canonical-fields.ts';
import { columnNames } from './mapping/header-words.ts';

/** Fields that `processedData` always has, empty or not. */
const processedFields: readonly CanonicalField[] = [
  'title',
  'price',
  'compareAtPrice',
  'cost',
  'vendor',
  'upc',
  'description',
  'image',
  'type',
  'collections',
  'tags',
  'status',
  'quantity',
  'itemNumber',
];

/** Returns the key of a field in `processedData`. The key also names a field that has no column in the file. */
export function processedKeyOf(field: CanonicalField): string {
  // The first row key of the description is 'Enhanced Description', but `processedData` has 'Description'.
  if (field === 'description') return 'Description';
  return fieldSpecs[field].rowKeys[0] ?? fieldSpecs[field].label;
}

/**
 * Returns a function that names the cells of a record: the column names, then 'Column N' beyond the header. Names are
 * built once, because building them for each of 1,000 records of 2,000 cells took a second.
 */
export function createCellNamer(headers: readonly string[]): (cells: number) => readonly string[] {
  let names = columnNames(headers);
  return (cells) => {
    const beyond = Array.from({ length: cells - headers.length }, () => '');
    if (cells > names.length) names = columnNames([...headers, ...beyond]);
    return names.slice(0, Math.max(cells, headers.length));
  };
}

/** Returns a row of `processedData`: values by row key. Fields outside `processedFields` appear only with a value. */
export function toProcessedRow(values: RowValues): Record<string, string> {
  const further = canonicalFields.filter((field) => !processedFields.includes(field) && values[field]);
  return Object.fromEntries(
    [...processedFields, ...further].map((field) => [processedKeyOf(field), values[field] ?? '']),
  );
}
