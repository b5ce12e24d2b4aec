import { expect, test } from 'vitest';
import { type Calculation, calculateCell } from './calculate.ts';

const price = (operation: object, text: string, { source = text, store = null as string | null } = {}) => {
  const parsed = { field: 'price', ...operation } as Calculation;
  const result = calculateCell(parsed, { text, source, currencies: { row: undefined, store } });
  return typeof result === 'string' ? result : `(${result.reason})`;
};
const by = (kind: string, amount: string) => ({ kind: 'calculate', by: kind, amount });
const to = (ending: string, direction: string) => ({ kind: 'round', to: { ending }, direction });
const step = (size: string, direction: string) => ({ kind: 'round', to: { step: size }, direction });

test.each([
  ['10', by('add', '0.005'), '10.01'],
  ['10', by('add', '0.0049'), '10.00'],
  ['0.1', by('add', '0.2'), '0.30'],
  ['10', by('subtract', '9.99'), '0.01'],
  ['10', by('subtract', '10'), '(no-result)'],
  ['10', by('subtract', '9.999'), '(no-result)'],
  ['10', by('subtract', '-2'), '12.00'],
  ['1.005', by('multiply', '1000'), '1005.00'],
  ['10', by('multiply', '-1'), '(no-result)'],
  ['10', by('divide', '3'), '3.33'],
  ['20', by('divide', '3'), '6.67'],
  ['10', by('divide', '0'), '(no-result)'],
  ['19.99', by('percent', '-15'), '16.99'],
  ['0', by('multiply', '2'), '(no-result)'],
  ['', by('add', '2'), '(not-a-number)'],
  ['n/a', by('add', '2'), '(not-a-number)'],
  ['10-20', by('add', '2'), '(not-a-number)'],
  ['1e3', by('add', '2'), '(not-a-number)'],
  ['999999999999999999.99', by('add', '0.01'), '1000000000000000000.00'],
  ['0.1234', by('multiply', '1'), '0.1234'],
])('calculates %s, %o', (text, operation, after) => {
  expect(price(operation, text)).toBe(after);
});

test.each([
  ['$1,234.50', '2469.00', '$2469.00'],
  ['12,50 €', '25.00', '25.00 €'],
  ['1 234,50 €', '', '2469.00 €'],
  ['CHF 69.-', '', 'CHF 138.00'],
  ['¥1,200 JPY', '', '¥2400 JPY'],
  ['KWD 1.234', '', 'KWD 2.468'],
  ['us$ 5', '', 'us$ 10.00'],
  ['.5', '', '1.00'],
])('keeps the currency of %s', (text, _amount, after) => {
  expect(price(by('multiply', '2'), text)).toBe(after);
});

test('writes as many digits as the currency has', () => {
  expect(price(by('multiply', '1.5'), '333', { store: 'JPY' })).toBe('500');
  expect(price(by('multiply', '1.5'), '333', { store: 'KWD' })).toBe('499.500');
  expect(price(by('multiply', '1.5'), '333 €', { store: 'JPY' })).toBe('499.50 €');
});

test.each([
  ['20.00', to('.99', 'nearest'), '19.99'],
  ['20.00', to('.99', 'up'), '20.99'],
  ['20.00', to('.99', 'down'), '19.99'],
  ['20.49', to('.99', 'nearest'), '20.99'],
  ['20.48', to('.99', 'nearest'), '19.99'],
  ['20.990', to('.99', 'up'), '20.990'],
  ['0.50', to('.99', 'down'), '(no-result)'],
  ['0.40', to('.99', 'nearest'), '(no-result)'],
  ['0.40', to('.99', 'up'), '0.99'],
  ['20.44', to('.95', 'nearest'), '19.95'],
  ['20.45', to('.95', 'nearest'), '20.95'],
  ['20.50', to('.00', 'nearest'), '21.00'],
  ['0.50', to('.00', 'down'), '(no-result)'],
  ['24', to('9', 'nearest'), '29.00'],
  ['23.99', to('9', 'nearest'), '19.00'],
  ['5', to('9', 'down'), '(no-result)'],
  ['19', to('9', 'up'), '19'],
  ['12.52', step('0.05', 'nearest'), '12.50'],
  ['12.525', step('0.05', 'nearest'), '12.55'],
  ['12.51', step('0.5', 'up'), '13.00'],
  ['19', step('10', 'down'), '10.00'],
  ['9', step('10', 'down'), '(no-result)'],
  ['12.51', step('0.025', 'up'), '(no-result)'],
  ['12.49', step('0.025', 'up'), '12.50'],
])('rounds %s, %o', (text, operation, after) => {
  expect(price(operation, text)).toBe(after);
});

test('does not round to what the currency cannot write', () => {
  expect(price(to('.99', 'up'), '¥1200 JPY')).toBe('(no-result)');
  expect(price(to('9', 'up'), '¥1200 JPY')).toBe('¥1209 JPY');
  expect(price(to('.99', 'up'), '1.234 KWD')).toBe('1.990 KWD');
});

test('calculates from another amount', () => {
  const percent = { kind: 'percent-of', of: 'cost', percent: '180' };
  expect(price(percent, '', { source: '10' })).toBe('18.00');
  expect(price(percent, 'n/a', { source: '12,50 €' })).toBe('22.50 €');
  expect(price(percent, '$5', { source: '10' })).toBe('$18.00');
  expect(price(percent, '$5', { source: '10 €' })).toBe('18.00 €');
  expect(price(percent, '$5', { source: '' })).toBe('(not-a-number)');
  expect(price({ kind: 'margin', percent: '40' }, '1', { source: '30' })).toBe('50.00');
  expect(price({ kind: 'margin', percent: '99.99' }, '1', { source: '0.01' })).toBe('100.00');
});

test('calculates with whole quantities', () => {
  const quantity = (operation: object, text: string) => price({ field: 'quantity', ...operation }, text);
  expect(quantity(by('multiply', '1.5'), '5')).toBe('8');
  expect(quantity(by('add', '10'), '-3')).toBe('7');
  expect(quantity(by('subtract', '5'), '5')).toBe('0');
  expect(quantity(by('subtract', '6'), '5')).toBe('(no-result)');
  expect(quantity(by('add', '1'), '1,200')).toBe('1201');
  expect(quantity(by('add', '1'), '12 pcs')).toBe('(not-a-number)');
  expect(quantity(by('multiply', '2'), '0')).toBe('0');
  expect(quantity(to('.99', 'up'), '5')).toBe('(no-result)');
  expect(quantity(step('10', 'down'), '5')).toBe('0');
});

test('calculates with weights and keeps their units', () => {
  const weight = (operation: object, text: string) => price({ field: 'weight', ...operation }, text);
  expect(weight(by('multiply', '2'), '2.5 kg')).toBe('5 kg');
  expect(weight(by('divide', '3'), '1lb')).toBe('0.3333lb');
  expect(weight(by('multiply', '20'), '0,5')).toBe('10');
  expect(weight(by('subtract', '1'), '1 kg')).toBe('(no-result)');
  expect(weight(by('add', '1'), 'heavy')).toBe('(not-a-number)');
});
