import { type ChoiceAbout, choiceAbouts, choicesAbout, type PushChoice } from './push-choices.ts';

/**
 * How many products of a plan have a decision: those that wait for it under `drifted`, or under `blocked?skip` if they
 * allow only some of its choices; those that have a choice under `drifted:use-ours`.
 */
export type DecisionCounts = Record<string, number>;

/** What is to be decided about a product, the choices that it allows, and the one that was made. */
type Decision = { about: ChoiceAbout; choices: readonly PushChoice[]; choice: PushChoice | null };

/** The key of a product's decision in the counts of a plan. */
export function decisionKey({ about, choices, choice }: Decision): string {
  if (choice !== null) return `${about}:${choice}`;
  return choices.length === choicesAbout[about].length ? about : `${about}?${choices.join(',')}`;
}

/** Products with the same decision: those that wait for it, and for each choice those that allow it or have it. */
export type CountedDecision = {
  about: ChoiceAbout;
  open: number;
  choices: { choice: PushChoice; allowed: number; decided: number }[];
};

/** The decisions of a plan that products wait for or have. */
export function decisionsOf(counts: DecisionCounts): CountedDecision[] {
  return choiceAbouts.flatMap((about) => {
    const waiting = Object.entries(counts).filter(([key]) => key === about || key.startsWith(`${about}?`));
    const allowing = (choice: PushChoice) =>
      waiting.filter(
        ([key]) =>
          key === about ||
          key
            .slice(about.length + 1)
            .split(',')
            .includes(choice),
      );
    const choices = choicesAbout[about].map((choice) => ({
      choice,
      allowed: sum(allowing(choice).map(([, products]) => products)),
      decided: counts[`${about}:${choice}`] ?? 0,
    }));
    const open = sum(waiting.map(([, products]) => products));
    return open > 0 || choices.some(({ decided }) => decided > 0) ? [{ about, open, choices }] : [];
  });
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
