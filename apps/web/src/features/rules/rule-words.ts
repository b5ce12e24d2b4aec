import type { RuleMatch, SuggestedRule } from '@draftshelf/contract/enrich/rules';
import { fieldSpecs, labelInSentence } from '@draftshelf/domain/base/canonical-fields';
import { fieldDefaults } from '@draftshelf/domain/base/field-choices';
import {
  type CategoryRule,
  type RuleCondition,
  ruleFields,
  type ruleModes,
} from '@draftshelf/domain/enrich/rules/category-rule';
import { countOf, formatCount } from '../../lib/intl.ts';
import { newId } from '../../lib/new-id.ts';

function conditionWords(condition: RuleCondition): string {
  const field = labelInSentence(condition.field);
  if (condition.field === 'price') return `${field} is between ${condition.from} and ${condition.to}`;
  return `${field} ${condition.is} “${condition.value}”`;
}

/** 'If title has word “canvas” and price is between 5 and 10'. */
export const conditionsWords = ({ if: { all } }: CategoryRule): string =>
  `If ${all.map(conditionWords).join(' and ')}`;

export const modeWords: Record<(typeof ruleModes)[number], string> = {
  'if empty': 'set if the product has none',
  'always add': 'also proposed where the product has some',
};

/** 'Type: Wall Art · Tags: art, wall · also proposed where the product has some'. */
export function valuesWords({ set, only }: CategoryRule): string {
  const values = ruleFields.flatMap((field) => {
    const value = set[field];
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    return text === '' ? [] : `${fieldSpecs[field].label}: ${text}`;
  });
  return [...values, ...(only === 'always add' ? [modeWords[only]] : [])].join(' · ');
}

/** '2 products, all of them with a new value'. */
export function matchWords({ count, changed }: Pick<RuleMatch, 'count' | 'changed'>): string {
  if (count === 0) return 'No product matches.';
  if (count === 1) return changed === 1 ? '1 product, with a new value' : '1 product, without a new value';
  const some = changed === 0 ? 'none' : formatCount(changed);
  return `${countOf(count, 'product')}, ${changed === count ? 'all' : some} of them with a new value`;
}

export const proposedWords = (count: number): string =>
  `${countOf(count, 'rule was', 'rules were')} proposed from your store. Nothing is saved yet.`;

/** Undefined `titles`: unknown. */
export function goneCollections({ set }: CategoryRule, titles: readonly string[] | undefined): string[] {
  if (titles === undefined) return [];
  const inStore = new Set(titles.map((title) => title.toLowerCase()));
  return (set.collections ?? []).filter((title) => !inStore.has(title.toLowerCase()));
}

/** The form's default sets none. */
export const offeredCollections = (titles: readonly string[]): string[] =>
  titles.filter((title) => title.toLowerCase() !== fieldDefaults.collections.toLowerCase());

export const newRule = (): CategoryRule => ({
  id: newId(),
  name: '',
  enabled: true,
  if: { all: [{ field: 'title', is: 'has word', value: '' }] },
  set: {},
  only: 'if empty',
});

/** Gives the type to products with the word in their title. */
export const ruleOfSuggestion = ({ type, word }: SuggestedRule): CategoryRule => ({
  ...newRule(),
  name: type.slice(0, 100),
  if: { all: [{ field: 'title', is: 'has word', value: word }] },
  set: { type },
});

/** `by` -1 is one place up. */
export function moved(rules: readonly CategoryRule[], id: string, by: -1 | 1): CategoryRule[] {
  const at = rules.findIndex((rule) => rule.id === id);
  const rule = rules[at];
  const other = rules[at + by];
  if (rule === undefined || other === undefined) return [...rules];
  return rules.with(at, other).with(at + by, rule);
}

/** A new rule is the last. */
export function replaced(rules: readonly CategoryRule[], changed: CategoryRule): CategoryRule[] {
  const at = rules.findIndex(({ id }) => id === changed.id);
  return at < 0 ? [...rules, changed] : rules.with(at, changed);
}
