import type { CategoryRule } from '@draftshelf/domain/rules/category-rule';
import { expect, it } from 'vitest';
import {
  conditionsWords,
  goneCollections,
  moved,
  newRule,
  offeredCollections,
  replaced,
  ruleOfSuggestion,
  ruleProblem,
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
  expect(valuesWords(canvas)).toBe('Type: Wall Art · Collections: New, Sale · always added');
});

it('finds collections that the store does not have, once its collections are known', () => {
  expect(goneCollections(canvas, ['All Products', 'new'])).toEqual(['Sale']);
  expect(goneCollections(canvas, undefined)).toEqual([]);
  expect(offeredCollections(['All Products', 'New'])).toEqual(['New']);
});

it('says why a rule cannot be used', () => {
  expect(ruleProblem(canvas)).toBeNull();
  expect(ruleProblem({ ...canvas, name: ' ' })).toBe('Enter a name of at most 100 characters.');
  expect(ruleProblem({ ...newRule(), name: 'New' })).toMatch(/^Enter a word/);
  expect(ruleProblem({ ...canvas, set: {} })).toBe('Set a type, a collection or a tag.');
  const price = { field: 'price', is: 'between', from: Number.NaN, to: 5 } as const;
  expect(ruleProblem({ ...canvas, if: { all: [price] } })).toMatch(/^Complete each condition/);
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
