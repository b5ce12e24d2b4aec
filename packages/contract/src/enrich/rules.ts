import { CategoryRule, CategoryRules, rulesMax } from '@draftshelf/domain/enrich/rules/category-rule';
import { z } from 'zod';
import { ImportParams } from '../imports/imports.ts';
import { route } from '../route.ts';

/** All rules in order. `version` identifies their content, for a save. */
const SavedRules = z.object({ version: z.string(), rules: z.array(CategoryRule) });
export type SavedRules = z.infer<typeof SavedRules>;

export const listRules = route('listRules', { reply: SavedRules });

/**
 * Replaces all rules, and applies them to the imports in review. `version`: of the rules that were changed; if others
 * were saved meanwhile, nothing is saved and the reply is 409 with these as `current`.
 */
export const saveRules = route('saveRules', {
  body: z.strictObject({ version: z.string().max(64), rules: CategoryRules }),
  reply: SavedRules,
});

const SuggestedRule = z.object({
  type: z.string(),
  word: z.string(),
  /** Products of the type in the store, and those of them with the word in their title. */
  products: z.number().int(),
  withWord: z.number().int(),
});
export type SuggestedRule = z.infer<typeof SuggestedRule>;

/**
 * Words of titles that tell a product type in the store: in at least 90 % of the titles of a type with at least 20
 * products, and in no title of another type. Nothing is saved.
 */
export const suggestRules = route('suggestRules', {
  reply: z.object({
    /** The products of our copy of the store that were compared: about 50,000 at most. */
    products: z.number().int(),
    rules: z.array(SuggestedRule).max(rulesMax),
  }),
});

const RuleMatch = z.object({
  /** The rule's id. */
  rule: z.string(),
  /** Products that it matches, and those of them that it gives a value. */
  count: z.number().int(),
  changed: z.number().int(),
  examples: z.array(
    z.object({
      row: z.number().int(),
      title: z.string().nullable(),
      /** Values of fields that come from the rule; none: the product has them, or an earlier rule gives the type. */
      values: z.array(z.object({ field: z.string(), before: z.string().nullable(), value: z.string() })),
    }),
  ),
});
export type RuleMatch = z.infer<typeof RuleMatch>;

/** What rules would do with the first products of an import. Changes nothing. */
export const tryRules = route('tryRules', {
  params: ImportParams,
  body: z.strictObject({ rules: CategoryRules }),
  reply: z.object({
    /** The products that were tried, and whether these are all. */
    products: z.number().int(),
    isAll: z.boolean(),
    matches: z.array(RuleMatch),
  }),
});

/** Applies the saved rules to an import, in the background. */
export const applyRules = route('applyRules', {
  params: ImportParams,
  reply: z.object({ success: z.literal(true), message: z.string() }),
});
