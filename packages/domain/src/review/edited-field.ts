import type { CanonicalField } from '../base/canonical-fields.ts';

/** The field of edits that leave a row out of the push: 'yes', or null to put it back. No column is mapped to it. */
export const leaveOutField = 'leaveOut';

/** A field that an edit of a row can change. */
export type EditedField = CanonicalField | typeof leaveOutField;

/** The value of an edit that leaves a row out of the push, or puts it back. */
export const leaveOutValue = (leaveOut: boolean): 'yes' | null => (leaveOut ? 'yes' : null);
