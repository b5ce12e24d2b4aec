/** The result of a push for a product. */
export const outcomes = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** Why a product was skipped or has failed. */
export const outcomeCodes = [
  /** The draft lacks a title or a price. */
  'missing-fields',
  /** A list of prices and stock has it, and no earlier list of its supplier. */
  'unknown-product',
  /** A list of prices and stock has it, and the store does not have it from an earlier push. */
  'not-in-store',
  /** The operator has left all of its rows out of the push. */
  'left-out',
  /** A text is longer than the store accepts. */
  'too-long',
  /** The store has an unknown product under our id, or ours under another of our ids. */
  'different-content',
  /** Deleted in the store since our last push. */
  'deleted-in-store',
  /** Changed in the store since our last push. */
  'drifted',
  /** Changed in the store while the response to our write was lost. */
  'lost-answer',
  /** The store has a product with the same SKU, GTIN or item number under another id. */
  'in-store',
  /** An earlier row is the same product of the store, and takes it. */
  'duplicate',
  /** A changed list cannot be merged with the store's. */
  'blocked',
  /** The only changes are ones that cannot be sent. */
  'not-sent',
  /** The operator's choice was made about an earlier state of the product. */
  'choice-outdated',
  /** The store refused the product. */
  'store-refused',
] as const;
export type OutcomeCode = (typeof outcomeCodes)[number];
