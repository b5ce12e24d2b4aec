import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { expect, it } from 'vitest';
import {
  conditionsWords,
  createRule,
  describeProposedRules,
  describeRuleMatch,
  describeRuleValues,
  listGoneCollections,
  listOfferedCollections,
  moveRule,
  putRule,
  type RuleDraft,
  ruleProblem,
  toRule,
  toSuggestedRule,
} from './rule-draft.ts';

const canvas: CategoryRule = {
  ...createRule(),
  name: 'Canvas',
  if: {
    all: [
      { field: 'title', is: 'has word', value: 'canvas' },
      { field: 'price', is: 'between', from: 5, to: 9.99 },
    ],
  },
  set: { type: 'Wall Art', collections: ['New', 'Sale'] },
};

const priced = (from: number | string, to: number | string): RuleDraft => ({
  ...canvas,
  if: { all: [{ field: 'price', is: 'between', from, to }] },
});
const problemOf = (draft: RuleDraft) => ruleProblem(toRule(draft));

it('reads prices as they are typed, and trims the name', () => {
  expect(toRule({ ...priced('0.', '9.90'), name: ' Canvas ' })).toEqual({
    ...canvas,
    if: { all: [{ field: 'price', is: 'between', from: 0, to: 9.9 }] },
  });
  expect(toRule(canvas)).toEqual(canvas);
});

it('says why a rule cannot be used, and which input has to change', () => {
  expect(problemOf(canvas)).toBeNull();
  expect(problemOf({ ...canvas, name: ' ' })).toEqual({
    field: 'rule-name',
    text: 'Enter a name of at most 100 characters.',
  });
  expect(problemOf({ ...createRule(), name: 'New' })).toMatchObject({
    field: 'rule-condition-1-value',
    text: expect.stringMatching(/^Enter a word/),
  });
  expect(problemOf({ ...canvas, set: {} })).toEqual({
    field: 'rule-type',
    text: 'Set a type, a collection or a tag.',
  });
  expect(problemOf({ ...canvas, set: { tags: ['a', 'b, c'] } })).toMatchObject({ field: 'rule-tags' });
});

it.each([
  ['', 5, 'from', /^Complete each condition/],
  ['-', 5, 'from', /^Complete each condition/],
  [5, '', 'to', /^Complete each condition/],
  [9.9, 5, 'to', /^The lower price/],
  [0, 2e9, 'to', /^Complete each condition/],
] as const)('names the price to change of "%s" to "%s"', (from, to, part, text) => {
  expect(problemOf(priced(from, to))).toEqual({
    field: `rule-condition-1-${part}`,
    text: expect.stringMatching(text),
  });
  const second = { ...canvas, if: { all: [...canvas.if.all.slice(0, 1), ...priced(from, to).if.all] } };
  expect(problemOf(second)?.field).toBe(`rule-condition-2-${part}`);
});

const canvasOnly: CategoryRule = { ...canvas, only: 'always add' };

it('names conditions and values', () => {
  expect(conditionsWords(canvasOnly)).toBe('If title has word “canvas” and price is between 5 and 9.99');
  expect(describeRuleValues(canvasOnly)).toBe(
    'Type: Wall Art · Collections: New, Sale · also proposed where the product has some',
  );
});

it('finds collections that the store does not have, once its collections are known', () => {
  expect(listGoneCollections(canvasOnly, ['All Products', 'new'])).toEqual(['Sale']);
  expect(listGoneCollections(canvasOnly, undefined)).toEqual([]);
  expect(listOfferedCollections(['All Products', 'New'])).toEqual(['New']);
});

it.each([
  [0, 0, 'No product matches.'],
  [1, 1, '1 product, with a new value'],
  [1, 0, '1 product, without a new value'],
  [2, 2, '2 products, all of them with a new value'],
  [3, 1, '3 products, 1 of them with a new value'],
  [3, 0, '3 products, none of them with a new value'],
])('says that %i products match and %i get a new value', (count, changed, words) => {
  expect(describeRuleMatch({ count, changed })).toBe(words);
});

it('says how many rules were proposed', () => {
  expect(describeProposedRules(1)).toBe('1 rule was proposed from your store. Nothing is saved yet.');
  expect(describeProposedRules(12)).toBe('12 rules were proposed from your store. Nothing is saved yet.');
});

it('makes a usable rule of a suggestion', () => {
  const rule = toSuggestedRule({ type: 'Rugs', word: 'rug', products: 20, withWord: 20 });
  expect(ruleProblem(rule)).toBeNull();
  expect([conditionsWords(rule), describeRuleValues(rule)]).toEqual([
    'If title has word “rug”',
    'Type: Rugs',
  ]);
});

it('moves, replaces and adds rules', () => {
  const [one, two, three] = [createRule(), createRule(), createRule()];
  expect(moveRule([one, two, three], three.id, -1)).toEqual([one, three, two]);
  expect(moveRule([one, two], two.id, 1)).toEqual([one, two]);
  expect(moveRule([one, two], one.id, -1)).toEqual([one, two]);
  expect(putRule([one, two], { ...one, name: 'x' })).toEqual([{ ...one, name: 'x' }, two]);
  expect(putRule([one], three)).toEqual([one, three]);
});
