import { type CanonicalField, canonicalFields } from './canonical-fields.ts';

/**
 * The values of all options as one field, whichever of its options a product has in which columns: 'Size: S'. Rows are
 * filtered by it and their values counted, but no column is mapped to it.
 */
export const optionsField = 'options';

/** Fields by which rows are filtered and counted. */
export type ValueField = CanonicalField | typeof optionsField;
export const valueFields = [...canonicalFields, optionsField] as const;

/** A value that rows are filtered by; '' for rows without one. */
export type FieldValue = { field: ValueField; value: string };

/** A filter by value as one text: 'vendor:Nike'. */
export const fieldValueText = ({ field, value }: FieldValue): string => `${field}:${value}`;

/** The filter of a text; null if it names no field. */
export function parseFieldValue(text: string): FieldValue | null {
  const at = text.indexOf(':');
  const field = valueFields.find((name) => name === text.slice(0, at));
  return field === undefined ? null : { field, value: text.slice(at + 1) };
}
