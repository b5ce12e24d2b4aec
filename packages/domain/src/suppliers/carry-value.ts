import { type CanonicalField, fieldSpecs, type RowValues } from '../base/canonical-fields.ts';
import { plainText, plainValue } from './plain-value.ts';

/** A cell in a form for comparing lists. Units and currencies also count alone. */
export const comparedText = (values: RowValues, field: CanonicalField): string =>
  plainValue(values, field) || plainText(values[field]);

/** `saidOf`: the supplier's cell then. `isFinal`: set after a recipe for the field was ordered. */
export type ValueToCarry = { field: string; value: string; saidOf: string | null; isFinal: boolean };

/** settled: the supplier has the value now; edit: the cell gets it; decide: and the supplier's is proposed. */
export type Carried = 'settled' | 'edit' | 'decide';

/** Decides a carried value's effect on a row, by the row's values in the file. */
export function carryValue({ field, value, saidOf, isFinal }: ValueToCarry, values: RowValues): Carried {
  if (!isCanonical(field)) return 'edit';
  const now = comparedText(values, field);
  // A cleared cell is sent as empty, an empty cell of the file is not.
  if (value !== '' && now === comparedText({ ...values, [field]: value }, field))
    return isFinal ? 'edit' : 'settled';
  return now === '' || now === saidOf ? 'edit' : 'decide';
}

/** `leaveOut` has no cell. */
const isCanonical = (field: string): field is CanonicalField => Object.hasOwn(fieldSpecs, field);
