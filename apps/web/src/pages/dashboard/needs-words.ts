import { countOf, formatCount } from '../../lib/intl.ts';

type Status = { status: string };

/** Statuses in the order in which they need the operator. Others come last. */
const byNeed = ['queued', 'error', 'uploading', 'processing', 'processed', 'paused', 'completed'];

/** What needs the operator comes first; within a status the order stays. */
export function orderByNeed<J extends Status>(jobs: readonly J[]): J[] {
  const rank = ({ status }: Status) => (byNeed.indexOf(status) + byNeed.length + 1) % (byNeed.length + 1);
  return jobs.toSorted((one, other) => rank(one) - rank(other));
}

/** '2 imports need your review, 1 is ready for Shopify.'; null if nothing waits for the operator. */
export function needsWords(jobs: readonly Status[]): string | null {
  const count = (status: string) => jobs.filter((job) => job.status === status).length;
  const [queued, ready] = [count('queued'), count('processed')];
  if (queued + ready === 0) return null;
  const review = `${countOf(queued, 'import')} ${queued === 1 ? 'needs' : 'need'} your review`;
  const verb = ready === 1 ? 'is' : 'are';
  if (queued === 0) return `${countOf(ready, 'import')} ${verb} ready for Shopify.`;
  return ready === 0 ? `${review}.` : `${review}, ${formatCount(ready)} ${verb} ready for Shopify.`;
}
