import type { ChoiceAbout, PushChoice } from '@draftshelf/domain/push-choices';
import { formatCount } from '../../../lib/intl.ts';

/** A choice as a button, and what the push then does. */
type Words = { label: string; does: string };

const skip: Words = { label: 'Skip', does: 'The push leaves the product as it is.' };

/** What a choice is called where it means the same for every decision. */
const general: Record<PushChoice, Words> = {
  skip,
  'keep-store': {
    label: 'Keep the Store’s',
    does: 'The push keeps what was changed in the store, and sends our other changes.',
  },
  'use-ours': {
    label: 'Use Ours',
    does: 'The push sends our values, also over what was changed in the store.',
  },
  create: { label: 'Create', does: 'The push creates the product.' },
  update: { label: 'Update', does: 'The push updates the store’s product with the values of the file.' },
  record: {
    label: 'Leave As It Is',
    does: 'The push takes the store’s product as sent, and writes nothing.',
  },
  'send-again': { label: 'Send Again', does: 'The push sends our values again.' },
  'send-without': {
    label: 'Send the Rest',
    does: 'The push sends everything but what can’t be sent.',
  },
};

const special: Partial<Record<ChoiceAbout, Partial<Record<PushChoice, Words>>>> = {
  'deleted-in-store': {
    create: { label: 'Create Again', does: 'The push creates the product again.' },
    skip: { label: 'Leave Deleted', does: 'The push leaves the product out.' },
  },
  'different-content': {
    update: { label: 'Take Over', does: 'The push gives the store’s product the values of the file.' },
  },
  'in-store': {
    create: { label: 'Create Anyway', does: 'The store then has two products with the same key.' },
  },
};

/** The words of a choice about something. */
export const choiceWords = (about: ChoiceAbout, choice: PushChoice): Words =>
  special[about]?.[choice] ?? general[choice];

/** 'Use Ours for All 31' */
export const forAllWords = (about: ChoiceAbout, choice: PushChoice, count: string): string =>
  `${choiceWords(about, choice).label} for All ${count}`;

/** 'Decided for 5 of 12. The other 7 don’t allow this choice.'; null if all were decided. */
export function partlyWords(decided: number, open: number): string | null {
  if (decided >= open) return null;
  const others = open - decided;
  if (decided === 0) {
    return open === 1
      ? 'This product doesn’t allow this choice.'
      : `None of the ${formatCount(open)} allow this choice.`;
  }
  const rest = others === 1 ? 'The other one doesn’t allow' : `The other ${formatCount(others)} don’t allow`;
  return `Decided for ${formatCount(decided)} of ${formatCount(open)}. ${rest} this choice.`;
}
