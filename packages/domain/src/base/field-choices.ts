import type { CanonicalField, RowValues } from './canonical-fields.ts';

/** The specification's choices of fields whose value is one of a few words. An edit sets nothing else. */
export const fieldChoices = {
  status: ['draft', 'active', 'archived'],
  trackQuantity: ['shopify', 'none'],
  continueSelling: ['deny', 'continue'],
} as const satisfies Partial<Record<CanonicalField, readonly string[]>>;

/** The tracking of a row without an entry, in a file in which that means 'none'; for a new product only. */
export const untrackedIfNew = 'none if new';

export type ChoiceField = keyof typeof fieldChoices;
export type ProductStatus = (typeof fieldChoices.status)[number];

/** The specification's values of rows that have none of their own. */
export const fieldDefaults = {
  status: 'active',
  trackQuantity: 'shopify',
  continueSelling: 'deny',
  pointOfSale: 'Canada',
  collections: 'All Products',
} as const satisfies RowValues;

/** Why an edit may not set a field to a value; null if it may. An empty value clears the field. */
export function choiceProblem(field: string, value: string): string | null {
  if (value === '' || !Object.hasOwn(fieldChoices, field)) return null;
  const choices: readonly string[] = fieldChoices[field as ChoiceField];
  return choices.includes(value) ? null : `The value must be one of ${choices.join(', ')}.`;
}

/** The choice that a cell of a field means: files write 'Published' or 'yes'. */
export const choiceOf = {
  /** A row without a status is active. An unknown word keeps it a draft. */
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
