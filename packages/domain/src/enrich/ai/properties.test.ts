import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Failure } from './answer.ts';
import { failureName } from './failure-name.ts';
import { textOfHtml } from './fold-text.ts';
import { type RowFacts, rowFacts } from './row-facts.ts';
import { type AnswerCase, type CaseAnswer, parseCases } from './testing/answer-cases.ts';
import { failuresOf } from './validate-answer.ts';

const folder = new URL('../../../../../tests/fixtures/ai/', import.meta.url);
const readCases = (file: string) => parseCases(readFileSync(new URL(file, folder), 'utf8'));

const cases = ['home.txt', 'trade.txt', 'languages.txt'].flatMap(readCases);

type GoodText = {
  row: RowFacts;
  one: AnswerCase;
  answer: CaseAnswer;
  text: string;
  language: string;
  fails: (text: string) => Failure[];
};

/** The good descriptions as plain texts. Each fails no check. */
const texts = cases.flatMap((one): GoodText[] => {
  const row = rowFacts(one.asked.product);
  return one.good
    .filter(({ field }) => field === 'description')
    .map((answer) => ({
      one,
      row,
      answer,
      text: textOfHtml(answer.values[0] ?? '').replace(/\s+/g, ' '),
      language: row.language ?? [...row.scripts].join(),
      fails: (text) => failuresOf('description', text, answer.evidence, one.asked, row),
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
const makerBefore: Record<string, string> = {
  en: 'by',
  de: 'von',
  fr: 'de',
  es: 'de',
  it: 'di',
  nl: 'van',
  pt: 'de',
  sv: 'från',
  da: 'fra',
  pl: 'z',
};

test.each(names)('a text with the maker %s is refused', (name) => {
  const changes = ({ text, language }: GoodText) => {
    const before = makerBefore[language];
    return [`${text.replace(/[.。]$/, '')} ${before ?? 'by'} ${name}.`];
  };
  expect(missed(changes, ['facts.brand'])).toEqual([]);
});

test.each(names)('the brand %s is refused for every row', (name) => {
  const accepted = cases.filter(
    ({ asked }) =>
      !failuresOf('vendor', name, [asked.product.title ?? ''], asked).some(
        (one) => failureName(one) === 'facts.brand',
      ),
  );
  expect(accepted.map((one) => one.name)).toEqual([]);
});

/** Words with their translations; the first is of the language of the text. */
const translations: Record<string, readonly [RegExp, string][]> = {
  en: [
    [/\bwith\b/, 'mit'],
    [/\band\b/, 'und'],
    [/\band\b/, 'avec'],
    [/\bmade of\b/, 'aus'],
    [/\bfor\b/, 'für'],
    [/\bcotton\b/, 'Baumwolle'],
    [/\bstainless steel\b/, 'Edelstahl'],
    [/\bblack\b/, 'schwarz'],
  ],
  de: [
    [/\bund\b/, 'and'],
    [/\bmit\b/, 'with'],
    [/\baus\b/, 'from'],
    [/\bmit\b/, 'avec'],
  ],
  fr: [
    [/\bavec\b/, 'with'],
    [/\bet\b/, 'and'],
    [/\bdans\b/, 'nella'],
  ],
  es: [
    [/\bcon\b/, 'with'],
    [/\bpara\b/, 'für'],
  ],
  it: [
    [/\bcon\b/, 'with'],
    [/\be\b/, 'and'],
  ],
  nl: [[/\bvan\b/, 'with']],
  pt: [
    [/\bcom\b/, 'with'],
    [/\bpara\b/, 'for the'],
  ],
  sv: [[/\boch\b/, 'and']],
  da: [[/\bmed\b/, 'with']],
  pl: [[/\bjest\b/, 'with']],
};

test('a text with a translated word is refused', () => {
  const changes = ({ text, language }: GoodText) =>
    (translations[language] ?? [])
      .filter(([word]) => word.test(text))
      .map(([word, other]) => text.replace(word, other));
  expect(missed(changes, ['language'])).toEqual([]);
});

const claims: Record<string, readonly string[]> = {
  en: [
    'It is dermatologically tested.',
    'It is dishwasher safe.',
    'Certified by an independent institute.',
    'The best choice for your home.',
    'Made in Portugal.',
    'It is BPA free.',
    'It is eco-friendly and sustainable.',
  ],
  de: [
    'Er ist spülmaschinenfest.',
    'Mit Garantie.',
    'Nachhaltig hergestellt in Italien.',
    'Klinisch getestet.',
    'Ohne Schadstoffe.',
    'Die beste Wahl.',
  ],
  fr: [
    'Il est étanche.',
    'Fabriqué en Italie.',
    'Cliniquement prouvé.',
    'Sans parabènes.',
    'Le meilleur choix.',
  ],
  es: ['Es impermeable.', 'Con garantía de por vida.', 'Hecho en Italia.', 'El mejor.'],
  it: ['Impermeabile.', 'Con garanzia.', 'Certificato.', 'Il migliore.'],
  nl: ['Met garantie.', 'Gecertificeerd.', 'Duurzaam.'],
  pt: ['Com garantia.', 'Certificado.', 'O melhor.'],
  sv: ['Med garanti.', 'Certifierad.', 'Hållbar.'],
  da: ['Med garanti.', 'Certificeret.', 'Bæredygtig.'],
  pl: ['Z gwarancją.', 'Certyfikowana.', 'Najlepsza.'],
  cyrillic: ['Гарантия качества.', 'Сертифицирован.'],
  kana: ['防水です。', 'オーガニックです。'],
  han: ['通过认证。', '防水。'],
  greek: ['Πιστοποιημένο.'],
};

test('a text with a claim is refused', () => {
  const changes = ({ text, language }: GoodText) =>
    (claims[language] ?? []).map((claim) => `${text} ${claim}`);
  expect(missed(changes, ['facts.claim'])).toEqual([]);
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
  'click here',
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

test('a fact in parts is refused', () => {
  const hidden = [
    'dish<em></em>washer-safe',
    'water<strong>proof</strong>',
    'ｗａｔｅｒｐｒｏｏｆ',
    '３８４ pieces',
  ];
  const changes = ({ text }: GoodText) => hidden.map((fact) => `<p>${text} ${fact}</p>`);
  expect(missed(changes, ['facts.claim', 'facts.number'])).toEqual([]);
});

test('a quote that the row does not have is refused', () => {
  for (const { one, answer, text } of texts) {
    const quotes = [[], [''], ['...'], ['not a word of it'], [...answer.evidence, 'certified']];
    for (const evidence of quotes)
      expect(failuresOf('description', text, evidence, one.asked).map(failureName)).toContain(
        'facts.evidence',
      );
  }
});
