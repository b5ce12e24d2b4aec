import { type CanonicalField, canonicalFields } from './canonical-fields.ts';

/** A value that rows are filtered by; '' for rows without one. */
export type FieldValue = { field: CanonicalField; value: string };

/** A filter by value as one text: 'vendor:Nike'. */
export const fieldValueText = ({ field, value }: FieldValue): string => `${field}:${value}`;

/** The filter of a text; null if it names no field. */
export function parseFieldValue(text: string): FieldValue | null {
  const at = text.indexOf(':');
  const field = canonicalFields.find((name) => name === text.slice(0, at));
  return field === undefined ? null : { field, value: text.slice(at + 1) };
}
