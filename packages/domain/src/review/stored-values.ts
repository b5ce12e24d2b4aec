import { type CanonicalField, canonicalFields, type RowValues } from '../base/canonical-fields.ts';
import type { InlineField } from '../base/field-look.ts';
import { parseMoney } from '../base/money.ts';
import { readQuantity } from '../base/quantity.ts';
import { gramsPer, weightOf } from '../base/weight.ts';

/** Fields whose effective values rows store in columns of their own. */
export const columnFields = ['title', 'sku', 'vendor', 'image'] as const;
export type ColumnField = (typeof columnFields)[number];

export const isColumnField = (field: keyof RowValues): field is ColumnField =>
  (columnFields as readonly string[]).includes(field);

/** The other fields, by their places in `rows.others`. Places are stored: new fields come last. */
export const otherFields: readonly Exclude<keyof RowValues, ColumnField>[] = [
  'compareAtPieces',
  ...canonicalFields.filter((field): field is Exclude<CanonicalField, ColumnField> => !isColumnField(field)),
];

/** Fields that rows are sorted by in the order of their sizes, by their places in `rows.sizes`. */
export const sizedFields = [
  'price',
  'compareAtPrice',
  'cost',
  'quantity',
  'weight',
] as const satisfies readonly InlineField[];
type SizedField = (typeof sizedFields)[number];

/** Effective values as rows store them beside the columns of `columnFields`; null: none. */
export type StoredValues = {
  /** In the order of `otherFields`, up to the last value. */
  others: (string | null)[] | null;
  /** In the order of `sizedFields`; NaN for a text without a size. */
  sizes: (number | null)[] | null;
  /** Its options with the names that its product has for them: 'Size: S'. */
  options: string[] | null;
};

/** The values of a row in its columns, as they are stored. */
export const columnValues = (values: RowValues): Record<ColumnField, string | null> => ({
  title: values.title ?? null,
  sku: values.sku ?? null,
  vendor: values.vendor ?? null,
  image: values.image ?? null,
});

/** The values of a row beyond its columns, as they are stored. */
export function storedValues(values: RowValues): Omit<StoredValues, 'options'> {
  const others: (string | null)[] = [];
  for (let at = 0; at < otherFields.length; at += 1) {
    const value = values[otherFields[at] as keyof RowValues];
    if (value === undefined) continue;
    while (others.length < at) others.push(null);
    others.push(value);
  }
  let sizes: (number | null)[] | null = null;
  for (let at = 0; at < sizedFields.length; at += 1) {
    const field = sizedFields[at] as SizedField;
    const value = values[field];
    if (value === undefined) continue;
    sizes ??= sizedFields.map(() => null);
    sizes[at] = sizeOf(field, value) ?? Number.NaN;
  }
  return { others: others.length === 0 ? null : others, sizes };
}

/** The effective values of a row from its columns. */
export function valuesOfStored(
  row: Record<ColumnField, string | null> & Pick<StoredValues, 'others'>,
): RowValues {
  const values: RowValues = {};
  for (const field of columnFields) {
    const value = row[field];
    if (value !== null) values[field] = value;
  }
  for (const [at, value] of (row.others ?? []).entries()) {
    const field = otherFields[at];
    if (value !== null && field !== undefined) values[field] = value;
  }
  return values;
}

const plainNumber = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/;

/** The size of a value; null: it has none. A weight counts by the unit in its cell, and by its number without one. */
function sizeOf(field: SizedField, value: string): number | null {
  if (field === 'quantity') return readQuantity(value);
  if (plainNumber.test(value)) return Number(value);
  const weight = field === 'weight' ? weightOf({ weight: value, weightUnit: 'g' }) : null;
  return weight === null ? amountOf(value) : weight.value * gramsPer[weight.unit];
}

function amountOf(text: string): number | null {
  const amount = parseMoney(text)?.amount;
  return amount === undefined ? null : Number(amount);
}
