import type { RowField } from '../base/canonical-fields.ts';

/** The field of edits that leave a row out of the push ('yes') or put it back (null). No column is mapped to it. */
export const leaveOutField = 'leaveOut';

export type EditedField = RowField | typeof leaveOutField;

export const leaveOutValue = (leaveOut: boolean): 'yes' | null => (leaveOut ? 'yes' : null);
