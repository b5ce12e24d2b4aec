import type { Plan } from '@draftshelf/contract/push/plan';
import {
  capitalized,
  codeLabel,
  codesOf,
  countOfOutcome,
  decisionsView,
  otherwiseWords,
  plannedOutcomes,
  willWords,
} from './plan-words.ts';

/** A list of a plan's products, as a button that opens it. */
export type Chip = { view: string; label: string; products: number; isPressed: boolean };

/** The lists of a plan by outcome and, within the open list, by code or reason. A second click removes a code. */
export function chipsOf(plan: Plan, view: string): { outcomes: Chip[]; within: Chip[] } {
  const [head = ''] = view.split(':');
  const { sums, push, needDecision, decisions } = plan;
  const isAsked = push === null && decisions.length > 0;
  const all = sums.reduce((sum, { products }) => sum + products, 0);
  const outcomes = plannedOutcomes.map((outcome) => ({
    view: outcome as string,
    label: willWords[outcome],
    products: countOfOutcome(sums, outcome),
  }));
  const others = push?.otherwise.reduce((sum, { products }) => sum + products, 0) ?? 0;
  const lists = [
    { view: 'all', label: 'All', products: all },
    ...outcomes,
    { view: decisionsView, label: 'Need a decision', products: isAsked ? needDecision : 0 },
    { view: 'otherwise', label: 'Not as planned', products: others },
  ];
  return {
    outcomes: lists
      .filter(({ view: to, products }) => products > 0 || to === head || (to === decisionsView && isAsked))
      .map((list) => ({ ...list, isPressed: list.view === head })),
    within: withinOf(plan, head).map((list) => {
      const isPressed = list.view === view;
      return { ...list, isPressed, view: isPressed ? head : list.view };
    }),
  };
}

function withinOf({ sums, push, decisions }: Plan, head: string): Omit<Chip, 'isPressed'>[] {
  if (head === decisionsView) {
    return decisions.map(({ about, open, choices }) => ({
      view: `${decisionsView}:${about}`,
      label: capitalized(codeLabel(about)),
      products: choices.reduce((sum, { decided }) => sum + decided, open),
    }));
  }
  if (head === 'otherwise') {
    return (push?.otherwise ?? []).map(({ reason, products }) => ({
      view: `otherwise:${reason}`,
      label: capitalized(otherwiseWords[reason]),
      products,
    }));
  }
  const outcome = plannedOutcomes.find((kind) => kind === head);
  if (outcome === undefined) return [];
  return codesOf(sums, outcome).map(({ code, products }) => ({
    view: `${outcome}:${code}`,
    label: capitalized(codeLabel(code)),
    products,
  }));
}
