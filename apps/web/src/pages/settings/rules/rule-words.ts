import type { SuggestedRule } from '@draftshelf/contract/rules';
import { fieldDefaults } from '@draftshelf/domain/field-choices';
import {
  CategoryRule,
  type RuleCondition,
  ruleFields,
  type TextField,
} from '@draftshelf/domain/rules/category-rule';
import { newId } from '../../../lib/new-id.ts';

/** Fields of conditions, for choices. */
export const fieldLabels: Record<TextField | 'price', string> = {
  title: 'Title',
  type: 'Type',
  vendor: 'Brand',
  tags: 'Tags',
  description: 'Description',
  price: 'Price',
};

export const setLabels: Record<(typeof ruleFields)[number], string> = {
  type: 'Type',
  collections: 'Collections',
  tags: 'Tags',
};

function conditionWords(condition: RuleCondition): string {
  const field = fieldLabels[condition.field].toLowerCase();
  if (condition.field === 'price') return `${field} is between ${condition.from} and ${condition.to}`;
  return `${field} ${condition.is} “${condition.value}”`;
}

/** 'If title has word “canvas” and price is between 5 and 10'. */
export const conditionsWords = ({ if: { all } }: CategoryRule): string =>
  `If ${all.map(conditionWords).join(' and ')}`;

/** 'Type: Wall Art · Tags: art, wall · always added'. */
export function valuesWords({ set, only }: CategoryRule): string {
  const values = ruleFields.flatMap((field) => {
    const value = set[field];
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    return text === '' ? [] : `${setLabels[field]}: ${text}`;
  });
  return [...values, ...(only === 'always add' ? ['always added'] : [])].join(' · ');
}

/** Collections of a rule that the store does not have. `titles`: those it has; undefined: not known. */
export function goneCollections({ set }: CategoryRule, titles: readonly string[] | undefined): string[] {
  if (titles === undefined) return [];
  const known = new Set(titles.map((title) => title.toLowerCase()));
  return (set.collections ?? []).filter((title) => !known.has(title.toLowerCase()));
}

/** The store's collections that a rule can set. The form's default is none of them. */
export const offeredCollections = (titles: readonly string[]): string[] =>
  titles.filter((title) => title.toLowerCase() !== fieldDefaults.collections.toLowerCase());

const problems: Record<string, string> = {
  name: 'Enter a name of at most 100 characters.',
  if: 'Complete each condition: a word of at most 200 characters, or two prices.',
  set: 'Use values of 1 to 255 characters.',
};

/** Why a rule cannot be used, as a sentence; null: it can. */
export function ruleProblem(rule: CategoryRule): string | null {
  const issue = CategoryRule.safeParse(rule).error?.issues[0];
  if (issue === undefined) return null;
  return issue.code === 'custom' ? issue.message : (problems[String(issue.path[0])] ?? issue.message);
}

/** A rule without a word and a value. */
export const newRule = (): CategoryRule => ({
  id: newId(),
  name: '',
  enabled: true,
  if: { all: [{ field: 'title', is: 'has word', value: '' }] },
  set: {},
  only: 'if empty',
});

/** A suggestion as a rule that gives the type to products with the word in their title. */
export const ruleOfSuggestion = ({ type, word }: SuggestedRule): CategoryRule => ({
  ...newRule(),
  name: type.slice(0, 100),
  if: { all: [{ field: 'title', is: 'has word', value: word }] },
  set: { type },
});

/** The rules with one at another place: `by` -1 is one place up. */
export function moved(rules: readonly CategoryRule[], id: string, by: -1 | 1): CategoryRule[] {
  const at = rules.findIndex((rule) => rule.id === id);
  const rule = rules[at];
  const other = rules[at + by];
  if (rule === undefined || other === undefined) return [...rules];
  return rules.with(at, other).with(at + by, rule);
}

/** The rules with a changed one in its place; a new one is the last. */
export function replaced(rules: readonly CategoryRule[], changed: CategoryRule): CategoryRule[] {
  const at = rules.findIndex(({ id }) => id === changed.id);
  return at < 0 ? [...rules, changed] : rules.with(at, changed);
}
