/** Subjects of decisions about products that a push would skip. */
export const choiceAbouts = [
  'drifted',
  'deleted-in-store',
  'different-content',
  'lost-answer',
  'in-store',
  'blocked',
  'not-sent',
] as const;
export type ChoiceAbout = (typeof choiceAbouts)[number];

export const pushChoices = [
  'skip',
  /** Keep the parts that were changed in the store, and send our changes of the others. */
  'keep-store',
  /** Send our values, also for parts that were changed in the store. */
  'use-ours',
  /** Create the product, also if the store has one with the same SKU, or had it before. */
  'create',
  /** Update the store's product, which becomes ours. */
  'update',
  /** The write whose answer was lost has arrived. */
  'record',
  /** Send the write whose answer was lost again. */
  'send-again',
  'send-without',
] as const;
export type PushChoice = (typeof pushChoices)[number];

/** A single product may allow fewer. */
export const choicesAbout: Readonly<Record<ChoiceAbout, readonly PushChoice[]>> = {
  drifted: ['keep-store', 'use-ours', 'skip'],
  'deleted-in-store': ['create', 'skip'],
  'different-content': ['update', 'skip'],
  'lost-answer': ['record', 'send-again', 'skip'],
  'in-store': ['update', 'create', 'skip'],
  blocked: ['use-ours', 'send-without', 'skip'],
  'not-sent': ['use-ours', 'skip'],
};
