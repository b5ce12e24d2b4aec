/** Results of a push for a product. */
export const outcomes = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** Reasons why a product was skipped or has failed. */
export const outcomeCodes = [
  /** The draft lacks a title or a price. */
  'missing-fields',
  /** The list has only prices and stock, and no earlier list of the supplier had the product. */
  'unknown-product',
  /** The list has only prices and stock, and the product was never pushed to the store. */
  'not-in-store',
  /** The operator has left all rows of the product out of the push. */
  'left-out',
  /** A text is longer than the store accepts. */
  'too-long',
  /** The store has another product under our id, or this product under another id of ours. */
  'different-content',
  /** The product was deleted in the store since our last push. */
  'deleted-in-store',
  /** The product was changed in the store since our last push. */
  'drifted',
  /** The product was changed in the store, and the response to our write was lost. */
  'lost-answer',
  /** The store has a product with the same SKU, GTIN or item number under another id. */
  'in-store',
  /** An earlier row is pushed to the same product of the store. */
  'duplicate',
  /** A changed list of values cannot be merged with the list in the store. */
  'blocked',
  /** The product has only changes that cannot be sent. */
  'not-sent',
  /** The operator's choice was made for an earlier state of the product. */
  'choice-outdated',
  /** The store refused the product. */
  'store-refused',
] as const;
export type OutcomeCode = (typeof outcomeCodes)[number];
