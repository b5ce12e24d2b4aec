import { type ChoiceAbout, choiceAbouts, choicesAbout, type PushChoice } from './push-choices.ts';

/** Waiting products under `drifted`, or `blocked?skip` with some choices; decided ones under `drifted:use-ours`. */
export type DecisionCounts = Record<string, number>;

type Decision = { about: ChoiceAbout; choices: readonly PushChoice[]; choice: PushChoice | null };

export function decisionKey({ about, choices, choice }: Decision): string {
  if (choice !== null) return `${about}:${choice}`;
  return choices.length === choicesAbout[about].length ? about : `${about}?${choices.join(',')}`;
}

/** `allowed`: waiting products that allow the choice; `decided`: products that have it. */
export type CountedDecision = {
  about: ChoiceAbout;
  open: number;
  choices: { choice: PushChoice; allowed: number; decided: number }[];
};

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
