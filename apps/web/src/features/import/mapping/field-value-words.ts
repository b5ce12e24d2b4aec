import { optionsField, parseFieldValue } from '@draftshelf/domain/base/field-value';
import { fieldLabel } from './mapping-words.ts';

/** A filter by value in words: 'Brand: Nike', 'Brand: empty', 'Size: S'. */
export function fieldValueWords(text: string): string {
  const fieldValue = parseFieldValue(text);
  if (fieldValue === null) return text;
  // The value of an option names it.
  if (fieldValue.field === optionsField && fieldValue.value !== '') return fieldValue.value;
  return `${fieldLabel(fieldValue.field)}: ${fieldValue.value || 'empty'}`;
}
