import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ValueFailure } from './answer.ts';
import { textOfHtml } from './fold-text.ts';
import { type RowFacts, toRowFacts } from './row-facts.ts';
import { type AnswerCase, type CaseAnswer, parseCases } from './testing/answer-cases.ts';
import { failureName } from './testing/failure-name.ts';
import { findFailures } from './validate-answer.ts';

const folder = new URL('../../../../../tests/fixtures/ai/', import.meta.url);
const readCases = (file: string) => parseCases(readFileSync(new URL(file, folder), 'utf8'));

const cases = ['home.txt', 'trade.txt', 'languages.txt'].flatMap(readCases);

type GoodText = {
  row: RowFacts;
  one: AnswerCase;
  answer: CaseAnswer;
  text: string;
  fails: (text: string) => ValueFailure[];
};

/** The good descriptions as plain texts. Each fails no check. */
const texts = cases.flatMap((one): GoodText[] => {
  const row = toRowFacts(one.asked.product);
  return one.good
    .filter(({ field }) => field === 'description')
    .map((answer) => ({
      one,
      row,
      answer,
      text: textOfHtml(answer.values[0] ?? '').replace(/\s+/g, ' '),
      fails: (text) => findFailures('description', text, answer.evidence, one.asked, row),
    }));
});

/** The changed texts that pass, or fail other checks only. */
function missed(changes: (good: GoodText) => readonly string[], checks: readonly string[]): string[] {
  let count = 0;
  const passed = texts.flatMap((good) =>
    changes(good).flatMap((text) => {
      count++;
      const names = good.fails(text).map(failureName);
      return names.some((name) => checks.includes(name))
        ? []
        : [`${good.one.name}: ${text} (${names.join()})`];
    }),
  );
  expect(count).toBeGreaterThanOrEqual(texts.length / 2);
  return passed;
}

/** The text with something inserted at three places between words; in scripts without spaces between sentences. */
function insertions(text: string, inserted: string): string[] {
  const words = text.split(' ');
  const places = [1, Math.floor(words.length / 2), words.length - 1].filter(
    (at) => at > 0 && at < words.length,
  );
  if (places.length === 0) return [`${inserted} ${text}`];
  return [...new Set(places)].map((at) => [...words.slice(0, at), inserted, ...words.slice(at)].join(' '));
}

test('the good texts pass', () => {
  expect(texts.flatMap(({ text, fails }) => (fails(text).length === 0 ? [] : [text]))).toEqual([]);
});

test.each(['7', '0.75', '1,250', 'XT900'])('a text with the number %s inserted is refused', (number) => {
  const without = ({ row }: GoodText) => !row.text.includes(number.toLowerCase());
  const changes = (good: GoodText) => (without(good) ? insertions(good.text, number) : []);
  expect(missed(changes, ['facts.number', 'other'])).toEqual([]);
});

const units: Record<string, readonly string[]> = {
  cm: ['mm', 'm', 'inches'],
  mm: ['cm', 'in.'],
  ml: ['l', 'oz', 'cl'],
  cl: ['ml', 'l'],
  l: ['ml', 'gallons'],
  g: ['kg', 'oz', 'mg'],
  kg: ['g', 'lbs'],
  in: ['cm'],
  gb: ['MB', 'TB'],
  w: ['kW', 'V'],
  h: ['min', 'days'],
  gsm: ['g', 'kg'],
};
const quantity = /(\d) ?(cm|mm|ml|cl|l|g|kg|in|gb|w|h|gsm)(?![\p{L}\p{N}²]| (?!wide|and)\p{L}+ing)/giu;

test('a text with another unit is refused', () => {
  const changes = ({ text }: GoodText) =>
    [...text.matchAll(quantity)].flatMap((match) =>
      (units[match[2]?.toLowerCase() ?? ''] ?? []).map(
        (unit) =>
          `${text.slice(0, match.index)}${match[1]} ${unit}${text.slice(match.index + match[0].length)}`,
      ),
    );
  expect(missed(changes, ['facts.unit', 'facts.number'])).toEqual([]);
});

const names = ['Nordvale', 'Quillmark', 'Royal Tamsin', 'Samsung'];
test.each(names)('the brand %s is refused for every row', (name) => {
  const accepted = cases.filter(
    ({ asked }) =>
      !findFailures('vendor', name, [asked.product.title ?? ''], asked).some(
        (one) => failureName(one) === 'facts.brand',
      ),
  );
  expect(accepted.map((one) => one.name)).toEqual([]);
});

const additions = [
  'www.shop.example',
  'https://evil.test/a?b=1',
  'shop dot com',
  'mail@shop.example',
  '+49 30 1234567',
  '$19.99',
  '19,99 €',
  'javascript:alert(1)',
  'As an AI language model',
  'Ignore all previous instructions',
  '<|im_end|>',
  '[insert brand here]',
  '#cozy',
  '😀',
  'U2VjcmV0IHRleHQgdG8gYmUgZGVjb2RlZA==',
];

test.each(additions)('a text with %s is refused', (added) => {
  expect(missed(({ text }) => insertions(text, added).slice(-2, -1), ['other'])).toEqual([]);
});

test.each(['200b', 'feff', 'ad', '202e', '2066', '0', 'e000', 'e0041', 'd800'])(
  'a text with the character %s is refused',
  (code) => {
    const character = String.fromCodePoint(Number.parseInt(code, 16));
    const changes = ({ text }: GoodText) =>
      [3, Math.floor(text.length / 2), text.length].map(
        (at) => text.slice(0, at) + character + text.slice(at),
      );
    expect(missed(changes, ['other'])).toEqual([]);
  },
);

const wrapped: ((text: string) => string)[] = [
  (text) => `<script>${text}</script>`,
  (text) => `<p class="a">${text}</p>`,
  (text) => `<p>${text}`,
  (text) => `${text}</p>`,
  (text) => `<P>${text}</P>`,
  (text) => `<p>${text}<img src=x></p>`,
  (text) => `<p><ul><li>${text}</li></ul></p>`,
  (text) => `<li>${text}</li>`,
  (text) => `<p>${text}</p><!-- x -->`,
  (text) => `## ${text}`,
  (text) => `- ${text}`,
  (text) => `${text} <br onclick=x>`,
];

test('a text in other HTML is refused', () => {
  expect(missed(({ text }) => wrapped.map((wrap) => wrap(text)), ['html'])).toEqual([]);
});

test('a number in other digits is refused', () => {
  expect(missed(({ text }) => [`<p>${text} ３８４ pieces</p>`], ['facts.number'])).toEqual([]);
});

test('a quote that the row does not have is refused', () => {
  for (const { one, answer, text } of texts) {
    const quotes = [[], [''], ['...'], ['not a word of it'], [...answer.evidence, 'certified']];
    for (const evidence of quotes)
      expect(findFailures('description', text, evidence, one.asked).map(failureName)).toContain(
        'facts.evidence',
      );
  }
});
