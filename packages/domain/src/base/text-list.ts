import type { CanonicalField } from './canonical-fields.ts';

/** Fields whose values are lists. Their entries are counted, found and changed one by one. */
const listFields: ReadonlySet<string> = new Set<CanonicalField>(['tags', 'collections']);

export const isListField = (field: string): boolean => listFields.has(field);

/** The separators of entries, for use in a character class of a regular expression. */
export const entrySeparators = ',;|\n';

const separator = new RegExp(`[${entrySeparators}]`);

/** Returns the tags or collections in a cell, without duplicates. */
export function splitEntries(text: string | undefined): string[] {
  const seen = new Map<string, string>();
  for (const part of (text ?? '').split(separator)) {
    const value = part.trim();
    const folded = value.toLowerCase();
    if (value !== '' && !seen.has(folded)) seen.set(folded, value);
  }
  return [...seen.values()];
}

/** Returns the entries of a string constant such as 'n/a|none'. Line breaks also separate entries. */
export const toEntrySet = (text: string): ReadonlySet<string> => new Set(splitEntries(text));

/** Returns the entries of a list field's value, or the value of another field as the only entry. [] for ''. */
export const entriesOf = (field: string, value: string): string[] => {
  if (isListField(field)) return splitEntries(value);
  return value === '' ? [] : [value];
};
