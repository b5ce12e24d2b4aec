import { type CanonicalField, canonicalFields, fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import { optionsField } from '@draftshelf/domain/base/field-value';
import { certainFrom } from '@draftshelf/domain/reading/mapping/certainty';
import { countOf, formatCount } from '../../../lib/intl.ts';
import type { DraftColumn } from './mapping-draft.ts';

/** A field's name on screens. A newer server may send fields that this page does not know. */
export function fieldLabel(field: string): string {
  if (field === optionsField) return 'Options';
  return (fieldSpecs as Partial<Record<string, { label: string }>>)[field]?.label ?? field;
}

export const isRequired = (field: CanonicalField): boolean => fieldSpecs[field].required;

/** The required fields that no column is read into. */
export function missingFields(isRead: (field: CanonicalField) => boolean): CanonicalField[] {
  return canonicalFields.filter((field) => fieldSpecs[field].required && !isRead(field));
}

/** From this confidence on, 95 % of titles and prices are right (npm run bench:mapping prints a table). */
const likelyFrom = 0.6;

/** The certainty of a column's field, in a word. */
export function sureness({
  isChanged,
  setBy,
  confidence,
}: Pick<DraftColumn, 'isChanged' | 'setBy' | 'confidence'>) {
  if (isChanged || setBy === 'operator') return 'Set by you';
  if (setBy === 'memory') return 'Remembered';
  if (confidence >= certainFrom) return 'Certain';
  return confidence >= likelyFrom ? 'Likely' : 'Guess';
}

/** '24 unmapped columns are kept with each row.' */
export function unmappedWords(columns: number): string {
  return columns === 1
    ? '1 unmapped column is kept with each row.'
    : `${formatCount(columns)} unmapped columns are kept with each row.`;
}

/** 'Dealer → Price, Colour → no field': what was set, by column. */
export function setWords(columns: Readonly<Record<string, string | null>>): string {
  return Object.entries(columns)
    .map(([header, field]) => `${header} → ${field === null ? 'no field' : fieldLabel(field)}`)
    .join(', ');
}

/** 'Price has no column.' */
export const noColumnWords = (field: CanonicalField): string => `${fieldLabel(field)} has no column.`;

/** '2 columns set by you. 1 column remembered from prices-may.csv.'; empty if nothing was set. */
export function mappingSetWords(set: { byOperator: number; byMemory: number; from: string | null }): string {
  const parts: string[] = [];
  if (set.byOperator > 0) parts.push(`${countOf(set.byOperator, 'column')} set by you.`);
  if (set.byMemory > 0) {
    parts.push(`${countOf(set.byMemory, 'column')} remembered from ${set.from ?? 'an earlier file'}.`);
  }
  return parts.join(' ');
}
