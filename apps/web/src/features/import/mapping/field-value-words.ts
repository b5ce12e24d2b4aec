import { optionsField, parseFieldValue } from '@draftshelf/domain/base/field-value';
import { fieldLabel } from './mapping-words.ts';

/** A filter by value in words: 'Brand: Nike', 'Brand: empty', 'Size: S'. */
export function fieldValueWords(text: string): string {
  const named = parseFieldValue(text);
  if (named === null) return text;
  // The value of an option names it.
  if (named.field === optionsField && named.value !== '') return named.value;
  return `${fieldLabel(named.field)}: ${named.value || 'empty'}`;
}
