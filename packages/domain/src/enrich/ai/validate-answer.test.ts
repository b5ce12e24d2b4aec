import { runInNewContext } from 'node:vm';
import { expect, it, test } from 'vitest';
import { type AskedProduct, askableFields, type ProductAnswer, readAnswer } from './answer.ts';
import { failureName } from './testing/failure-name.ts';
import { findFailures, proposedTagsMax, validateAnswer } from './validate-answer.ts';

const mug: AskedProduct = {
  product: {
    title: 'Stoneware Mug 300 ml',
    vendor: 'Kiln & Fern',
    tags: ['mug'],
    options: [{ name: 'Color', values: ['Blue'] }],
  },
  asked: askableFields,
  types: ['Mugs & Cups'],
};
const nothing: ProductAnswer = {
  id: 'a',
  description: null,
  type: null,
  brand: null,
  tags: [],
  evidence: { description: [], type: [], brand: [], tags: [] },
  flags: [],
};
const quoting = (...quotes: string[]) => ({ description: quotes, type: quotes, brand: quotes, tags: quotes });

it('keeps values with their evidence, and drops the others with the check that they failed', () => {
  const answer = {
    ...nothing,
    description: 'A blue stoneware mug that holds 300 ml.',
    type: 'mugs & cups',
    brand: 'Northwind',
    tags: ['Mug', 'stoneware', 'blue', 'Stoneware', 'gift'],
    evidence: quoting('Stoneware Mug', 'Blue'),
  };
  expect(validateAnswer(mug, answer)).toEqual({
    accepted: [
      { field: 'description', value: answer.description, evidence: ['Stoneware Mug', 'Blue'] },
      { field: 'type', value: 'Mugs & Cups', evidence: ['Stoneware Mug', 'Blue'] },
      { field: 'tags', value: 'mug, stoneware, blue', evidence: ['Stoneware Mug', 'Blue'] },
    ],
    dropped: [
      {
        field: 'vendor',
        value: 'Northwind',
        failure: { cause: 'facts', check: 'brand', found: 'Northwind' },
      },
      { field: 'tags', value: 'Mug', failure: { cause: 'unchanged', found: 'Mug' } },
      { field: 'tags', value: 'gift', failure: { cause: 'facts', check: 'words', found: 'gift' } },
    ],
    flags: [],
  });
});

it('leaves out what was not asked for', () => {
  const flags = [{ field: 'title', reason: 'not-a-product' }] as const;
  const answer = {
    ...nothing,
    type: 'Mug',
    tags: ['blue'],
    flags: [...flags, ...flags],
    evidence: quoting('Mug'),
  };
  expect(validateAnswer({ ...mug, asked: ['flags'] }, answer)).toEqual({ accepted: [], dropped: [], flags });
  expect(validateAnswer({ ...mug, asked: ['vendor'] }, answer)).toEqual({
    accepted: [],
    dropped: [],
    flags: [],
  });
});

it('proposes no more tags than a product should have', () => {
  const letters = [...'abcdefghijkl'].map((letter) => `tag${letter}`);
  const asked = { ...mug, product: { title: letters.join(' ') } };
  const { accepted, dropped } = validateAnswer(asked, {
    ...nothing,
    tags: letters,
    evidence: quoting('taga'),
  });
  expect(accepted[0]?.value.split(', ')).toHaveLength(proposedTagsMax);
  expect(dropped.map(({ failure }) => failure.cause)).toEqual(['length', 'length']);
});

it('refuses a description that is much shorter than the present one', () => {
  const description = 'A stoneware mug with a handle, glazed inside, for the table and the office. '.repeat(
    3,
  );
  const answer = { ...nothing, description: 'A stoneware mug that holds 300 ml.', evidence: quoting('Mug') };
  const { dropped } = validateAnswer({ ...mug, product: { ...mug.product, description } }, answer);
  expect(dropped.map(({ failure }) => failure.cause)).toEqual(['length']);
});

it('accepts a brand only where the row names it', () => {
  const brandOf = (title: string, brand: string) =>
    validateAnswer({ ...mug, product: { title } }, { ...nothing, brand, evidence: quoting(title) }).accepted
      .length;
  expect(brandOf('Aldane A7 phone case', 'Aldane')).toBe(1);
  expect(brandOf('Phone case for A7', 'Aldane')).toBe(0);
  expect(brandOf('Mugs & Cups blue', 'Mugs & Cups')).toBe(0);
});

it.each([
  ['text', 'no JSON'],
  ['another id', { products: [{ ...nothing, id: 'b' }] }],
  ['two answers for an id', { products: [nothing, nothing] }],
  ['an unknown property', { products: [{ ...nothing, price: '1' }] }],
  ['no answer', { products: [] }],
])('calls %s malformed', (_what, value) => {
  expect(readAnswer(value, ['a'])).toEqual(new Map());
});

