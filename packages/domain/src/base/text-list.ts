import type { CanonicalField } from './canonical-fields.ts';

/** Fields whose values are lists. Their entries are counted, found and changed one by one. */
const listFields: ReadonlySet<string> = new Set<CanonicalField>(['tags', 'collections']);

export const isListField = (field: string): boolean => listFields.has(field);

/** Characters that end an entry, for a class of a regular expression. */
export const listSeparators = ',;|\n';

const separator = new RegExp(`[${listSeparators}]`);

/** Returns the tags or collections in a cell, without duplicates. */
export function listOf(text: string | undefined): string[] {
  const seen = new Map<string, string>();
  for (const part of (text ?? '').split(separator)) {
    const value = part.trim();
    const folded = value.toLowerCase();
    if (value !== '' && !seen.has(folded)) seen.set(folded, value);
  }
  return [...seen.values()];
}

/** Returns the entries of a list in source code, which are separated by '|' or line breaks. */
export const listSet = (text: string): ReadonlySet<string> => new Set(listOf(text));

/** Returns the entries of a field's value that are counted: those of a list, else the value itself. None for ''. */
export const entriesOf = (field: string, value: string): string[] => {
  if (isListField(field)) return listOf(value);
  return value === '' ? [] : [value];
};
