import type { Task } from '@draftshelf/contract/imports/imports';
import { countOf, formatCount } from '../../../lib/intl.ts';

/** One line about background work: what it is, how far it is, or why it does not go on. */
export function taskWords({ label, state, done, total, waitingFor, error }: Task): string {
  if (state === 'failed') return `${label} failed: ${error ?? 'unknown cause'}`;
  if (waitingFor !== null) return `${label}: ${waitingFor}`;
  if (total === null) return `${label}: ${formatCount(done)} so far`;
  return `${label}: ${formatCount(done)} of ${countOf(total, 'row')}`;
}
