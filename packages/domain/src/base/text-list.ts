import type { CanonicalField } from './canonical-fields.ts';

/** Fields whose values are lists. They are counted, found and changed entry by entry. */
const listFields: ReadonlySet<string> = new Set<CanonicalField>(['tags', 'collections']);

export const isListField = (field: string): boolean => listFields.has(field);

/** Characters that end an entry, for a class of a regular expression. */
export const listSeparators = ',;|\n';

const separator = new RegExp(`[${listSeparators}]`);

/** The tags or collections in a cell, without duplicates. */
export function listOf(text: string | undefined): string[] {
  const seen = new Map<string, string>();
  for (const part of (text ?? '').split(separator)) {
    const value = part.trim();
    const folded = value.toLowerCase();
    if (value !== '' && !seen.has(folded)) seen.set(folded, value);
  }
  return [...seen.values()];
}

/** The entries of a list as it is written in the source, with '|' or line breaks between them. */
export const listSet = (text: string): ReadonlySet<string> => new Set(listOf(text));

/** The counted entries of a field's value: those of a list, else the value itself; none of ''. */
export const entriesOf = (field: string, value: string): string[] => {
  if (isListField(field)) return listOf(value);
  return value === '' ? [] : [value];
};
