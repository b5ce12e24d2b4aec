import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { countOf, formatCount } from '../../lib/intl.ts';
import {
  importPath,
  needsYouPath,
  queueStatusPath,
  sourceProposalsPath,
  suppliersPath,
} from '../../lib/paths.ts';
import type { ShownCurrent } from '../import/index.ts';

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

type Waiting = Status & Pick<ShownCurrent, 'id' | 'filename' | 'pricesToDecide'>;

/**
 * '2 imports need your review', '1 is ready for Shopify' and 'april.csv: 31 of your prices to decide'; empty if nothing
 * waits for the operator.
 */
export function needsOf(imports: readonly Waiting[]): Need[] {
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
  const [first, ...others] = imports.filter(({ pricesToDecide }) => pricesToDecide > 0);
  if (first && others.length === 0) {
    const words = `${first.filename}: ${formatCount(first.pricesToDecide)} of your prices to decide`;
    needs.push({ words, path: sourceProposalsPath(first.id, supplierSource) });
  } else if (first) {
    needs.push({
      words: `${countOf(others.length + 1, 'import')} with prices to decide`,
      path: suppliersPath,
    });
  }
  return needs;
}
