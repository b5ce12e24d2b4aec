import type { ImportAiState } from '@draftshelf/contract/enrich/ai';
import { expect, it } from 'vitest';
import { moneyWords } from '../../../lib/intl.ts';
import {
  aboveLimitWords,
  aiResultWords,
  askAllWords,
  estimatedCostWords,
  estimateSample,
  isAskedAlready,
  listRefusalCauses,
  progressWords,
} from './ask-ai-panel.tsx';

const none = { malformed: 0, facts: 0, length: 0, html: 0, other: 0 };
const asking: ImportAiState = {
  ...{ state: 'asking', reason: null, isInSettings: false, service: null, fields: ['type'] },
  ...{ expected: 4_000, products: 50, answered: 210, failed: 4, proposals: 11, refused: none },
  ...{ requests: 43, tokens: 61_000, cost: 0.03, isAtMost: false, currency: 'USD' },
  estimate: { products: 4_000, tokens: 1_200_000, cost: 0.6 },
  limits: { importRequests: 500, importTokens: 500_000, importCost: 2 },
};

it('progress names products, tokens and cost, with the limit that applies', () => {
  expect(progressWords(asking)).toBe('214 of 4,000 asked · 61,000 tokens · $0.03 of $2.00');
  const unpriced = { ...asking, cost: null, currency: null, isAtMost: true };
  expect(progressWords(unpriced)).toBe('214 of 4,000 asked · at most 61,000 of 500,000 tokens');
  const unlimited = { ...asking, limits: { ...asking.limits, importCost: null } };
  expect(progressWords(unlimited)).toBe('214 of 4,000 asked · 61,000 tokens · $0.03');
});

it('a result names products, proposals and cost, also when all answers were known', () => {
  const five = { ...asking, answered: 5, failed: 0, tokens: 4_120, cost: 0.0004 };
  const unlimited = { ...five, limits: { ...asking.limits, importCost: null } };
  expect(aiResultWords(unlimited)).toBe('5 products asked; 11 proposals. 4,120 tokens, under $0.01.');
  const known = { ...five, answered: 1, proposals: 0, requests: 0 };
  expect(aiResultWords(known)).toBe('1 product asked; no proposals. Nothing was sent.');
});

it('the cost before asking is about an amount, or about tokens without prices', () => {
  expect(askAllWords(asking)).toBe('Ask about all 4,000: about $0.60');
  const one = { products: 1, tokens: 300, cost: null };
  expect(askAllWords({ ...asking, estimate: one })).toBe('Ask about 1 product: about 300 tokens');
  expect(estimatedCostWords({ tokens: 1_200_000, cost: null, currency: null })).toBe(
    'about 1,200,000 tokens',
  );
  expect(estimateSample(asking)).toEqual({ products: 5, words: 'under $0.01' });
  const few = { ...asking, estimate: { products: 3, tokens: 300, cost: null } };
  expect(estimateSample(few)).toEqual({ products: 3, words: 'about 300 tokens' });
});

it('says before asking that a limit will end it', () => {
  const tokens = { ...asking, tokens: 0, cost: null, currency: null };
  expect(aboveLimitWords(tokens)).toBe(
    'That’s above the limit of 500,000 tokens for an import, so asking will stop at the limit. You can raise the limit in Settings.',
  );
  expect(aboveLimitWords({ ...tokens, estimate: { products: 9, tokens: 400_000, cost: null } })).toBe(null);
  // What was used before counts too.
  const priced = { ...asking, limits: { ...asking.limits, importTokens: 2_000_000 } };
  expect(aboveLimitWords(priced)).toBe(null);
  expect(aboveLimitWords({ ...priced, cost: 1.5 })).toContain('the limit of $2.00');
});

it('all were asked only with the fields that are chosen', () => {
  const done = { ...asking, answered: 3_990, failed: 10 };
  expect(isAskedAlready(done, ['type'])).toBe(true);
  expect(isAskedAlready(done, ['type', 'tags'])).toBe(false);
  expect(isAskedAlready({ ...done, answered: 5 }, ['type'])).toBe(false);
  expect(
    isAskedAlready({ ...done, estimate: { products: 0, tokens: 0, cost: 0 }, answered: 0, failed: 0 }, [
      'type',
    ]),
  ).toBe(false);
});

it('a currency that no one knows stands before the number', () => {
  expect(moneyWords(1.5, 'credits')).toBe('credits 1.50');
  expect(moneyWords(0, 'EUR')).toBe('€0.00');
});

it('dropped values are counted by cause, the most frequent first', () => {
  expect(listRefusalCauses(none)).toEqual([]);
  expect(listRefusalCauses({ ...none, html: 1, facts: 12 })).toEqual([
    '12: facts that the row doesn’t have',
    '1: markup that isn’t allowed',
  ]);
});
