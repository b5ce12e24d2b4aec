import type { RowField } from '../../base/canonical-fields.ts';
import { findChoiceProblem } from '../../base/field-choices.ts';
import { isStorable, valueCharsMax } from '../../base/storable-text.ts';
import { findExceededLimits } from '../store-limits.ts';
import { findAmountProblem } from './amount.ts';
import type { UnchangedReason } from './left-reason.ts';

/** Returns why a field must not get a value, or null. '' clears the field. A value over the limit may only shrink. */
export function findValueProblem(field: RowField, value: string, before = ''): UnchangedReason | null {
  if (value === '') return null;
  if (findChoiceProblem(field, value) !== null || !isStorable(value)) return 'not-allowed';
  const problem = findAmountProblem(field, value);
  if (problem !== null) return problem;
  if (value.length > valueCharsMax) return 'too-long';
  return isOverLimit(field, value) && (value.length > before.length || !isOverLimit(field, before))
    ? 'too-long'
    : null;
}

const isOverLimit = (field: RowField, value: string): boolean =>
  findExceededLimits({ [field]: value }, field === 'title' ? value : undefined).length > 0;
