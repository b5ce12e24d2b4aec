import { CategoryRule, CategoryRules, rulesMax } from '@draftshelf/domain/enrich/rules/category-rule';
import { RuleTrialResult } from '@draftshelf/domain/enrich/rules/match-rules';
import { SuggestedRule } from '@draftshelf/domain/enrich/rules/suggest-rules';
import { z } from 'zod';
import { route } from '../route.ts';
import { SuccessReply } from '../values.ts';

/** `version` identifies the content of the rules. `saveRules` sends the version back. */
const SavedRules = z.object({ version: z.string(), rules: z.array(CategoryRule) });
export type SavedRules = z.infer<typeof SavedRules>;

export const listRules = route('listRules', { reply: SavedRules });

/** Replaces all rules and applies them to imports in review. 409 with `current` if rules changed since `version`. */
export const saveRules = route('saveRules', {
  body: z.strictObject({ version: z.string().max(64), rules: CategoryRules }),
  reply: SavedRules,
});

/** Suggests words that are in 90 % or more of a type's titles (at least 20 titles) and in no title of another type. */
export const suggestRules = route('suggestRules', {
  reply: z.object({
    /** Number of compared products of the store, at most about 50,000. */
    products: z.number().int(),
    rules: z.array(SuggestedRule).max(rulesMax),
  }),
});

export const tryRules = route('tryRules', {
  body: z.strictObject({ rules: CategoryRules }),
  reply: z.object({
    products: z.number().int(),
    isAll: z.boolean(),
    matches: z.array(RuleTrialResult),
  }),
});

export const applyRules = route('applyRules', {
  reply: SuccessReply,
});
