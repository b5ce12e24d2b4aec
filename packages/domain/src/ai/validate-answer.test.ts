import { runInNewContext } from 'node:vm';
import { expect, it, test } from 'vitest';
import { type AskedProduct, askableFields, type ProductAnswer } from './answer.ts';
import { readAnswer } from './read-answer.ts';
import { proposedTagsMax, validateAnswer } from './validate-answer.ts';

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

it('knows a brand only where the row names it as one', () => {
  const brandOf = (title: string, brand: string) =>
    validateAnswer({ ...mug, product: { title } }, { ...nothing, brand, evidence: quoting(title) }).accepted
      .length;
  expect(brandOf('Aldane A7 phone case', 'Aldane')).toBe(1);
  expect(brandOf('Phone case for Aldane A7', 'Aldane')).toBe(0);
  expect(brandOf('Mugs & Cups blue', 'Mugs & Cups')).toBe(0);
});

it.each([
  ['text', 'no JSON'],
  ['another id', { products: [{ ...nothing, id: 'b' }] }],
  ['two answers for an id', { products: [nothing, nothing] }],
  ['an unknown property', { products: [{ ...nothing, price: '1' }] }],
  ['no answer', { products: [] }],
])('calls %s malformed', (_what, value) => {
  expect(readAnswer(value, ['a'])).toEqual({ answers: new Map(), malformed: ['a'] });
});

it('keeps the answers of a request in which one is missing', () => {
  expect(readAnswer({ products: [nothing] }, ['a', 'c'])).toEqual({
    answers: new Map([['a', nothing]]),
    malformed: ['c'],
  });
});

const enoughMs = 20_000;
const pieces = ['a', '<p', '1 ', 'A ', 'x1', '\n', '不', 'a-free '];

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
