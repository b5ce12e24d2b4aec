import { fieldSpecs, labelInSentence } from '@draftshelf/domain/base/canonical-fields';
import { fieldDefaults } from '@draftshelf/domain/base/field-choices';
import {
  CategoryRule,
  type RuleCondition,
  ruleFields,
  type ruleModes,
} from '@draftshelf/domain/enrich/rules/category-rule';
import type { RuleTrialResult } from '@draftshelf/domain/enrich/rules/match-rules';
import type { SuggestedRule } from '@draftshelf/domain/enrich/rules/suggest-rules';
import { countOf, formatCount } from '../../lib/intl.ts';
import { newId } from '../../lib/new-id.ts';

/** A string until the input is a number, or while the input ends with a point or a zero. */
type TypedPrice = number | string;

type PriceDraft = { field: 'price'; is: 'between'; from: TypedPrice; to: TypedPrice };
export type TextCondition = Exclude<RuleCondition, { field: 'price' }>;
export type ConditionDraft = TextCondition | PriceDraft;

export type RuleDraft = Omit<CategoryRule, 'if'> & { if: { all: ConditionDraft[] } };

const priceOf = (typed: TypedPrice): number => (typed === '' ? Number.NaN : Number(typed));

const conditionOf = (draft: ConditionDraft): RuleCondition =>
  draft.field !== 'price' ? draft : { ...draft, from: priceOf(draft.from), to: priceOf(draft.to) };

/** Returns the rule of a draft. A text that is no price becomes NaN, which `ruleProblem` reports. */
export const toRule = (draft: RuleDraft): CategoryRule => ({
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

/** `field` is the id of the input that the operator has to change. */
export type RuleProblem = { field: string; text: string };

const problems: Record<string, string> = {
  name: 'Enter a name of at most 100 characters.',
  if: 'Complete each condition: a word of at most 200 characters, or two prices.',
  set: 'Use values of 1 to 255 characters.',
};

export function ruleProblem(rule: CategoryRule): RuleProblem | null {
  const issue = CategoryRule.safeParse(rule).error?.issues[0];
  if (issue === undefined) return null;
  const text = issue.code === 'custom' ? issue.message : (problems[String(issue.path[0])] ?? issue.message);
  return { field: fieldOf(issue.path, rule), text };
}

/** Returns the id of the input that has an issue; the id of the input for the type if the rule sets nothing. */
function fieldOf([part, key, at, end]: readonly PropertyKey[], rule: CategoryRule): string {
  if (part === 'if') return conditionId(Number(at), conditionPart(rule.if.all[Number(at)], end));
  if (part !== 'set') return fieldIds.name;
  return key === 'collections' || key === 'tags' ? fieldIds[key] : fieldIds.type;
}

/** Returns the input with the issue in a condition. `end` is undefined if prices are missing or reversed. */
function conditionPart(condition: RuleCondition | undefined, end: PropertyKey | undefined) {
  if (condition?.field !== 'price') return 'value';
  return end === 'from' || Number.isNaN(condition.from) ? 'from' : 'to';
}

function conditionWords(condition: RuleCondition): string {
  const field = labelInSentence(condition.field);
  if (condition.field === 'price') return `${field} is between ${condition.from} and ${condition.to}`;
  return `${field} ${condition.is} “${condition.value}”`;
}

/** Example: 'If title has word “canvas” and price is between 5 and 10'. */
export const conditionsWords = ({ if: { all } }: CategoryRule): string =>
  `If ${all.map(conditionWords).join(' and ')}`;

export const ruleModeLabels: Record<(typeof ruleModes)[number], string> = {
  'if empty': 'set if the product has none',
  'always add': 'also proposed where the product has some',
};

/** Example: 'Type: Wall Art · Tags: art, wall · also proposed where the product has some'. */
export function describeRuleValues({ set, only }: CategoryRule): string {
  const values = ruleFields.flatMap((field) => {
    const value = set[field];
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    return text === '' ? [] : `${fieldSpecs[field].label}: ${text}`;
  });
  return [...values, ...(only === 'always add' ? [ruleModeLabels[only]] : [])].join(' · ');
}

/** Example: '2 products, all of them with a new value'. */
export function describeRuleMatch({ count, changed }: Pick<RuleTrialResult, 'count' | 'changed'>): string {
  if (count === 0) return 'No product matches.';
  if (count === 1) return changed === 1 ? '1 product, with a new value' : '1 product, without a new value';
  const some = changed === 0 ? 'none' : formatCount(changed);
  return `${countOf(count, 'product')}, ${changed === count ? 'all' : some} of them with a new value`;
}

export const describeProposedRules = (count: number): string =>
  `${countOf(count, 'rule was', 'rules were')} proposed from your store. Nothing is saved yet.`;

/** Returns the rule's collections that the store no longer has; none while `titles` is undefined. */
export function listGoneCollections({ set }: CategoryRule, titles: readonly string[] | undefined): string[] {
  if (titles === undefined) return [];
  const inStore = new Set(titles.map((title) => title.toLowerCase()));
  return (set.collections ?? []).filter((title) => !inStore.has(title.toLowerCase()));
}

/** Returns the collections to offer, without 'All Products', which in the form means that no collection is set. */
export const listOfferedCollections = (titles: readonly string[]): string[] =>
  titles.filter((title) => title.toLowerCase() !== fieldDefaults.collections.toLowerCase());

export const createRule = (): CategoryRule => ({
  id: newId(),
  name: '',
  enabled: true,
  if: { all: [{ field: 'title', is: 'has word', value: '' }] },
  set: {},
  only: 'if empty',
});

/** Returns a rule that sets the type of products with the word in their title. */
export const toSuggestedRule = ({ type, word }: SuggestedRule): CategoryRule => ({
  ...createRule(),
  name: type.slice(0, 100),
  if: { all: [{ field: 'title', is: 'has word', value: word }] },
  set: { type },
});

/** Moves a rule by one place, up if `by` is -1. */
export function moveRule(rules: readonly CategoryRule[], id: string, by: -1 | 1): CategoryRule[] {
  const at = rules.findIndex((rule) => rule.id === id);
  const rule = rules[at];
  const other = rules[at + by];
  if (rule === undefined || other === undefined) return [...rules];
  return rules.with(at, other).with(at + by, rule);
}

/** Replaces a rule, or appends it if it is new. */
export function putRule(rules: readonly CategoryRule[], changed: CategoryRule): CategoryRule[] {
  const at = rules.findIndex(({ id }) => id === changed.id);
  return at < 0 ? [...rules, changed] : rules.with(at, changed);
}
