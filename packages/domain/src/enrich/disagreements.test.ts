import { expect, it } from 'vitest';
import type { RowValues } from '../base/canonical-fields.ts';
import { findDisagreements } from './disagreements.ts';
import { judgeAnswer } from './judge-answer.ts';
import type { SourceAnswer } from './sources.ts';

const says = (answer: Partial<SourceAnswer>): SourceAnswer => ({
  ...{ title: null, brand: null, description: null, category: null, images: [] },
  ...{ attribution: null, picturesNeedCredit: false },
  ...answer,
});

const long = `${'A vase of blue glass, blown by hand in a small workshop. '.repeat(6)}`;

it.each<[string, RowValues, Partial<SourceAnswer>, string[]]>([
  ['another word in the title', { title: 'Blue Vase round' }, { title: 'Blue Vase square' }, ['title']],
  ['case, spaces and order', { title: 'BLUE  vase, round' }, { title: 'Round Blue Vases' }, []],
  ['a title that says more', { title: 'Blue Vase' }, { title: 'Blue Vase round with Lid' }, []],
  ['the brand in one title', { title: 'Acme Vase', vendor: 'Acme' }, { title: 'Vase', brand: 'Acme' }, []],
  ['another brand', { vendor: 'Acme' }, { brand: 'Globex' }, ['vendor']],
  ['a longer brand', { vendor: 'acme' }, { brand: 'Acme Home' }, []],
  ['another category', { type: 'Vases' }, { category: 'Table Lamps' }, ['type']],
  ['a finer category', { type: 'Home > Vases' }, { category: 'vase' }, []],
  [
    'another short description',
    { description: 'Soft cotton towel' },
    { description: 'A glass vase' },
    ['description'],
  ],
  [
    'a similar one, with tags',
    { description: '<p>A <b>glass</b> vase</p>' },
    { description: 'Glass vase, tall' },
    [],
  ],
  ['a long description', { description: long }, { description: 'Soft cotton towel' }, []],
  ['nothing said', { title: 'Vase', vendor: 'Acme', type: 'Vases', description: 'x' }, {}, []],
  ['nothing to compare with', {}, { title: 'Vase', brand: 'Acme', category: 'Vases' }, []],
])('%s', (_name, values, answer, fields) => {
  expect(findDisagreements(values, says(answer))).toEqual(fields);
});

it('proposes what disagrees beside what the product has, and replaces nothing', () => {
  const values = {
    ...{ title: 'Hand Blown Crystal Flower Table Vase Round', vendor: 'Acme' },
    ...{ type: 'Vases', image: 'https://a.example/1.png' },
  };
  const answer = says({
    ...{ title: 'Hand Blown Crystal Flower Table Vase Square', brand: 'ACME Home' },
    ...{ category: 'Table Lamps', images: ['https://b.example/2.png'] },
  });
  expect(judgeAnswer(values, [], answer)).toEqual([
    { field: 'title', value: answer.title, before: values.title, reason: 'differs' },
    { field: 'type', value: 'Table Lamps', before: 'Vases', reason: 'differs' },
  ]);
  // About another product there is nothing to disagree about.
  expect(judgeAnswer(values, [], { ...answer, title: 'Garden Hose 50 ft' })).toEqual([]);
});

it('proposes a picture only where the store would accept none of the product’s own', () => {
  const values = { title: 'Blue Vase', vendor: 'Acme', image: 'https://a.example/gone.png' };
  const answer = says({ title: 'Blue Vase', brand: 'Acme', images: ['https://b.example/2.png'] });
  expect(judgeAnswer(values, [], answer)).toEqual([]);
  expect(judgeAnswer(values, [], answer, { picturesAreBad: true })).toEqual([
    { field: 'image', value: 'https://b.example/2.png', before: values.image, reason: 'bad-picture' },
  ]);
});
