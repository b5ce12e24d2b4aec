import { parseFieldValue } from '@draftshelf/domain/field-value';
import { fieldLabel } from './mapping-words.ts';

/** A filter by value in words: 'Brand: Nike', 'Brand: empty'. */
export function fieldValueWords(text: string): string {
  const named = parseFieldValue(text);
  return named === null ? text : `${fieldLabel(named.field)}: ${named.value || 'empty'}`;
}
