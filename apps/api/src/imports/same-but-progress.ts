import type { Job } from '@draftshelf/contract/imports/imports';

/** The fields of an import in a list that say how far it is, and some that say what it is. */
type ListedJob = Pick<
  Job,
  'status' | 'progress' | 'processedProducts' | 'validProducts' | 'outcomes' | 'pace'
>;

/**
 * Whether two readings of a list differ only in how far running imports are. What may need the operator is more than
 * that: another status, errors and warnings, products that were skipped or failed, a pace that stalls.
 */
export function sameButProgress(before: readonly ListedJob[], after: readonly ListedJob[]): boolean {
  if (before.length !== after.length) return false;
  return before.every((job, at) => job === after[at] || textOf(job) === textOf(after[at] as ListedJob));
}

const runningStatuses = ['processing', 'uploading'];

function textOf(job: ListedJob): string {
  if (!runningStatuses.includes(job.status)) return JSON.stringify(job);
  const { skipped, failed } = job.outcomes;
  const pace = job.pace && { ...job.pace, done: 0, perSecond: null, readyAt: null, sharedWith: 0 };
  const progress = {
    progress: 0,
    progressPercentage: 0,
    processedProducts: 0,
    validProducts: 0,
    createdProducts: 0,
  };
  return JSON.stringify({ ...job, ...progress, outcomes: { skipped, failed }, pace });
}
