import { describe, expect, it, test } from 'vitest';
import { toCountryCode } from './countries.ts';
import {
  findMetafieldProblem,
  findMetafieldUnit,
  formatMetafieldValue,
  readMetafieldValue,
} from './metafield-values.ts';
import { isMappable, isSameDefinition, type MappedMetafield } from './metafields.ts';

const of = (type: string, rules: Record<string, string> = {}, unit?: string): MappedMetafield => ({
  ...{ namespace: 'custom', key: 'care', name: 'Care', description: null, type },
  validations: Object.entries(rules).map(([name, value]) => ({ name, value })),
  ...(unit && { unit }),
});

describe('a cell as a value of a type', () => {
  it.each<[string, string, string | null]>([
    ['single_line_text_field', ' two\n lines ', 'two lines'],
    ['multi_line_text_field', 'two\nlines', 'two\nlines'],
    ['number_integer', '1,200', '1200'],
    ['number_integer', '1.5', null],
    ['number_decimal', '-1,5', '-1.5'],
    ['number_decimal', 'n/a', null],
    ['boolean', 'Oui', 'true'],
    ['boolean', '0', 'false'],
    ['date', '2026-02-30', null],
    ['date', '1.2.2026', '2026-02-01'],
    ['date', '01/02/2026', null],
    ['dimension', "5'", '{"value":5,"unit":"ft"}'],
    ['dimension', '12.5 Zoll', '{"value":12.5,"unit":"in"}'],
    ['dimension', '12', null],
    ['volume', '330 ML', '{"value":330,"unit":"ml"}'],
    ['weight', '2 lbs', '{"value":2,"unit":"lb"}'],
    ['url', 'www.a.example', null],
    ['color', '#abc', '#AABBCC'],
    ['list.date', '2026-01-01, 2026-01-02', '["2026-01-01","2026-01-02"]'],
    ['list.weight', '1 kg; 2 kg', '[{"value":1,"unit":"kg"},{"value":2,"unit":"kg"}]'],
    ['list.number_decimal', '1,5', '["1.5"]'],
    ['product_reference', 'x', null],
  ])('%s: %s', (type, text, value) => {
    const read = readMetafieldValue(text, of(type));
    expect('value' in read ? read.value : null).toBe(value);
  });

  it.each<[string, MappedMetafield, string]>([
    [
      'Tumble',
      of('single_line_text_field', { choices: '["Cold"]' }),
      'Care: “Tumble” isn’t one of the choices.',
    ],
    ['12', of('number_integer', { max: '10' }), 'Care: “12” is above 10.'],
    ['1 m', of('dimension', { min: '{"value":2,"unit":"METERS"}' }), 'Care: “1 m” is below 2 m.'],
    ['ab', of('single_line_text_field', { min: '3' }), 'Care: “ab” has fewer than 3 characters.'],
    ['1.234', of('number_decimal', { max_precision: '2' }), 'Care: “1.234” has more than 2 decimals.'],
    [
      'x1',
      of('single_line_text_field', { regex: '^\\d+$' }),
      'Care: “x1” doesn’t have the form that the store asks for.',
    ],
  ])('%s breaks a rule', (text, definition, sentence) => {
    expect(findMetafieldProblem({ 'm:custom.care': text }, definition)).toBe(sentence);
  });

  it('leaves a pattern that may take long to the store', () => {
    const definition = of('single_line_text_field', { regex: '^(a+)+$' });
    expect(findMetafieldProblem({ 'm:custom.care': `${'a'.repeat(60)}!` }, definition)).toBeNull();
  });

  it('has at most 64 KB, and a list 128 entries', () => {
    expect(readMetafieldValue('x'.repeat(65_537), of('multi_line_text_field'))).toHaveProperty('problem');
    const list = Array.from({ length: 129 }, (_, at) => `${at}`).join(';');
    expect(readMetafieldValue(list, of('list.number_integer'))).toHaveProperty('problem');
  });
});

test('a header gives numbers their unit', () => {
  expect(findMetafieldUnit('Width (cm)', of('dimension'))).toBe('cm');
  expect(findMetafieldUnit('Inhalt in Liter', of('volume'))).toBe('liter');
  expect(readMetafieldValue('2', of('volume', {}, 'liter'))).toEqual({ value: '{"value":2,"unit":"l"}' });
  expect(findMetafieldUnit('Width', of('dimension'))).toBeUndefined();
});

test('numbers follow the decimal mark of their column, and texts do not', () => {
  const commas = (type: string): MappedMetafield => ({ ...of(type), decimalComma: true });
  expect(readMetafieldValue('1.299', of('number_decimal'))).toEqual({ value: '1.299' });
  expect(readMetafieldValue('1.299', commas('number_decimal'))).toEqual({ value: '1299' });
  expect(readMetafieldValue('1,250 kg', commas('weight'))).toEqual({ value: '{"value":1.25,"unit":"kg"}' });
  expect(readMetafieldValue('1.299', commas('number_integer'))).toEqual({ value: '1299' });
  expect(readMetafieldValue('1.299', commas('single_line_text_field'))).toEqual({ value: '1.299' });
});

test('values of the store are compared however it writes them', () => {
  expect(formatMetafieldValue({ type: 'weight', value: '{"unit":"KILOGRAMS","value":2.50}' })).toBe('2.5 kg');
  expect(formatMetafieldValue({ type: 'number_decimal', value: '2.50' })).toBe('2.5');
  expect(formatMetafieldValue({ type: 'list.dimension', value: '[{"unit":"cm","value":1}]' })).toBe('1 cm');
});

test('references, own metafields and those of apps are no targets', () => {
  expect(isMappable(of('color'))).toBe(true);
  expect(isMappable(of('list.product_reference'))).toBe(false);
  for (const namespace of ['app--1--reviews', 'shopify', 'shopify--discovery', 'scd']) {
    expect(isMappable({ ...of('color'), namespace })).toBe(false);
  }
});

test('another name is the same definition, another type or rule is not', () => {
  expect(isSameDefinition(of('color'), { ...of('color'), name: 'Tint' })).toBe(true);
  expect(isSameDefinition(of('color'), of('url'))).toBe(false);
  expect(isSameDefinition(of('url'), of('url', { allowed_domains: '[]' }))).toBe(false);
});

test.each([
  ['Portugal', 'PT'],
  ['Deutschland', 'DE'],
  ['Made in Italy', 'IT'],
  ['P.R. China', 'CN'],
  ['Türkei', 'TR'],
  ['us', 'US'],
  ['UK', 'GB'],
  ['DD', null],
  ['EU', null],
  ['Imported', null],
])('%s is a country of origin or none', (text, code) => expect(toCountryCode(text)).toBe(code));
