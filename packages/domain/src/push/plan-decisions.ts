import { type ChoiceSubject, choiceSubjects, choicesBySubject, type PushChoice } from './push-choices.ts';

/** Products by decision: `drifted` (undecided), `drifted:use-ours`, `blocked?skip` (undecided, only `skip` allowed). */
export type DecisionCounts = Record<string, number>;

type Decision = { about: ChoiceSubject; choices: readonly PushChoice[]; choice: PushChoice | null };

export function toDecisionKey({ about, choices, choice }: Decision): string {
  if (choice !== null) return `${about}:${choice}`;
  return choices.length === choicesBySubject[about].length ? about : `${about}?${choices.join(',')}`;
}

/** `allowed`: number of undecided products that allow the choice. `decided`: number of products with the choice. */
export type CountedDecision = {
  about: ChoiceSubject;
  open: number;
  choices: { choice: PushChoice; allowed: number; decided: number }[];
};

export function countDecisions(counts: DecisionCounts): CountedDecision[] {
  return choiceSubjects.flatMap((about) => {
    const waiting = Object.entries(counts).filter(([key]) => key === about || key.startsWith(`${about}?`));
    const choices = choicesBySubject[about].map((choice) => {
      const allowing = waiting.filter(([key]) => key === about || key.split(/[?,]/).includes(choice));
      return { choice, allowed: sum(allowing), decided: counts[`${about}:${choice}`] ?? 0 };
    });
    const open = sum(waiting);
    return open > 0 || choices.some(({ decided }) => decided > 0) ? [{ about, open, choices }] : [];
  });
}

const sum = (counts: readonly [string, number][]): number =>
  counts.reduce((all, [, products]) => all + products, 0);
