import { valueFields } from '@draftshelf/domain/base/field-value';
import { expect, test } from 'vitest';
import {
  changeLineField,
  createLine,
  findLineProblems,
  type LineDraft,
  type LineField,
  type LineKind,
  listKindOptions,
  toOperation,
} from './operation-draft.ts';
import { createPresetLines, presets } from './use-lines.ts';

const fields: LineField[] = [...valueFields, 'rows'];
const line = (given: Partial<LineDraft>) => createLine(1, given);

test('every kind that a field is offered makes an operation of that field', () => {
  const entered: Partial<LineDraft> = {
    value: 'active',
    find: 'a',
    amount: '10',
    step: '0.05',
    chars: '80',
    tags: ['sale'],
    column: 'Brand',
    values: [{ from: 'n/a', to: '' }],
  };
  const refused = fields.flatMap((field) =>
    listKindOptions(field).filter(({ value: kind }) => {
      const from = field === 'title' ? 'vendor' : 'title';
      return toOperation(line({ ...entered, field, kind, from })) === null;
    }),
  );
  expect(refused).toEqual([]);
});

test('amounts are offered for numbers, tags for tags, a margin for the price', () => {
  const kindsOf = (field: LineField) => listKindOptions(field).map(({ value }) => value);
  expect(kindsOf('price')).toEqual(expect.arrayContaining(['multiply', 'round', 'margin', 'percent-of']));
  expect(kindsOf('cost')).not.toContain('margin');
  expect(kindsOf('quantity')).not.toContain('percent-of');
  expect(kindsOf('title')).not.toContain('multiply');
  expect(kindsOf('tags')).toContain('add-tags');
  expect(kindsOf('vendor')).not.toContain('add-tags');
  // A word in part of a choice would be no choice.
  expect(kindsOf('status')).toEqual(['set', 'clear', 'copy-field', 'copy-column', 'fill-down']);
  expect(kindsOf('rows')).toEqual(['leave-out', 'put-back']);
  expect(kindsOf('options')).toEqual(['map']);
});

test.each<[LineKind, Partial<LineDraft>, object]>([
  ['multiply', { amount: ' 1,2 ' }, { kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' }],
  ['percent', { amount: '+.5' }, { kind: 'calculate', field: 'price', by: 'percent', amount: '0.5' }],
  ['round', {}, { kind: 'round', field: 'price', to: { ending: '.99' }, direction: 'nearest' }],
  [
    'round',
    { roundTo: 'step', step: '0.05', direction: 'up' },
    { kind: 'round', field: 'price', to: { step: '0.05' }, direction: 'up' },
  ],
  ['margin', { amount: '40' }, { kind: 'margin', percent: '40' }],
  ['clear', { value: 'left from another kind' }, { kind: 'clear', field: 'price' }],
  ['put-back', { field: 'rows' }, { kind: 'leave-out', leaveOut: false }],
  [
    'map',
    { field: 'options', values: [{ from: 'Size: Sm', to: 'S' }] },
    { kind: 'map-options', values: [{ from: 'Size: Sm', to: 'S' }] },
  ],
  ['prefix', { field: 'title', value: 'New ' }, { kind: 'prefix', field: 'title', text: 'New ' }],
  [
    'replace',
    { find: ' ', isWhole: true },
    { kind: 'replace', field: 'price', find: ' ', with: '', whole: true, matchCase: false },
  ],
])('%s with %o', (kind, given, operation) => {
  expect(toOperation(line({ kind, ...given }))).toEqual(operation);
});

test.each<[Partial<LineDraft>, object]>([
  [{ kind: 'multiply', amount: 'abc' }, { amount: 'Enter a number, for example 1.2.' }],
  [{ kind: 'add', amount: '1,200' }, { amount: 'Enter a number, for example 1.2.' }],
  [{ kind: 'multiply', amount: '' }, { amount: 'Enter a number, for example 1.2.' }],
  [{ kind: 'percent-of', amount: '-5' }, { amount: 'Enter a number above 0.' }],
  [{ kind: 'margin', amount: '100' }, { amount: 'Enter a margin below 100.' }],
  [{ kind: 'round', roundTo: 'step', step: '0' }, { step: 'Enter a number above 0.' }],
  [{ kind: 'set', value: '  ' }, { value: 'Enter a value of at most 5,000 characters.' }],
  [{ kind: 'replace', field: 'title' }, { find: 'Enter the text to find.' }],
  [{ kind: 'cut', field: 'title', chars: '1.5' }, { chars: 'Enter a whole number from 1 to 5,000.' }],
  [{ kind: 'add-tags', field: 'tags' }, { tags: 'Enter at least one tag.' }],
  [{ kind: 'copy-field' }, { source: 'Choose where the values come from.' }],
  [{ kind: 'copy-column' }, { source: 'Choose where the values come from.' }],
  [{ kind: 'map' }, { values: 'Choose 1 to 200 values from the list below.' }],
  [{ kind: 'clear' }, {}],
])('%o lacks %o', (given, problems) => {
  expect(findLineProblems(line(given))).toEqual(problems);
  expect(toOperation(line(given)) === null).toBe(Object.keys(problems).length > 0);
});

test('another field keeps what is done if that is offered for it', () => {
  const multiplied = line({ kind: 'multiply', amount: '1.2' });
  expect(changeLineField(multiplied, 'cost')).toMatchObject({
    field: 'cost',
    kind: 'multiply',
    amount: '1.2',
  });
  expect(changeLineField(multiplied, 'title')).toMatchObject({ field: 'title', kind: 'set' });
  expect(changeLineField(multiplied, 'rows')).toMatchObject({ kind: 'leave-out' });
  // An amount is no percentage of itself.
  expect(changeLineField(line({ kind: 'percent-of', of: 'cost' }), 'cost').of).toBe('price');
  expect(changeLineField(line({ kind: 'copy-field', from: 'vendor' }), 'vendor').from).toBeNull();
});

test('a preset begins with the field that the rows are filtered by', () => {
  const [changePrice, , clear] = presets;
  if (changePrice === undefined || clear === undefined) throw new Error('presets are missing');
  expect(createPresetLines(changePrice, 'title', 5).map(({ id, field, kind }) => [id, field, kind])).toEqual([
    [5, 'price', 'multiply'],
  ]);
  expect(createPresetLines(changePrice, 'cost', 5)).toMatchObject([{ field: 'cost' }]);
  expect(createPresetLines(clear, 'upc', 1)).toMatchObject([{ field: 'upc', kind: 'clear' }]);
});
