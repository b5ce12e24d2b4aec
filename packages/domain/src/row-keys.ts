import { type CanonicalField, canonicalFields, fieldSpecs, type RowValues } from './canonical-fields.ts';
import { columnNames } from './header-words.ts';

/** Keys of `processedData` (decision P17) that are not the first of the field's row keys. */
const processedKeys: Partial<Record<CanonicalField, string>> = {
  description: 'Description',
};

/** Always there in `processedData`, empty or not. */
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

/** The row key a field's value stands under where the file has no column for it (decision P16). */
export function rowKeyOf(field: CanonicalField): string {
  return processedKeys[field] ?? fieldSpecs[field].rowKeys[0] ?? fieldSpecs[field].label;
}

/**
 * Names the cells of records, by their number: the columns' names, and 'Column N' for cells beyond the header. The names
 * are made once and not for each record, which took a second for 1,000 records of 2,000 cells.
 */
export function cellNamer(headers: readonly string[]): (cells: number) => readonly string[] {
  let names = columnNames(headers);
  return (cells) => {
    const beyond = Array.from({ length: cells - headers.length }, () => '');
    if (cells > names.length) names = columnNames([...headers, ...beyond]);
    return names.slice(0, Math.max(cells, headers.length));
  };
}

/** A record of `processedData`: the values by the specification's row keys; further fields only with a value. */
export function processedRow(values: RowValues): Record<string, string> {
  const further = canonicalFields.filter((field) => !processedFields.includes(field) && values[field]);
  return Object.fromEntries(
    [...processedFields, ...further].map((field) => [rowKeyOf(field), values[field] ?? '']),
  );
}
