import { type CanonicalField, fieldSpecs, type RowValues } from '../base/canonical-fields.ts';
import { plainText, plainValue } from './plain-value.ts';

/**
 * What the supplier's cell says, in a form in which cells of two lists are compared. A unit or a currency counts by
 * itself, also if it is a part of an amount's plain value.
 */
export const comparedText = (values: RowValues, field: CanonicalField): string =>
  plainValue(values, field) || plainText(values[field]);

/**
 * A value that the operator has given a field. `saidOf`: what the supplier's cell said then. `isFinal`: it was set
 * after a recipe for the field was ordered, which would change the supplier's value.
 */
export type ValueToCarry = { field: string; value: string; saidOf: string | null; isFinal: boolean };

/**
 * What a carried value does to a row of the next list. settled: the supplier says the same now, so nothing; edit: it
 * is the cell's value; decide: it is, and the supplier's new value is proposed.
 */
export type Carried = 'settled' | 'edit' | 'decide';

/** Decides what a carried value does to a row, by the row's values as the file says them. */
export function carryValue({ field, value, saidOf, isFinal }: ValueToCarry, values: RowValues): Carried {
  if (!isCanonical(field)) return 'edit';
  const now = comparedText(values, field);
  // A cleared cell is sent as empty, an empty cell of the file is not.
  if (value !== '' && now === comparedText({ ...values, [field]: value }, field))
    return isFinal ? 'edit' : 'settled';
  return now === '' || now === saidOf ? 'edit' : 'decide';
}

/** Whether a row is left out has no cell. */
const isCanonical = (field: string): field is CanonicalField => Object.hasOwn(fieldSpecs, field);
