import { expect, it } from 'vitest';
import { countChangedSentence, decisionSentence } from './proposals-routes.ts';

const all = { more: 0, isAtLeast: false };

it('says how many values were accepted, and why others were left', () => {
  const left = [
    { id: 1, reason: 'changed' as const },
    { id: 2, reason: 'changed' as const },
    { id: 3, reason: 'being sent' as const },
  ];
  const taken = (decided: number, leftOnes: typeof left = [], further = all) =>
    decisionSentence('take', { decided, left: leftOnes, stopped: null }, further);
  expect(taken(50)).toBe('50 values were accepted.');
  expect(taken(47, left)).toBe(
    '47 values were accepted, 2 had changed meanwhile, 1 is being pushed right now.',
  );
  expect(taken(0, left.slice(0, 1))).toBe('No value was accepted, 1 had changed meanwhile.');
  const dismissed = { decided: 1, left: [], stopped: null };
  expect(decisionSentence('dismiss', dismissed, all)).toBe('1 proposal was dismissed.');
  expect(taken(2000, [], { more: 40, isAtLeast: false })).toBe(
    '2,000 values were accepted. 40 more match; repeat this to decide them too.',
  );
  expect(taken(2000, [], { more: 1, isAtLeast: false })).toBe(
    '2,000 values were accepted. 1 more matches; repeat this to decide it too.',
  );
  expect(taken(2000, [], { more: 8000, isAtLeast: true })).toBe(
    '2,000 values were accepted. At least 8,000 more match; repeat this to decide them too.',
  );
});

it('names several values for one field by their number', () => {
  const several = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ id, reason: 'several' as const }));
  const sentence = (count: number) =>
    decisionSentence('take', { decided: 2, left: several(count), stopped: null }, all);
  expect(sentence(1)).toBe('2 values were accepted, 1 is one of several values for its field.');
  expect(sentence(1200)).toBe('2 values were accepted, 1,200 are among several values for the same fields.');
});

it('says how many are open after an error', () => {
  const stopped = { open: 1750, cause: new Error('busy') };
  const further = { more: 40, isAtLeast: false };
  expect(decisionSentence('take', { decided: 250, left: [], stopped }, further)).toBe(
    '250 values were accepted. Then an error occurred; 1,750 more proposals are still open. Try again in a moment.',
  );
});

it('says that another number of proposals was shown', () => {
  expect(countChangedSentence(2001, 1)).toBe(
    'There are 2,001 proposals now, but 1 was shown. Nothing was decided. Look at the list again.',
  );
  expect(countChangedSentence(1, 2)).toBe(
    'There is 1 proposal now, but 2 were shown. Nothing was decided. Look at the list again.',
  );
});
