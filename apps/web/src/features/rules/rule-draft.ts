import { CategoryRule, type RuleCondition } from '@draftshelf/domain/enrich/rules/category-rule';

/** A text until it is a number, or while it ends with a point or a zero. */
type TypedPrice = number | string;

export type PriceDraft = { field: 'price'; is: 'between'; from: TypedPrice; to: TypedPrice };
export type WordsCondition = Exclude<RuleCondition, { field: 'price' }>;
export type ConditionDraft = WordsCondition | PriceDraft;

export type RuleDraft = Omit<CategoryRule, 'if'> & { if: { all: ConditionDraft[] } };

const priceOf = (typed: TypedPrice): number => (typed === '' ? Number.NaN : Number(typed));

const conditionOf = (draft: ConditionDraft): RuleCondition =>
  draft.field !== 'price' ? draft : { ...draft, from: priceOf(draft.from), to: priceOf(draft.to) };

/** A text that is no price becomes NaN, which `ruleProblem` reports. */
export const ruleOf = (draft: RuleDraft): CategoryRule => ({
  ...draft,
  name: draft.name.trim(),
  if: { all: draft.if.all.map(conditionOf) },
});

export const fieldIds = {
  name: 'rule-name',
  type: 'rule-type',
  collections: 'rule-collections',
  tags: 'rule-tags',
} as const;

export const conditionId = (at: number, part: 'value' | 'from' | 'to'): string =>
  `rule-condition-${at + 1}-${part}`;

/** `field`: the id of the input that has to change. */
export type RuleProblem = { field: string; text: string };

const problems: Record<string, string> = {
  name: 'Enter a name of at most 100 characters.',
  if: 'Complete each condition: a word of at most 200 characters, or two prices.',
  set: 'Use values of 1 to 255 characters.',
};

/** Null: the rule can be used. */
export function ruleProblem(rule: CategoryRule): RuleProblem | null {
  const issue = CategoryRule.safeParse(rule).error?.issues[0];
  if (issue === undefined) return null;
  const text = issue.code === 'custom' ? issue.message : (problems[String(issue.path[0])] ?? issue.message);
  return { field: fieldOf(issue.path, rule), text };
}

/** A rule that sets nothing lacks a type first. */
function fieldOf([part, key, at, end]: readonly PropertyKey[], rule: CategoryRule): string {
  if (part === 'if') return conditionId(Number(at), conditionPart(rule.if.all[Number(at)], end));
  if (part !== 'set') return fieldIds.name;
  return key === 'collections' || key === 'tags' ? fieldIds[key] : fieldIds.type;
}

/** Issues of a missing price, or of two in the wrong order, name the condition only. */
function conditionPart(condition: RuleCondition | undefined, end: PropertyKey | undefined) {
  if (condition?.field !== 'price') return 'value';
  return end === 'from' || Number.isNaN(condition.from) ? 'from' : 'to';
}
