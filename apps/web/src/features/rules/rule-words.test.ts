import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { expect, it } from 'vitest';
import { ruleProblem } from './rule-draft.ts';
import {
  conditionsWords,
  goneCollections,
  matchWords,
  moved,
  newRule,
  offeredCollections,
  proposedWords,
  replaced,
  ruleOfSuggestion,
  valuesWords,
} from './rule-words.ts';

const canvas: CategoryRule = {
  ...newRule(),
  name: 'Canvas',
  if: {
    all: [
      { field: 'title', is: 'has word', value: 'canvas' },
      { field: 'price', is: 'between', from: 5, to: 9.99 },
    ],
  },
  set: { type: 'Wall Art', collections: ['New', 'Sale'] },
  only: 'always add',
};

it('names conditions and values', () => {
  expect(conditionsWords(canvas)).toBe('If title has word “canvas” and price is between 5 and 9.99');
  expect(valuesWords(canvas)).toBe(
    'Type: Wall Art · Collections: New, Sale · also proposed where the product has some',
  );
});

it('finds collections that the store does not have, once its collections are known', () => {
  expect(goneCollections(canvas, ['All Products', 'new'])).toEqual(['Sale']);
  expect(goneCollections(canvas, undefined)).toEqual([]);
  expect(offeredCollections(['All Products', 'New'])).toEqual(['New']);
});

it.each([
  [0, 0, 'No product matches.'],
  [1, 1, '1 product, with a new value'],
  [1, 0, '1 product, without a new value'],
  [2, 2, '2 products, all of them with a new value'],
  [3, 1, '3 products, 1 of them with a new value'],
  [3, 0, '3 products, none of them with a new value'],
])('says that %i products match and %i get a new value', (count, changed, words) => {
  expect(matchWords({ count, changed })).toBe(words);
});

it('says how many rules were proposed', () => {
  expect(proposedWords(1)).toBe('1 rule was proposed from your store. Nothing is saved yet.');
  expect(proposedWords(12)).toBe('12 rules were proposed from your store. Nothing is saved yet.');
});

it('makes a usable rule of a suggestion', () => {
  const rule = ruleOfSuggestion({ type: 'Rugs', word: 'rug', products: 20, withWord: 20 });
  expect(ruleProblem(rule)).toBeNull();
  expect([conditionsWords(rule), valuesWords(rule)]).toEqual(['If title has word “rug”', 'Type: Rugs']);
});

it('moves, replaces and adds rules', () => {
  const [one, two, three] = [newRule(), newRule(), newRule()];
  expect(moved([one, two, three], three.id, -1)).toEqual([one, three, two]);
  expect(moved([one, two], two.id, 1)).toEqual([one, two]);
  expect(moved([one, two], one.id, -1)).toEqual([one, two]);
  expect(replaced([one, two], { ...one, name: 'x' })).toEqual([{ ...one, name: 'x' }, two]);
  expect(replaced([one], three)).toEqual([one, three]);
});
