import type { CountedDecision } from './plan-decisions.ts';
import { choiceAbouts } from './push-choices.ts';

const outdated = 'choice-outdated';

/** Whether a product was decided, or a decision taken back, after the plan, so that its outcome is another one now. */
export function isDecidedSince({
  outcome,
  code,
  about,
  choice,
}: {
  outcome: string;
  code: string | null;
  about: string | null;
  choice: string | null;
}): boolean {
  if (about === null) return false;
  const wasAsked = outcome === 'skipped' && (code === about || code === outdated);
  return wasAsked ? choice !== null && choice !== 'skip' : choice === null;
}

/** Whether that is so for any product: others than those that still wait, or are skipped by choice, were planned so. */
export function hasDecidedSince({
  sums,
  decisions,
}: {
  sums: readonly { outcome: string; code: string | null; products: number }[];
  decisions: readonly Omit<CountedDecision, 'about'>[];
}): boolean {
  const codes: readonly (string | null)[] = [...choiceAbouts, outdated];
  const planned = sums.filter(({ outcome, code }) => outcome === 'skipped' && codes.includes(code));
  const skippedNow = decisions.flatMap(({ open, choices }) => [
    open,
    ...choices.map(({ choice, decided }) => (choice === 'skip' ? decided : 0)),
  ]);
  return sum(planned.map(({ products }) => products)) !== sum(skippedNow);
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
