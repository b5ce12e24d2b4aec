import { type CanonicalField, fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import { fieldChoices } from '@draftshelf/domain/base/field-choices';
import { optionsField, type ValueField, valueFields } from '@draftshelf/domain/base/field-value';
import { numberFields } from '@draftshelf/domain/review/operations/operation';
import { fieldLabel } from '../mapping/mapping-words.ts';

/** A field, or the rows themselves, which can be left out of the push. */
export type LineField = ValueField | 'rows';

const numbers: readonly string[] = numberFields;
const moneyFields = ['price', 'compareAtPrice', 'cost'] as const satisfies readonly CanonicalField[];
const money: readonly string[] = moneyFields;

const isRows = (field: LineField) => field === 'rows';
const isOptions = (field: LineField) => field === optionsField;
const isAny = (field: LineField) => !isRows(field) && !isOptions(field);
const hasChoices = (field: LineField) => Object.hasOwn(fieldChoices, field);
const isNumber = (field: LineField) => numbers.includes(field);
const isMoney = (field: LineField) => money.includes(field);
const isTyped = (field: LineField) => isAny(field) && !hasChoices(field);
const isText = (field: LineField) => isTyped(field) && !isNumber(field);

/** In the order of the list. */
const kinds = {
  set: { label: 'Set to', isFor: isAny },
  clear: { label: 'Clear', isFor: isAny },
  multiply: { label: 'Multiply by', isFor: isNumber },
  divide: { label: 'Divide by', isFor: isNumber },
  add: { label: 'Add', isFor: isNumber },
  subtract: { label: 'Subtract', isFor: isNumber },
  percent: { label: 'Change by percent', isFor: isNumber },
  'percent-of': { label: 'Set to percent of', isFor: isMoney },
  margin: { label: 'Set by margin on cost', isFor: (field: LineField) => field === 'price' },
  round: { label: 'Round', isFor: isNumber },
  'add-tags': { label: 'Add tags', isFor: (field: LineField) => field === 'tags' },
  'remove-tags': { label: 'Remove tags', isFor: (field: LineField) => field === 'tags' },
  replace: { label: 'Find and replace', isFor: isTyped },
  map: { label: 'Replace values', isFor: (field: LineField) => isTyped(field) || isOptions(field) },
  prefix: { label: 'Add text before', isFor: isText },
  suffix: { label: 'Add text after', isFor: isText },
  trim: { label: 'Remove extra spaces', isFor: isTyped },
  case: { label: 'Change case', isFor: isText },
  cut: { label: 'Shorten', isFor: isText },
  'copy-field': { label: 'Copy from a field', isFor: isAny },
  'copy-column': { label: 'Copy from a column', isFor: isAny },
  'fill-down': { label: 'Fill empty cells from above', isFor: isAny },
  'leave-out': { label: 'Leave out of the push', isFor: isRows },
  'put-back': { label: 'Put back into the push', isFor: isRows },
} as const satisfies Record<string, { label: string; isFor: (field: LineField) => boolean }>;

export type Kind = keyof typeof kinds;

export function kindOptions(field: LineField): { value: Kind; label: string }[] {
  const all = Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][];
  return all.flatMap(([value, { label, isFor }]) => (isFor(field) ? [{ value, label }] : []));
}

export const isOffered = (kind: Kind, field: LineField): boolean => kinds[kind].isFor(field);

/** The rows themselves come last. */
export const fieldOptions: { value: LineField; label: string }[] = [
  ...valueFields.map((field) => ({ value: field, label: fieldLabel(field) })),
  { value: 'rows', label: 'Whole rows' },
];

export const sourceOptions = (field: LineField) =>
  fieldOptions.filter(({ value }) => value !== field && isAny(value));

export const amountOptions = (field: LineField) =>
  moneyFields
    .filter((other) => other !== field)
    .map((other) => ({ value: other as string, label: fieldSpecs[other].label }));

/** Null: any text. */
export function choicesOf(field: LineField): readonly string[] | null {
  return hasChoices(field) ? fieldChoices[field as keyof typeof fieldChoices] : null;
}
