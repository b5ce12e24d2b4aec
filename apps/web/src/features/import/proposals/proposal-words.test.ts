import { expect, it } from 'vitest';
import {
  countedWords,
  dismissLabel,
  fieldOfRow,
  filterChips,
  limitWords,
  originWords,
  productsWords,
  quotedOf,
  reasonWords,
  whyWords,
} from './proposal-words.ts';

it('a disagreement names what differs', () => {
  expect(reasonWords({ field: 'title', reason: 'differs' })).toBe('The source has another title.');
  expect(reasonWords({ field: 'type', reason: 'differs' })).toBe('The source names another type.');
  expect(reasonWords({ field: 'image', reason: 'bad-picture' })).toBe(
    'The store wouldn’t accept the product’s own picture.',
  );
});

it('a reason that is a sentence is shown as it is', () => {
  expect(reasonWords({ field: 'type', reason: 'By the rule “Vases”.' })).toBe('By the rule “Vases”.');
});

it('an origin is a source, with its license, or AI', () => {
  const from = (source: string, sourceName: string, attribution: string | null) =>
    originWords({ source, sourceName, attribution });
  expect(from('UPCitemdb', 'upcitemdb', null)).toBe('From UPCitemdb');
  expect(from('Open Products Facts', 'open-products-facts', 'CC BY-SA')).toBe(
    'From Open Products Facts · CC BY-SA',
  );
  expect(from('AI', 'ai', null)).toBe('Proposed by AI');
});

it('a number that was not counted to the end has a plus', () => {
  expect(countedWords(60)).toBe('60');
  expect(countedWords(10_000)).toBe('10,000+');
  expect(productsWords(1)).toBe('1 product');
  expect(productsWords(10_000)).toBe('10,000+ products');
});

it('names the limit of one decision where there are more proposals', () => {
  expect(limitWords(2000)).toBe(null);
  expect(limitWords(2001)).toBe('Only the first 2,000 at once.');
});

it('a field has the name that other screens give it', () => {
  expect(fieldOfRow({ field: 'type', row: 4 })).toBe('type of row 4');
  expect(fieldOfRow({ field: 'vendor', row: 1200 })).toBe('brand of row 1,200');
});

const counts = [
  { field: 'description', source: 'ai', label: 'AI', count: 5 },
  { field: 'type', source: 'rule', label: 'your rules', count: 60 },
  { field: 'type', source: 'own', label: 'your earlier imports', count: 2 },
];
const shown = (chips: ReturnType<typeof filterChips>) => ({
  fields: chips.fields.map(({ label, count }) => [label, count]),
  sources: chips.sources.map(({ label, count }) => [label, count]),
});

it('counts the proposals of each field and source, the largest first', () => {
  expect(shown(filterChips(counts, {}))).toEqual({
    fields: [
      ['Type', 62],
      ['Description', 5],
    ],
    sources: [
      ['Your rules', 60],
      ['AI', 5],
      ['Your earlier imports', 2],
    ],
  });
});

it('keeps the chips of an active filter when all of its proposals are decided', () => {
  expect(shown(filterChips(counts.slice(0, 1), { field: 'type', source: 'rule' }))).toEqual({
    fields: [['Type', 0]],
    sources: [['Your rules', 0]],
  });
  expect(shown(filterChips([], { source: 'ai' }))).toEqual({ fields: [], sources: [['AI', 0]] });
});

it('a supplier says what he says now and said before; other evidence is quoted', () => {
  const acme = {
    ...{ field: 'price', source: 'the supplier', sourceName: 'supplier', attribution: null },
    ...{ reason: 'Acme: 13.00 (was 12.00). Yours: 14.40.', evidence: 'was 12.00' },
  };
  expect(whyWords(acme)).toBe('Acme: 13.00 (was 12.00). Yours: 14.40.');
  expect(quotedOf(acme)).toBeNull();
  expect(dismissLabel('supplier')).toBe('Keep Mine');
  const ai = { ...acme, field: 'type', sourceName: 'ai', reason: 'differs', evidence: 'oak' };
  expect(whyWords(ai)).toBe('Proposed by AI. The source names another type.');
  expect(quotedOf(ai)).toBe('oak');
  expect(dismissLabel('ai')).toBe('Dismiss');
});
