import { type CanonicalField, fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import { fieldChoices } from '@draftshelf/domain/base/field-choices';
import { optionsField, type ValueField, valueFields } from '@draftshelf/domain/base/field-value';
import { numberFields, Operation } from '@draftshelf/domain/review/operations/operation';
import type { z } from 'zod';
import { fieldLabel } from '../mapping/mapping-words.ts';

/** A field, or 'rows' for an operation on whole rows, such as leaving them out of the push. */
export type LineField = ValueField | 'rows';

const moneyFields = ['price', 'compareAtPrice', 'cost'] as const satisfies readonly CanonicalField[];

const isRows = (field: LineField) => field === 'rows';
const isOptions = (field: LineField) => field === optionsField;
const isAny = (field: LineField) => !isRows(field) && !isOptions(field);
const hasChoices = (field: LineField) => Object.hasOwn(fieldChoices, field);
const isNumber = (field: LineField) => (numberFields as readonly string[]).includes(field);
const isMoney = (field: LineField) => (moneyFields as readonly string[]).includes(field);
const isTyped = (field: LineField) => isAny(field) && !hasChoices(field);
const isText = (field: LineField) => isTyped(field) && !isNumber(field);

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

export type LineKind = keyof typeof kinds;

export function listKindOptions(field: LineField): { value: LineKind; label: string }[] {
  const all = Object.entries(kinds) as [LineKind, (typeof kinds)[LineKind]][];
  return all.flatMap(([value, { label, isFor }]) => (isFor(field) ? [{ value, label }] : []));
}

export const isKindOffered = (kind: LineKind, field: LineField): boolean => kinds[kind].isFor(field);

/** Options of all fields, followed by whole rows. */
export const fieldOptions: { value: LineField; label: string }[] = [
  ...valueFields.map((field) => ({ value: field, label: fieldLabel(field) })),
  { value: 'rows', label: 'Whole rows' },
];

export const listSourceOptions = (field: LineField) =>
  fieldOptions.filter(({ value }) => value !== field && isAny(value));

export const listAmountOptions = (field: LineField) =>
  moneyFields
    .filter((other) => other !== field)
    .map((other) => ({ value: other as string, label: fieldSpecs[other].label }));

/** Returns the values that a field allows, or null if the field accepts any text. */
export const listAllowedValues = (field: LineField): readonly string[] | null =>
  hasChoices(field) ? fieldChoices[field as keyof typeof fieldChoices] : null;

export type PriceEnding = '.99' | '.95' | '.00' | '9';

const emptyLine = {
  field: 'price' as LineField,
  kind: 'set' as LineKind,
  value: '',
  find: '',
  with: '',
  isWhole: false,
  matchesCase: false,
  amount: '',
  of: 'cost' as CanonicalField,
  roundTo: '.99' as PriceEnding | 'step',
  step: '',
  direction: 'nearest' as 'nearest' | 'up' | 'down',
  case: 'title' as 'upper' | 'lower' | 'title',
  chars: '',
  tags: [] as string[],
  from: null as CanonicalField | null,
  column: null as string | null,
  values: [] as ReplacedValue[],
};

/** The input of a line. Inputs of other kinds of operation are kept, so that the operator can switch back. */
export type LineDraft = typeof emptyLine & { id: number };

/** A replacement for the value `from`. An empty `to` clears the value. */
export type ReplacedValue = { from: string; to: string };

export type LineInputName = keyof typeof missing;

export type LineInputsProps = {
  nth: number;
  line: LineDraft;
  headers: readonly string[];
  problemOf: (input: LineInputName) => string | undefined;
  onLeave: (input: LineInputName) => void;
  onChange: (line: LineDraft) => void;
};

type LineProblems = Partial<Record<LineInputName, string>>;

export const createLine = (id: number, entries: Partial<LineDraft> = {}): LineDraft => ({
  ...{ id, ...emptyLine },
  ...entries,
});

/** Changes a line's field. If the new field does not offer the line's kind, the field's first kind is selected. */
export function changeLineField(line: LineDraft, field: LineField): LineDraft {
  const [first] = listKindOptions(field);
  const kind = isKindOffered(line.kind, field) ? line.kind : (first?.value ?? 'set');
  const hasSource = listSourceOptions(field).some(({ value }) => value === line.from);
  const [amount] = listAmountOptions(field);
  const isOf = listAmountOptions(field).some(({ value }) => value === line.of);
  const of = isOf || amount === undefined ? line.of : (amount.value as CanonicalField);
  // Clears the value, because a choice of one field is not valid in another.
  return { ...line, field, kind, of, from: hasSource ? line.from : null, value: '' };
}

function uncheckedOf(line: LineDraft): { kind: Operation['kind'] } & Record<string, unknown> {
  const { field, kind } = line;
  switch (kind) {
    case 'set':
      return { kind, field, value: field === 'tags' ? line.tags.join(', ') : line.value.trim() };
    case 'copy-field':
      return { kind: 'take', field, from: { field: line.from } };
    case 'copy-column':
      return { kind: 'take', field, from: { column: line.column } };
    case 'replace':
      return {
        ...{ kind, field, find: line.find, with: line.with },
        ...{ whole: line.isWhole, matchCase: line.matchesCase },
      };
    case 'prefix':
    case 'suffix':
      // Not trimmed, because trailing spaces may be intended.
      return { kind, field, text: line.value };
    case 'case':
      return { kind, field, to: line.case };
    case 'cut':
      return { kind, field, chars: Number(line.chars || Number.NaN) };
    case 'map':
      return field === optionsField
        ? { kind: 'map-options', values: line.values }
        : { kind, field, values: line.values };
    case 'multiply':
    case 'divide':
    case 'add':
    case 'subtract':
    case 'percent':
      return { kind: 'calculate', field, by: kind, amount: numberOf(line.amount) };
    case 'percent-of':
      return { kind, field, of: line.of, percent: numberOf(line.amount) };
    case 'margin':
      return { kind, percent: numberOf(line.amount) };
    case 'round': {
      const to = line.roundTo === 'step' ? { step: numberOf(line.step) } : { ending: line.roundTo };
      return { kind, field, to, direction: line.direction };
    }
    case 'add-tags':
    case 'remove-tags':
      return { kind, tags: line.tags };
    case 'leave-out':
    case 'put-back':
      return { kind: 'leave-out', leaveOut: kind === 'leave-out' };
    case 'clear':
    case 'trim':
    case 'fill-down':
      return { kind, field };
  }
}

/** Normalizes a typed number: '+10' is 10, '.5' is 0.5, '1,2' is 1.2. '1,200' is ambiguous, so it stays invalid. */
function numberOf(typed: string): string {
  const text = typed.trim().replace(/^\+/, '');
  const isDecimal = /^-?\d*,\d{1,6}$/.test(text) && !/^-?[1-9]\d*,\d{3}$/.test(text);
  const point = isDecimal ? text.replace(',', '.') : text;
  return point.replace(/^(-?)\./, '$10.');
}

/** Returns the operation of a line, or null while an input is missing or invalid. */
export const toOperation = (line: LineDraft): Operation | null =>
  Operation.safeParse(uncheckedOf(line)).data ?? null;

const inputs: Record<string, LineInputName> = {
  value: 'value',
  text: 'value',
  find: 'find',
  with: 'with',
  amount: 'amount',
  percent: 'amount',
  to: 'step',
  chars: 'chars',
  tags: 'tags',
  from: 'source',
  values: 'values',
};

const missing = {
  value: 'Enter a value of at most 5,000 characters.',
  find: 'Enter the text to find.',
  with: 'Enter at most 5,000 characters.',
  amount: 'Enter a number, for example 1.2.',
  step: 'Enter a number above 0, for example 0.05.',
  chars: 'Enter a whole number from 1 to 5,000.',
  tags: 'Enter at least one tag.',
  source: 'Choose where the values come from.',
  values: 'Choose 1 to 200 values from the list below.',
};

/** Returns a sentence for each wrong input: the message of the contract's schema, if any, else a general sentence. */
export function findLineProblems(line: LineDraft): LineProblems {
  const problems: LineProblems = {};
  for (const issue of Operation.safeParse(uncheckedOf(line)).error?.issues ?? []) {
    const input = inputs[String(issue.path[0])];
    if (input !== undefined) problems[input] ??= sentenceOf(issue, input);
  }
  return problems;
}

function sentenceOf(issue: z.core.$ZodIssue, input: LineInputName): string {
  const isOwn = issue.code === 'custom' || (issue.code === 'invalid_format' && input === 'amount');
  return isOwn ? issue.message : missing[input];
}
