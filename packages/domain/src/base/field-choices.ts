import type { CanonicalField, RowValues } from './canonical-fields.ts';

/** The allowed values of fields with a fixed set of values. An edit cannot set another value. */
export const fieldChoices = {
  status: ['draft', 'active', 'archived'],
  trackQuantity: ['shopify', 'none'],
  continueSelling: ['deny', 'continue'],
} as const satisfies Partial<Record<CanonicalField, readonly string[]>>;

/** The value of empty `trackQuantity` cells in files whose empty cells mean 'none'. Applies only to new products. */
export const untrackedIfNew = 'none if new';

export type ChoiceField = keyof typeof fieldChoices;
export type ProductStatus = (typeof fieldChoices.status)[number];

/** Default values for rows that have no value in a field. */
export const fieldDefaults = {
  status: 'active',
  trackQuantity: 'shopify',
  continueSelling: 'deny',
  pointOfSale: 'Canada',
  collections: 'All Products',
} as const satisfies RowValues;

/** Returns a sentence if an edit may not set a field to a value, else null. An empty value clears the field. */
export function findChoiceProblem(field: string, value: string): string | null {
  if (value === '' || !Object.hasOwn(fieldChoices, field)) return null;
  const choices: readonly string[] = fieldChoices[field as ChoiceField];
  return choices.includes(value) ? null : `The value must be one of ${choices.join(', ')}.`;
}

/** Functions that read a cell as one of a field's allowed values. They also read other words: 'yes', 'Published'. */
export const choiceReaders = {
  /** A row without a status is active. A row with an unknown word is a draft. */
  status(text: string | undefined): ProductStatus {
    if (!text || /^(?:active|published|enabled|live|true|yes|1)$/i.test(text)) return 'active';
    return /^archived?$/i.test(text) ? 'archived' : 'draft';
  },
  trackQuantity(text: string | undefined): (typeof fieldChoices.trackQuantity)[number] {
    return /^(?:none|no|false|0|not tracked)$/i.test(text ?? '') ? 'none' : 'shopify';
  },
  continueSelling(text: string | undefined): (typeof fieldChoices.continueSelling)[number] {
    return /^(?:continue|yes|true|1|allow|allowed|notify)$/i.test(text ?? '') ? 'continue' : 'deny';
  },
} as const satisfies Record<ChoiceField, (text: string | undefined) => string>;
