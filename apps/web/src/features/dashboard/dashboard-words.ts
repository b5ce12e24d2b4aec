import type { FirstSteps } from '@draftshelf/contract/operate/dashboard';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { countOf, formatCount } from '../../lib/intl.ts';
import {
  connectionsPath,
  importPath,
  needsYouRowsPath,
  queuePath,
  queueStatusPath,
  sourceProposalsPath,
  suppliersPath,
  toFilterStatus,
} from '../../lib/paths.ts';
import type { ShownCurrent } from '../import/index.ts';

type Status = { status: string; isAsking?: boolean };

/** Order of statuses. Statuses that are not listed come last. */
const byNeed = ['queued', 'error', 'uploading', 'processing', 'processed', 'paused', 'completed'];

/** Sorts imports by status. Imports with open questions are sorted like queued ones. */
export function orderByNeed<I extends Status>(imports: readonly I[]): I[] {
  const rank = ({ status, isAsking }: Status) =>
    (byNeed.indexOf(isAsking ? 'queued' : status) + byNeed.length + 1) % (byNeed.length + 1);
  return imports.toSorted((a, b) => rank(a) - rank(b));
}

/** Counts imports of the queue. Completed imports are listed for a while, but are not in the queue any more. */
export const countQueueImports = (imports: readonly Status[]): number =>
  imports.filter(({ status }) => status !== 'completed').length;

export type Need = { words: string; path: string };

type Waiting = Status & Pick<ShownCurrent, 'id' | 'filename' | 'isAsking' | 'pricesToDecide'>;

/** Example: '2 imports need your review', '1 is ready for Shopify', 'april.csv: 31 of your prices to decide'. */
export function listNeeds(imports: readonly Waiting[]): Need[] {
  const needs: Need[] = [];
  const add = (of: readonly Waiting[], [is, are]: readonly [string, string], pathOf: typeof importPath) => {
    const [first, ...others] = of;
    if (first === undefined) return;
    const count = needs.length === 0 ? countOf(of.length, 'import') : formatCount(of.length);
    const isOne = others.length === 0;
    const path = isOne ? pathOf(first.id) : queueStatusPath(toFilterStatus(first.status, first.isAsking));
    needs.push({ words: `${count} ${isOne ? is : are}`, path });
  };
  const queued = imports.filter(({ status }) => status === 'queued');
  const processed = imports.filter(({ status }) => status === 'processed');
  const isReady = ({ isAsking }: Waiting) => !isAsking;
  add(queued, ['needs your review', 'need your review'], needsYouRowsPath);
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

/** `path`: null while an earlier step must be done first. */
export type FirstStep = { words: string; done: boolean; path: string | null };

type Progress = {
  steps: FirstSteps;
  seenStore: boolean;
  /** Whether a store is connected that is not simulated. */
  hasOwnStore: boolean;
};

/** Returns the first steps. Connecting the operator's own store also completes the step to look at the store. */
export function listFirstSteps({
  steps: { uploaded, fixed, pushed, waiting },
  seenStore,
  hasOwnStore,
}: Progress): FirstStep[] {
  const problems = waiting?.problems ?? 0;
  const waits = uploaded ? queuePath : null;
  const isFixed = fixed || pushed;
  const hasNothing = !isFixed && waiting !== null && problems === 0;
  const toFix = hasNothing ? 'Nothing to fix yet' : `Fix ${countOf(problems, 'problem')}`;
  const fix = isFixed || waiting === null ? fixWords(fixed, pushed) : toFix;
  return [
    { words: 'Upload a file', done: uploaded, path: '/upload' },
    {
      words: fix,
      done: isFixed,
      path: waiting === null ? waits : hasNothing ? null : needsYouRowsPath(waiting.id),
    },
    { words: 'Push', done: pushed, path: waiting === null ? waits : importPath(waiting.id) },
    {
      words: 'See it in the store',
      done: pushed && (seenStore || hasOwnStore),
      path: pushed ? '/shopify?tab=products' : null,
    },
    { words: 'Connect your store', done: hasOwnStore, path: connectionsPath },
  ];
}

/** Returns the words of the step to fix problems. A push before this step has left out the products with problems. */
const fixWords = (fixed: boolean, pushed: boolean) =>
  pushed && !fixed ? 'Fix problems, or leave them out' : 'Fix problems';
