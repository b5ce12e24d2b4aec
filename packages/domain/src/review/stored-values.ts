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

/** The places of fields, by their names: a row has few of them. */
const places = new Map<string, { other: number; sized: number }>(
  otherFields.map((field, other) => [field, { other, sized: sizedFields.indexOf(field as SizedField) }]),
);

/** The values of a row beyond its columns, as they are stored. */
export function storedValues(values: RowValues): Omit<StoredValues, 'options'> {
  let others: (string | null)[] | null = null;
  let sizes: (number | null)[] | null = null;
  for (const field in values) {
    const place = places.get(field);
    const value = values[field as keyof RowValues];
    if (place === undefined || value === undefined) continue;
    others ??= [];
    while (others.length <= place.other) others.push(null);
    others[place.other] = value;
    if (place.sized < 0) continue;
    sizes ??= sizedFields.map(() => null);
    sizes[place.sized] = sizeOf(field as SizedField, value) ?? Number.NaN;
  }
  return { others, sizes };
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