it('keeps the answers of a request in which one is missing', () => {
  expect(readAnswer({ products: [nothing] }, ['a', 'c'])).toEqual(new Map([['a', nothing]]));
});

const causesOf = (description: string, product = mug.product) =>
  findFailures('description', description, ['Stoneware Mug'], { ...mug, product }).map(failureName);

it.each([
  ['a Greek letter in a word', 'other', 'A blue stonewαre mug that holds 300 ml.'],
  ['framed letters', 'other', 'A blue stoneware mug that holds 300 ml, 🅲🅴🆁🆃🅸🅵🅸🅴🅳.'],
  ['a flag', 'other', 'A blue stoneware mug that holds 300 ml 🇩🇪.'],
  ['Kannada digits', 'facts.number', 'A blue stoneware mug that holds ೪೮ cl.'],
  ['digits of Myanmar', 'facts.number', 'A blue stoneware mug that holds ၄၈ ml.'],
  ['digits in circles', 'facts.number', 'A blue stoneware mug that holds ❹❽ ml.'],
  ['&shy', 'html', 'A blue stoneware mug that holds 300 ml, certi&shyfied.'],
  ['&reg', 'html', 'A blue stoneware mug&reg that holds 300 ml.'],
])('refuses a description with %s', (_what, cause, description) => {
  expect(causesOf(description)).toContain(cause);
});

it('accepts what looks alike and is in the row', () => {
  expect(causesOf('A blue stoneware mug by Kiln & Fern that holds 300 ml.')).toEqual([]);
  const kannada = { ...mug.product, title: 'Stoneware Mug ೪೮ cl' };
  expect(causesOf('A blue stoneware mug that holds 48 cl.', kannada)).toEqual([]);
});

it('refuses an entity without a semicolon in a type and a tag', () => {
  const failures = (['type', 'tags'] as const).map((field) =>
    findFailures(field, 'Stone&shyware', ['Mug'], mug).map(failureName),
  );
  for (const names of failures) expect(names).toContain('html');
});

it('refuses a longer quote than any value, and reads the quotes of tags once', () => {
  const long = 'Stoneware Mug '.repeat(200).trim();
  expect(findFailures('type', 'Mug', [long], mug)).toEqual([
    { cause: 'facts', check: 'evidence', found: `a quote of ${long.length} characters` },
  ]);
  const description = 'Stoneware Mug '.repeat(140).trim();
  const asked = { ...mug, product: { ...mug.product, description } };
  expect(findFailures('type', 'Mug', [description], asked)).toEqual([]);
});

const enoughMs = 20_000;
const mebibyte = 1_048_576;

it.each(['a', 'ab1', 'a ', ' ', '不', '&shy', '೪'])('ends on an answer of a mebibyte of %j', (piece) => {
  const long = `a${piece.repeat(mebibyte / piece.length)}a`;
  const answers = [
    { ...nothing, description: long, evidence: quoting('Mug') },
    { ...nothing, type: long, brand: long, evidence: quoting('Mug') },
    { ...nothing, tags: Array(50).fill(long), evidence: quoting('Mug') },
    { ...nothing, tags: Array.from({ length: 50 }, (_, at) => `tag ${at}`), evidence: quoting(long) },
  ];
  const types = Array.from({ length: 200 }, (_, at) => `${at} ${'Mugs'.repeat(50)}`);
  const work = () => answers.map((answer) => validateAnswer({ ...mug, types }, answer).accepted);
  const accepted = runInNewContext('work()', { work }, { timeout: enoughMs }) as ReturnType<typeof work>;
  expect(accepted).toEqual([[], [], [], []]);
});

const pieces = ['ab1', 'a', '<p', '1 ', 'A ', 'x1', '\n', '不', 'a-free '];

test.each(pieces)('ends on long texts of %j', (piece) => {
  const long = piece.repeat(20_000 / piece.length);
  const column = { name: long.slice(0, 60), value: long.slice(0, 200) };
  const product = {
    title: long.slice(0, 2_000),
    description: long.slice(0, 2_000),
    columns: Array(10).fill(column),
  };
  const answer = {
    ...nothing,
    description: long,
    type: long,
    brand: long,
    tags: Array(60).fill(long),
    evidence: quoting(long),
  };
  const work = () => validateAnswer({ ...mug, product }, answer);
  const { accepted } = runInNewContext('work()', { work }, { timeout: enoughMs }) as ReturnType<typeof work>;
  expect(accepted).toEqual([]);
});
