const labels = {
  skip: 'Skip',
  /** Keeps the parts that were changed in the store, and sends our changes of the other parts. */
  'keep-store': 'Keep the Store’s',
  /** Sends our values, even for parts that were changed in the store. */
  'use-ours': 'Use Ours',
  /** Creates the product, even if the store has or had a product with the same SKU. */
  create: 'Create',
  /** Updates the store's product, which becomes ours. */
  update: 'Update',
  /** Records that the write with the lost response has arrived. */
  record: 'Leave As It Is',
  /** Sends the write with the lost response again. */
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
export type ChoiceSubject = keyof typeof choices;
export const choiceSubjects = Object.keys(choices) as ChoiceSubject[];
/** The choices about a subject. A single product may allow fewer. */
export const choicesBySubject: Readonly<Record<ChoiceSubject, readonly PushChoice[]>> = choices;

const special: Partial<Record<ChoiceSubject, Partial<Record<PushChoice, string>>>> = {
  'deleted-in-store': { create: 'Create Again', skip: 'Leave Deleted' },
  'different-content': { update: 'Take Over' },
  'in-store': { create: 'Create Anyway' },
  blocked: { 'use-ours': 'Rename' },
  'not-sent': { 'use-ours': 'Use the File’s Quantity', skip: 'Keep the Store’s' },
};

export const choiceLabel = (about: ChoiceSubject, choice: PushChoice): string =>
  special[about]?.[choice] ?? labels[choice];

/** The subject of a decision, with the choices in the plan and now. Null if there is no question or no choice. */
export type Decision = { about: string | null; plannedChoice: PushChoice | null; choice: PushChoice | null };

/** Returns whether a product's choice differs from the plan's choice. A missing choice equals the choice to skip. */
export const hasChoiceChanged = ({ about, plannedChoice, choice }: Decision): boolean =>
  about !== null && (plannedChoice ?? 'skip') !== (choice ?? 'skip');
