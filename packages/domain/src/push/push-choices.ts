const labels = {
  skip: 'Skip',
  /** Keep the parts that were changed in the store, and send our changes of the others. */
  'keep-store': 'Keep the Store’s',
  /** Send our values, also for parts that were changed in the store. */
  'use-ours': 'Use Ours',
  /** Create the product, also if the store has one with the same SKU, or had it before. */
  create: 'Create',
  /** Update the store's product, which becomes ours. */
  update: 'Update',
  /** The write whose answer was lost has arrived. */
  record: 'Leave As It Is',
  /** Send the write whose answer was lost again. */
  'send-again': 'Send Again',
  'send-without': 'Send the Rest',
};
export type PushChoice = keyof typeof labels;
export const pushChoices = Object.keys(labels) as PushChoice[];

const choices = {
  drifted: ['keep-store', 'use-ours', 'skip'],
  'deleted-in-store': ['create', 'skip'],
  'different-content': ['update', 'skip'],
  'lost-answer': ['record', 'send-again', 'skip'],
  'in-store': ['update', 'create', 'skip'],
  blocked: ['use-ours', 'send-without', 'skip'],
  'not-sent': ['use-ours', 'skip'],
} as const satisfies Record<string, readonly PushChoice[]>;
/** Subjects of decisions about products that a push would skip. */
export type ChoiceAbout = keyof typeof choices;
export const choiceAbouts = Object.keys(choices) as ChoiceAbout[];
/** A single product may allow fewer. */
export const choicesAbout: Readonly<Record<ChoiceAbout, readonly PushChoice[]>> = choices;

const special: Partial<Record<ChoiceAbout, Partial<Record<PushChoice, string>>>> = {
  'deleted-in-store': { create: 'Create Again', skip: 'Leave Deleted' },
  'different-content': { update: 'Take Over' },
  'in-store': { create: 'Create Anyway' },
  blocked: { 'use-ours': 'Rename' },
  'not-sent': { 'use-ours': 'Use the File’s Quantity', skip: 'Keep the Store’s' },
};

export const choiceLabel = (about: ChoiceAbout, choice: PushChoice): string =>
  special[about]?.[choice] ?? labels[choice];

/** The subject of a decision, and the product's choices in the plan and now. */
export type Decision = { about: string | null; plannedChoice: PushChoice | null; choice: PushChoice | null };

/** Whether a product's choice differs from the plan's. A product without a choice is skipped, as by choice. */
export const isDecidedSince = ({ about, plannedChoice, choice }: Decision): boolean =>
  about !== null && (plannedChoice ?? 'skip') !== (choice ?? 'skip');
