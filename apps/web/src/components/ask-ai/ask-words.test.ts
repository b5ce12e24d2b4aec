import type { AiOfImport } from '@draftshelf/contract/ai';
import { expect, it } from 'vitest';
import {
  aboutWords,
  askAllWords,
  moneyWords,
  progressWords,
  refusedWords,
  resultWords,
  sampleOf,
} from './ask-words.ts';

const none = { malformed: 0, facts: 0, language: 0, length: 0, html: 0, other: 0 };
const asking: AiOfImport = {
  ...{ state: 'asking', reason: null, service: null, fields: ['type'] },
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
  expect(resultWords(unlimited)).toBe('5 products asked; 11 proposals. 4,120 tokens, under $0.01.');
  const known = { ...five, answered: 1, proposals: 0, requests: 0 };
  expect(resultWords(known)).toBe('1 product asked; no proposals. Nothing was sent.');
});

it('the cost before asking is about an amount, or about tokens without prices', () => {
  expect(askAllWords(asking)).toBe('Ask about all 4,000: about $0.60');
  expect(aboutWords({ tokens: 1_200_000, cost: null, currency: null })).toBe('about 1,200,000 tokens');
  expect(sampleOf(asking)).toEqual({ products: 5, words: 'under $0.01' });
  const few = { ...asking, estimate: { products: 3, tokens: 300, cost: null } };
  expect(sampleOf(few)).toEqual({ products: 3, words: 'about 300 tokens' });
});

it('a currency that no one knows stands before the number', () => {
  expect(moneyWords(1.5, 'credits')).toBe('credits 1.50');
  expect(moneyWords(0, 'EUR')).toBe('€0.00');
});

it('dropped values are counted by cause, the most frequent first', () => {
  expect(refusedWords(none)).toEqual([]);
  expect(refusedWords({ ...none, language: 1, facts: 12 })).toEqual([
    '12: facts that the row doesn’t have',
    '1: another language',
  ]);
});
