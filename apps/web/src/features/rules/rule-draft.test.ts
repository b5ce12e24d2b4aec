import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { expect, it } from 'vitest';
import { type RuleDraft, ruleOf, ruleProblem } from './rule-draft.ts';
import { newRule } from './rule-words.ts';

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
};

const priced = (from: number | string, to: number | string): RuleDraft => ({
  ...canvas,
  if: { all: [{ field: 'price', is: 'between', from, to }] },
});
const problemOf = (draft: RuleDraft) => ruleProblem(ruleOf(draft));

it('reads prices as they are typed, and trims the name', () => {
  expect(ruleOf({ ...priced('0.', '9.90'), name: ' Canvas ' })).toEqual({
    ...canvas,
    if: { all: [{ field: 'price', is: 'between', from: 0, to: 9.9 }] },
  });
  expect(ruleOf(canvas)).toEqual(canvas);
});

it('says why a rule cannot be used, and which input has to change', () => {
  expect(problemOf(canvas)).toBeNull();
  expect(problemOf({ ...canvas, name: ' ' })).toEqual({
    field: 'rule-name',
    text: 'Enter a name of at most 100 characters.',
  });
  expect(problemOf({ ...newRule(), name: 'New' })).toMatchObject({
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
