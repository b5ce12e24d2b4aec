import type { FirstSteps } from '@draftshelf/contract/operate/dashboard';
import { countOf } from '../../lib/intl.ts';
import { connectionsPath, importPath, needsYouPath, queuePath } from '../../lib/paths.ts';

/** `path` is null while an earlier step has to be done first. */
export type Step = { words: string; done: boolean; path: string | null };

type Progress = {
  steps: FirstSteps;
  seenStore: boolean;
  /** A store that is not simulated is connected. */
  hasOwnStore: boolean;
};

/** A store of one's own counts as seen, because connecting it needs a look. */
export function stepsOf({
  steps: { uploaded, fixed, pushed, waiting },
  seenStore,
  hasOwnStore,
}: Progress): Step[] {
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
      path: waiting === null ? waits : hasNothing ? null : needsYouPath(waiting.id),
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

/** A push without fixes left the problems out, if there were any. */
const fixWords = (fixed: boolean, pushed: boolean) =>
  pushed && !fixed ? 'Fix problems, or leave them out' : 'Fix problems';
