import type { ChoiceAbout, PushChoice } from './push-choices.ts';

const labels: Record<PushChoice, string> = {
  skip: 'Skip',
  'keep-store': 'Keep the Store’s',
  'use-ours': 'Use Ours',
  create: 'Create',
  update: 'Update',
  record: 'Leave As It Is',
  'send-again': 'Send Again',
  'send-without': 'Send the Rest',
};

const special: Partial<Record<ChoiceAbout, Partial<Record<PushChoice, string>>>> = {
  'deleted-in-store': { create: 'Create Again', skip: 'Leave Deleted' },
  'different-content': { update: 'Take Over' },
  'in-store': { create: 'Create Anyway' },
  blocked: { 'use-ours': 'Rename' },
  'not-sent': { 'use-ours': 'Use the File’s Quantity', skip: 'Keep the Store’s' },
};

export const choiceLabel = (about: ChoiceAbout, choice: PushChoice): string =>
  special[about]?.[choice] ?? labels[choice];
