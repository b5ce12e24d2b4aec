import { canonicalFields, isRowField, type RowField } from './canonical-fields.ts';

/**
 * A field with a product's option values from all option columns, such as 'Size: S'. Rows can be filtered by this
 * field, and its values are counted, but no column can be mapped to it.
 */
export const optionsField = 'options';

/** A field for filters. Its value is the store's category that was chosen for the supplier's category in the row. */
export const storeCategoryField = 'storeCategory';

/** Fields by which rows are filtered and counted. */
export type ValueField = RowField | typeof optionsField | typeof storeCategoryField;
/** Fields that rows have values for, except metafields. */
export const valueFields = [...canonicalFields, optionsField] as const;

export const isValueField = (text: unknown): text is ValueField =>
  text === optionsField || text === storeCategoryField || isRowField(text);

/** A value that rows are filtered by. '' selects rows without a value. */
export type FieldValue = { field: ValueField; value: string };

/** Returns a filter by value as text: 'vendor:Nike'. */
export const formatFieldValue = ({ field, value }: FieldValue): string => `${field}:${value}`;

/** Parses the text of a filter. Returns null if the text names no field. */
export function parseFieldValue(text: string): FieldValue | null {
  const at = text.indexOf(':', text.startsWith('m:') ? 'm:'.length : 0);
  const field = text.slice(0, Math.max(at, 0));
  return isValueField(field) ? { field, value: text.slice(at + 1) } : null;
}
