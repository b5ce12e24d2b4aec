import { expect, test } from 'vitest';
import { countDecisions, toDecisionKey } from './plan-decisions.ts';
import { choicesBySubject } from './push-choices.ts';

test('products are counted by what they wait for, what they allow and what was chosen', () => {
  const drifted = { about: 'drifted', choices: choicesBySubject.drifted, choice: null } as const;
  const blocked = { about: 'blocked', choices: choicesBySubject.blocked, choice: null } as const;
  const counts: Record<string, number> = {};
  for (const one of [
    ...[drifted, drifted, { ...drifted, choice: 'use-ours' } as const],
    ...[blocked, { ...blocked, choices: ['skip'] } as const, { ...blocked, choices: ['skip'] } as const],
  ]) {
    counts[toDecisionKey(one)] = (counts[toDecisionKey(one)] ?? 0) + 1;
  }
  expect(countDecisions(counts)).toEqual([
    {
      ...{ about: 'drifted', open: 2 },
      choices: [
        { choice: 'keep-store', allowed: 2, decided: 0 },
        { choice: 'use-ours', allowed: 2, decided: 1 },
        { choice: 'skip', allowed: 2, decided: 0 },
      ],
    },
    {
      ...{ about: 'blocked', open: 3 },
      choices: [
        { choice: 'use-ours', allowed: 1, decided: 0 },
        { choice: 'send-without', allowed: 1, decided: 0 },
        { choice: 'skip', allowed: 3, decided: 0 },
      ],
    },
  ]);
});

test('a decision is listed as long as products wait for it or have it', () => {
  expect(countDecisions({})).toEqual([]);
  expect(countDecisions({ 'drifted:skip': 1 })).toMatchObject([{ about: 'drifted', open: 0 }]);
});
