import type { Plan } from '@draftshelf/contract/push/plan';
import { choiceLabel } from '@draftshelf/domain/push/choice-labels';
import type { ChoiceAbout, PushChoice } from '@draftshelf/domain/push/push-choices';
import { formatCount } from '../../../lib/intl.ts';

const general: Record<PushChoice, string> = {
  skip: 'The push leaves the product as it is.',
  'keep-store': 'The push keeps what was changed in the store, and sends our other changes.',
  'use-ours': 'The push sends our values, also over what was changed in the store.',
  create: 'The push creates the product.',
  update: 'The push updates the store’s product with the values of the file.',
  record: 'The push counts the store’s product as sent, and writes nothing.',
  'send-again': 'The push sends our values again.',
  'send-without': 'The push sends everything but what can’t be sent.',
};

const special: Partial<Record<ChoiceAbout, Partial<Record<PushChoice, string>>>> = {
  drifted: { skip: 'The push sends nothing of the product, not even our other changes.' },
  'deleted-in-store': {
    create: 'The push creates the product again.',
    skip: 'The push leaves the product out.',
  },
  'different-content': { update: 'The push gives the store’s product the values of the file.' },
  'in-store': { create: 'The store then has two products with the same key.' },
  blocked: { 'use-ours': 'The push renames the option values of the variants in the store.' },
};

export const choiceEffect = (about: ChoiceAbout, choice: PushChoice): string =>
  special[about]?.[choice] ?? general[choice];

/** 'Use Ours', 'Use Ours for All 31', 'Send the Rest for 5 of 12'. */
export function forAllWords(
  about: ChoiceAbout,
  { choice, allowed, open }: { choice: PushChoice; allowed: number; open: number },
): string {
  const label = choiceLabel(about, choice);
  if (allowed < open) return `${label} for ${formatCount(allowed)} of ${formatCount(open)}`;
  return open === 1 ? label : `${label} for All ${formatCount(open)}`;
}

/** A single product's line already has the choices of the decision about all. */
export function isOneQuestion(decisions: readonly Plan['decisions'][number][]): boolean {
  const [only, ...others] = decisions;
  if (only === undefined || others.length > 0) return false;
  return only.open === 1 && only.choices.every(({ decided }) => decided === 0);
}
