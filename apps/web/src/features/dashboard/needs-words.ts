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

/** Other statuses come last. */
const byNeed = ['queued', 'error', 'uploading', 'processing', 'processed', 'paused', 'completed'];

/** Keeps the order within a status. */
export function orderByNeed<I extends Status>(imports: readonly I[]): I[] {
  const rank = ({ status }: Status) => (byNeed.indexOf(status) + byNeed.length + 1) % (byNeed.length + 1);
  return imports.toSorted((a, b) => rank(a) - rank(b));
}

/** Completed imports are listed for a while, but have left the queue. */
export const countWaiting = (imports: readonly Status[]): number =>
  imports.filter(({ status }) => status !== 'completed').length;

export type Need = { words: string; path: string };

type Waiting = Status & Pick<ShownCurrent, 'id' | 'filename' | 'isAsking' | 'pricesToDecide'>;

/** '2 imports need your review', '1 is ready for Shopify', 'april.csv: 31 of your prices to decide'. */
export function needsOf(imports: readonly Waiting[]): Need[] {
  const needs: Need[] = [];
  const add = (of: readonly Waiting[], [is, are]: readonly [string, string], pathOf: typeof importPath) => {
    const [first, ...others] = of;
    if (first === undefined) return;
    const count = needs.length === 0 ? countOf(of.length, 'import') : formatCount(of.length);
    const isOne = others.length === 0;
    const path = isOne ? pathOf(first.id) : queueStatusPath(first.status);
    needs.push({ words: `${count} ${isOne ? is : are}`, path });
  };
  const queued = imports.filter(({ status }) => status === 'queued');
  const processed = imports.filter(({ status }) => status === 'processed');
  const isReady = ({ isAsking }: Waiting) => !isAsking;
  add(queued, ['needs your review', 'need your review'], needsYouPath);
  add(processed.filter(isReady), ['is ready for Shopify', 'are ready for Shopify'], importPath);
  add(
    processed.filter(({ isAsking }) => isAsking),
    ['has a question', 'have a question'],
    importPath,
  );
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
