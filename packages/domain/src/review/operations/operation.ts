import { isRowField, moneyFields, type RowField } from '../../base/canonical-fields.ts';
import { optionsField } from '../../base/field-value.ts';
import { z } from '../../base/schema.ts';
import { isStorable, notStorableMessage } from '../../base/storable-text.ts';

const operationCharsMax = 5_000;

/** Longest text to find. Stored operations may have longer texts. */
export const findTextCharsMax = 500;

export const operationsMax = 10;

export const pastedCellsMax = 2_000;

export const mapValuesMax = 200;

const Field = z.custom<RowField>(isRowField);
const Text = z.string().max(operationCharsMax).refine(isStorable, notStorableMessage);
const SomeText = Text.min(1);
/** A decimal number as text: '1.2', '-3', '0.05'. */
const Decimal = z.string().regex(/^-?\d{1,12}(\.\d{1,6})?$/, 'Enter a number, for example 1.2.');
const Positive = Decimal.refine((text) => Number(text) > 0, 'Enter a number above 0.');

/** Fields that operations can calculate with. */
export const numberFields = [...moneyFields, 'quantity', 'weight'] as const;
const NumberField = z.enum(numberFields);
const MoneyField = z.enum(moneyFields);

const Direction = z.enum(['nearest', 'up', 'down']);

const Replacements = z
  .array(z.object({ from: SomeText, to: Text }))
  .min(1)
  .max(mapValuesMax);

/** A change of one field, or of whether rows are pushed. Operations are stored, so no kind may change its meaning. */
export const Operation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set'), field: Field, value: SomeText }),
  z.object({ kind: z.literal('clear'), field: Field }),
  /** `cells`: pairs of a row number and the row's new value; '' clears the field. Other rows keep their values. */
  z.object({
    kind: z.literal('paste'),
    field: Field,
    cells: z
      .array(z.tuple([z.number().int().min(1), Text]))
      .min(1)
      .max(pastedCellsMax),
  }),
  /** Takes the value from another field, or from a column of the file by its header. */
  z.object({
    kind: z.literal('take'),
    field: Field,
    from: z.union([z.object({ field: Field }), z.object({ column: z.string().max(1_000) })]),
  }),
  /** Gives empty cells the value of the row above. */
  z.object({ kind: z.literal('fill-down'), field: Field }),
  z.object({
    kind: z.literal('replace'),
    field: Field,
    find: SomeText.max(findTextCharsMax),
    with: Text,
    whole: z.boolean(),
    matchCase: z.boolean(),
  }),
  z.object({ kind: z.literal('prefix'), field: Field, text: SomeText }),
  z.object({ kind: z.literal('suffix'), field: Field, text: SomeText }),
  /** Removes outer spaces and reduces several inner spaces to one. */
  z.object({ kind: z.literal('trim'), field: Field }),
  z.object({ kind: z.literal('case'), field: Field, to: z.enum(['upper', 'lower', 'title']) }),
  /** Cuts a text between words. */
  z.object({ kind: z.literal('cut'), field: Field, chars: z.number().int().min(1).max(operationCharsMax) }),
  /** Replaces whole values; '' clears the field. */
  z.object({ kind: z.literal('map'), field: Field, values: Replacements }),
  /** Like `map`, but for values of an option, in whichever field a product has the option: 'Size: Sm' → 'S'. */
  z.object({ kind: z.literal('map-options'), values: Replacements }),
  z.object({
    kind: z.literal('calculate'),
    field: NumberField,
    by: z.enum(['add', 'subtract', 'multiply', 'divide', 'percent']),
    amount: Decimal,
  }),
  /** Sets a percentage of another amount: 'price = 180 % of cost'. */
  z.object({ kind: z.literal('percent-of'), field: MoneyField, of: MoneyField, percent: Positive }),
  /** Sets price = cost ÷ (1 − margin). */
  z.object({
    kind: z.literal('margin'),
    percent: Positive.refine((text) => Number(text) < 100, 'Enter a margin below 100.'),
  }),
  z.object({
    kind: z.literal('round'),
    field: NumberField,
    to: z.union([z.object({ ending: z.enum(['.99', '.95', '.00', '9']) }), z.object({ step: Positive })]),
    direction: Direction,
  }),
  z.object({ kind: z.literal('add-tags'), tags: z.array(SomeText).min(1).max(50) }),
  z.object({ kind: z.literal('remove-tags'), tags: z.array(SomeText).min(1).max(50) }),
  z.object({ kind: z.literal('leave-out'), leaveOut: z.boolean() }),
]);
export type Operation = z.infer<typeof Operation>;

/** An operation on one field, which is the same field in all products. */
export type FieldOperation = Exclude<Operation, { kind: 'map-options' }>;

export const Operations = z.array(Operation).min(1).max(operationsMax);

/** A field, or 'leaveOut' for whether the row is left out of the push. */
export type OperationField = RowField | 'leaveOut';

export function fieldOf(operation: FieldOperation): OperationField {
  if ('field' in operation) return operation.field;
  if (operation.kind === 'margin') return 'price';
  return operation.kind === 'leave-out' ? 'leaveOut' : 'tags';
}

/** Returns the field of an operation, or `optionsField` for an operation on options, which has several fields. */
export const subjectOf = (operation: Operation): OperationField | typeof optionsField =>
  operation.kind === 'map-options' ? optionsField : fieldOf(operation);
