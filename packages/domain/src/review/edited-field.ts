import type { RowField } from '../base/canonical-fields.ts';

/** The field of edits that leave a row out of the push ('yes') or put the row back (null). No column maps to it. */
export const leaveOutField = 'leaveOut';

export type EditedField = RowField | typeof leaveOutField;

export const leaveOutValue = (leaveOut: boolean): 'yes' | null => (leaveOut ? 'yes' : null);
