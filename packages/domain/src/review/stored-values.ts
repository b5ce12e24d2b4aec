import type { RowValues } from '../base/canonical-fields.ts';
import type { CanonicalInlineField } from '../base/field-look.ts';
import { parseMoney } from '../base/money.ts';
import { readQuantity } from '../base/quantity.ts';
import { gramsPerUnit, weightOf } from '../base/weight.ts';

/** Columns of the table `rows` with effective values, by field. The text of a price is in `price_text`, not `price`. */
export const valueColumns = {
  title: 'title',
  sku: 'sku',
  vendor: 'vendor',
  image: 'image',
  price: 'price_text',
  compareAtPieces: 'compare_at_pieces',
  upc: 'upc',
  description: 'description',
  quantity: 'quantity',
  type: 'type',
  compareAtPrice: 'compare_at_price',
  cost: 'cost',
  tags: 'tags',
  collections: 'collections',
  status: 'status',
  itemNumber: 'item_number',
  tcin: 'tcin',
  origin: 'origin',
  pointOfSale: 'point_of_sale',
  trackQuantity: 'track_quantity',
  continueSelling: 'continue_selling',
  currency: 'currency',
  weight: 'weight',
  weightUnit: 'weight_unit',
  handle: 'handle',
  parentSku: 'parent_sku',
  option1Name: 'option1_name',
  option1Value: 'option1_value',
  option2Name: 'option2_name',
  option2Value: 'option2_value',
  option3Name: 'option3_name',
  option3Value: 'option3_value',
  moreImages: 'more_images',
  dimensions: 'dimensions',
} as const satisfies Partial<Record<keyof RowValues, string>>;
type ColumnField = keyof typeof valueColumns;

/** The column for values of fields without their own column, as JSON by field: metafields, and fields added later. */
export const furtherValuesColumn = 'further_values';

/** Columns with the numbers by which rows are sorted. NaN stands for a text without a number. */
export const sizeColumns = {
  price: 'price_size',
  compareAtPrice: 'compare_at_price_size',
  cost: 'cost_size',
  quantity: 'quantity_size',
  weight: 'weight_size',
} as const satisfies Partial<Record<CanonicalInlineField, string>>;
type SizedField = keyof typeof sizeColumns;

type StoredTexts = Record<(typeof valueColumns)[keyof typeof valueColumns], string | null>;

type StoredFurther = Record<typeof furtherValuesColumn, Record<string, string> | null>;

/** Effective values, and the numbers to sort by, as rows store them. Null for no value. */
export type StoredValues = StoredTexts &
  Record<(typeof sizeColumns)[SizedField], number | null> &
  StoredFurther;

export const storedFields = Object.keys(valueColumns) as ColumnField[];

export const hasValueColumn = (field: string): field is ColumnField => Object.hasOwn(valueColumns, field);
export const sizedFields = Object.keys(sizeColumns) as SizedField[];

export function toStoredValues(values: RowValues): StoredValues {
  const stored: Partial<StoredValues> = {};
  for (const field of storedFields) stored[valueColumns[field]] = values[field] ?? null;
  for (const field of sizedFields) stored[sizeColumns[field]] = storedSize(field, values);
  stored[furtherValuesColumn] = furtherValues(values);
  return stored as StoredValues;
}

/** Returns the values of fields without a column of their own, or null if there are none. */
export function furtherValues(values: RowValues): Record<string, string> | null {
  let further: Record<string, string> | null = null;
  for (const field in values) {
    const value = values[field as keyof RowValues];
    if (value === undefined || hasValueColumn(field)) continue;
    further ??= {};
    further[field] = value;
  }
  return further;
}

/** Returns the number to sort a field by. Null if the row has no value, NaN for a text without a number. */
export function storedSize(field: SizedField, values: RowValues): number | null {
  const value = values[field];
  return value === undefined ? null : (sizeOf(field, value) ?? Number.NaN);
}

export function fromStoredValues(row: StoredTexts & Partial<StoredFurther>): RowValues {
  const values: RowValues = { ...row[furtherValuesColumn] };
  for (const field of storedFields) {
    const value = row[valueColumns[field]];
    if (value !== null) values[field] = value;
  }
  return values;
}

const plainNumber = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/;

/** Returns a value as the number to sort by. A weight with a unit is converted to grams. */
function sizeOf(field: SizedField, value: string): number | null {
  if (field === 'quantity') return readQuantity(value);
  if (plainNumber.test(value)) return Number(value);
  const weight = field === 'weight' ? weightOf({ weight: value, weightUnit: 'g' }) : null;
  if (weight !== null) return weight.value * gramsPerUnit[weight.unit];
  const amount = parseMoney(value)?.amount;
  return amount === undefined ? null : Number(amount);
}
