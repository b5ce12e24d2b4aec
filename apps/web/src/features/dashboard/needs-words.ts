import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath, needsYouPath, queueStatusPath } from '../../lib/paths.ts';

type Status = { status: string };

/** Statuses in the order in which they need the operator. Others come last. */
const byNeed = ['queued', 'error', 'uploading', 'processing', 'processed', 'paused', 'completed'];

/** Sorts imports that need the operator first; within a status the order stays. */
export function orderByNeed<I extends Status>(imports: readonly I[]): I[] {
  const rank = ({ status }: Status) => (byNeed.indexOf(status) + byNeed.length + 1) % (byNeed.length + 1);
  return imports.toSorted((a, b) => rank(a) - rank(b));
}

/** How many imports are still in the queue: completed ones are listed for a while, but have left it. */
export const countWaiting = (imports: readonly Status[]): number =>
  imports.filter(({ status }) => status !== 'completed').length;

/** Some of what waits for the operator, and the screen that shows exactly that. */
export type Need = { words: string; path: string };

/** '2 imports need your review' and '1 is ready for Shopify'; empty if nothing waits for the operator. */
export function needsOf(imports: readonly (Status & { id: string })[]): Need[] {
  const [queued, ready] = ['queued', 'processed'].map((status) =>
    imports.filter((record) => record.status === status),
  );
  const needs: Need[] = [];
  const [review, push] = [queued?.length ?? 0, ready?.length ?? 0];
  if (queued?.[0]) {
    const words = `${countOf(review, 'import')} ${review === 1 ? 'needs' : 'need'} your review`;
    needs.push({ words, path: review === 1 ? needsYouPath(queued[0].id) : queueStatusPath('queued') });
  }
  if (ready?.[0]) {
    const count = review === 0 ? countOf(push, 'import') : formatCount(push);
    const words = `${count} ${push === 1 ? 'is' : 'are'} ready for Shopify`;
    needs.push({ words, path: push === 1 ? importPath(ready[0].id) : queueStatusPath('processed') });
  }
  return needs;
}
