import { type CanonicalField, fieldSpecs, type RowValues } from '../base/canonical-fields.ts';
import { normalizeText, normalizeValue } from './plain-value.ts';

/** Returns a cell's text in a form for comparing lists. Cells of units and currencies are compared separately. */
export const toComparableText = (values: RowValues, field: CanonicalField): string =>
  normalizeValue(values, field) || normalizeText(values[field]);

/** `saidOf`: the supplier's cell when the operator set the value. `isFinal`: set after the field's first recipe. */
export type ValueToCarry = { field: string; value: string; saidOf: string | null; isFinal: boolean };

/** settled: the cell has the value already. edit: set it. decide: set it, and propose the supplier's value as well. */
export type CarryResult = 'settled' | 'edit' | 'decide';

/** Compares a carried value with the row's values in the file, and returns the value's effect on the row. */
export function carryValue({ field, value, saidOf, isFinal }: ValueToCarry, values: RowValues): CarryResult {
  if (!isCanonical(field)) return 'edit';
  const now = toComparableText(values, field);
  // An empty carried value is never settled: a cleared cell is sent as empty, but an empty cell of a file is not sent.
  if (value !== '' && now === toComparableText({ ...values, [field]: value }, field))
    return isFinal ? 'edit' : 'settled';
  return now === '' || now === saidOf ? 'edit' : 'decide';
}

/** Returns false for `leaveOut`, which has no cell. */
const isCanonical = (field: string): field is CanonicalField => Object.hasOwn(fieldSpecs, field);
