import { canonicalFields, isRowField, type RowField } from './canonical-fields.ts';

/**
 * The values of all options as one field, whichever of its options a product has in which columns: 'Size: S'. Rows are
 * filtered by it and their values counted, but no column is mapped to it.
 */
export const optionsField = 'options';

/** The category of the store that was chosen for the supplier’s own, by its name. */
export const storeCategoryField = 'storeCategory';

/** Fields by which rows are filtered and counted. */
export type ValueField = RowField | typeof optionsField | typeof storeCategoryField;
/** Fields with values of rows, except metafields. */
export const valueFields = [...canonicalFields, optionsField] as const;

export const isValueField = (text: unknown): text is ValueField =>
  text === optionsField || text === storeCategoryField || isRowField(text);

/** A value that rows are filtered by; '' for rows without one. */
export type FieldValue = { field: ValueField; value: string };

/** A filter by value as one text: 'vendor:Nike'. */
export const fieldValueText = ({ field, value }: FieldValue): string => `${field}:${value}`;

/** The filter of a text; null if it names no field. */
export function parseFieldValue(text: string): FieldValue | null {
  const at = text.indexOf(':', text.startsWith('m:') ? 'm:'.length : 0);
  const field = text.slice(0, Math.max(at, 0));
  return isValueField(field) ? { field, value: text.slice(at + 1) } : null;
}
