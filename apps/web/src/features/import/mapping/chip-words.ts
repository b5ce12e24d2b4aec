import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { fieldLabel, isRequired } from './mapping-words.ts';

/** The text of a chip, and its name for screen readers, which begins with what it belongs to. */
export type ChipWords = { text: string; name: string };

/** The chip of a file's column: the fields that are read from it. */
export function columnChipWords(header: string, fields: readonly CanonicalField[]): ChipWords {
  if (fields.length === 0) return { text: 'Not used', name: `Field of ${header}: not used` };
  const text = fields.map(fieldLabel).join(', ');
  return { text, name: `Field of ${header}: ${text}` };
}

/** The chip of a field: the column that it is read from. */
export function fieldChipWords(field: CanonicalField, header: string | null): ChipWords {
  const label = fieldLabel(field);
  if (header !== null) return { text: header, name: `Column for ${label}: ${header}` };
  if (isRequired(field)) return { text: 'Choose a column', name: `${label}: choose a column` };
  return { text: 'No column', name: `Column for ${label}: no column` };
}

/** 'Price — choose a column': the head of a required field that no column is read into. */
export const ghostWords = (field: CanonicalField): string => `${fieldLabel(field)} — choose a column`;
