import { expect, it } from 'vitest';
import { decidedSentence } from './proposal-words.ts';

it('says how many values were taken, and why others were left', () => {
  const left = [
    { id: 1, reason: 'changed' as const },
    { id: 2, reason: 'changed' as const },
    { id: 3, reason: 'being sent' as const },
  ];
  expect(decidedSentence('take', { decided: 50, left: [] }, 0)).toBe('50 values were taken.');
  expect(decidedSentence('take', { decided: 47, left }, 0)).toBe(
    '47 values were taken, 2 had changed meanwhile, 1 is being pushed right now.',
  );
  expect(decidedSentence('take', { decided: 0, left: left.slice(0, 1) }, 0)).toBe(
    'No value was taken, 1 had changed meanwhile.',
  );
  expect(decidedSentence('dismiss', { decided: 1, left: [] }, 0)).toBe('1 proposal was dismissed.');
  expect(decidedSentence('take', { decided: 2000, left: [] }, 40)).toBe(
    '2000 values were taken. 40 more match; repeat this to decide them too.',
  );
});
