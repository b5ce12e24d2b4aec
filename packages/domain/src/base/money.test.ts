import { describe, expect, it } from 'vitest';
import { detectDecimalMark } from '../reading/decimal-marks.ts';
import { convertDecimalComma, formatDollars, parseMoney, usesSign } from './money.ts';

it.each([
  ['59,99', '59.99', null],
  ['1.234,56', '1234.56', null],
  ['$1,234.50', '1234.50', null],
  ['10.00 USD', '10.00', 'USD'],
  ['USD 10', '10', 'USD'],
  ['usd10', '10', 'USD'],
  ['180', '180', null],
  ['0', '0', null],
  ['007', '7', null],
  ['.99', '0.99', null],
  ['5.', '5', null],
  ['1,234', '1234', null],
  ['0,123', '0.123', null],
  ['1.234', '1.234', null],
  ['1.234.567', '1234567', null],
  ['1,234,567.891', '1234567.891', null],
  ['12,34,567.89', '1234567.89', null],
  ['1234,5', '1234.5', null],
  ['1 234,56', '1234.56', null],
  ['1\u00a0234,56\u00a0€', '1234.56', 'EUR'],
  ['1\u202f234', '1234', null],
  ["CHF 1'234.50", '1234.50', 'CHF'],
  ['CA$ 5', '5', 'CAD'],
  ['US$5', '5', 'USD'],
  ['$5 USD', '5', 'USD'],
  ['R$ 1.234,00', '1234.00', 'BRL'],
  ['199 kr', '199', null],
  ['CHF 69.-', '69', 'CHF'],
  ['1899,-', '1899', null],
  ['18,40¹', '18.40', null],
  ['1.249,00 ²)', '1249.00', null],
  ['$79.00*', '79.00', null],
  ['Rp 125.000,00', '125000.00', 'IDR'],
  ['Rp.50', '50', 'IDR'],
  ['R 1,299.00', '1299.00', 'ZAR'],
  ['12,90 Euro', '12.90', 'EUR'],
  ['1 299,– kr', '1299', null],
  ['2.450,-', '2450', null],
  ['NOK 11.900,–', '11900', 'NOK'],
  ['CHF 2,450.-', '2450', 'CHF'],
  ['₹ 2,499/-', '2499', 'INR'],
  ['Rs. 1,25,000.00', '125000.00', null],
  ['Rs.51,968.50', '51968.50', null],
  ['kr. 199', '199', null],
  ['Fr. 12.50', '12.50', 'CHF'],
  ['$.99', '0.99', null],
  ['$1,327 /each', '1327', null],
  ['$6.50 ea', '6.50', null],
  ['١٢٫٥٠ ر.س', '12.50', 'SAR'],
  ['۱٬۲۹۹٫۰۰', '1299.00', null],
  ['12,999.00 ر.س.', '12999.00', 'SAR'],
  ['12000Fcfa', '12000', null],
  ['1 200 руб.', '1200', 'RUB'],
  ['1,500円', '1500', 'JPY'],
  ['49,90 zł', '49.90', 'PLN'],
  ['￥１，５００', '1500', null],
  [' 24.990 ', '24.990', null],
  ['123456789012345678.123456', '123456789012345678.123456', null],
])('reads %j as %s %s', (text, amount, currency) => {
  expect(parseMoney(text)).toMatchObject({ amount, currency });
});

const noMoney = [
  'N/A|12-15|12.-15|-|12-|-5|(5.00)|1e3|8.80609E+12|10 PCS|about 10|1.2.3|1,23,4|1,234,56',
  '1.234.56|$|,|.|10 €/kg|10 20|5 $ 6|10%|12⁹⁰|12 for 24.00|$4.50 / €4.20|10, 11, 12',
  'constructor 5',
].flatMap((texts) => texts.split('|'));

it.each(['', ' ', ...noMoney])('does not take %j for money', (text) => {
  expect(parseMoney(text)).toBeNull();
});

it.each([
  ['$5 kr', { amount: '5', currency: null }],
  ['kr 5 $', { amount: '5', currency: null, sign: 'kr' }],
  ['1.234,50 kr', { amount: '1234.50', currency: null, sign: 'kr' }],
  ['EUR 1234,500 $', { amount: '1234.500', currency: 'EUR' }],
  ['01.234,50', null],
  ['1.234,5.0', null],
  ['€½5', null],
])('reads %j by what stands on both sides', (text, money) => {
  // Twice: what stands beside numbers is kept.
  expect([parseMoney(text), parseMoney(text)]).toEqual([money, money]);
});

it('treats a long cell as text', () => {
  expect(parseMoney('1'.repeat(64))?.amount).toBe('1'.repeat(64));
  expect(parseMoney('1'.repeat(65))).toBeNull();
  expect(parseMoney(`${'1 '.repeat(50_000)}x`)).toBeNull();
});

it.each([
  ['24.99', '$24.99'],
  ['$24.9', '$24.90'],
  ['1,234.5', '$1234.50'],
  ['1.005', '$1.01'],
  ['0.994', '$0.99'],
  ['0.999', '$1.00'],
  ['180', '$180.00'],
  ['0.05', '$0.05'],
  ['', '$0.00'],
  ['N/A', '$0.00'],
  [null, '$0.00'],
  [undefined, '$0.00'],
])('shows %j as %s', (text, shown) => {
  expect(formatDollars(text)).toBe(shown);
});

describe('the notation of a column', () => {
  it.each<[string[], ',' | '.' | null]>([
    [['1.299', '12,50', ''], ','],
    [['1.299,00 €', '€ 3,5'], ','],
    [['1,299.00', '12.5'], '.'],
    [['1.299', '449,-'], ','],
    [['1,25,000', '12,500'], '.'],
    [['1.299', 'CHF 69.-'], '.'],
    [['1.299', '1.000'], null],
    [['12,50', '12.50'], null],
    [['12', 'on request'], null],
  ])('%j has the decimal mark %s', (cells, mark) => {
    expect(detectDecimalMark(cells)).toBe(mark);
  });

  it.each([
    ['1.299', '1299'],
    ['1.299 €', '1299 €'],
    ['CHF 1.299.000', 'CHF 1299000'],
    ['0,125', '0.125'],
    ['12,50', '12,50'],
    ['1.299,00', '1.299,00'],
    ['on request', 'on request'],
  ])('%s beside decimal commas is read as %s', (cell, text) => {
    expect(convertDecimalComma(cell)).toBe(text);
  });
});

it.each([
  ['199 kr', 'kr', 'SEK NOK DKK ISK', 'CAD EUR'],
  ['kr. 199', 'kr', 'SEK', 'CAD'],
  ['Rs. 1,25,000.00', 'Rs', 'INR PKR LKR NPR', 'CAD USD'],
  ['￥１，５００', '¥', 'JPY CNY', 'KRW CAD'],
  ['12000 F CFA', 'FCFA', 'XOF XAF', 'EUR'],
])('the sign of %j is %s, which only some currencies have', (text, sign, of, notOf) => {
  expect(parseMoney(text)).toMatchObject({ currency: null, sign });
  expect(of.split(' ').filter((currency) => !usesSign(currency, sign))).toEqual([]);
  expect(notOf.split(' ').filter((currency) => usesSign(currency, sign))).toEqual([]);
});

it.each([
  ['S/. 45.90', '45.90', 'PEN'],
  ['S/ 120', '120', 'PEN'],
  ['د.إ. 75.50', '75.50', 'AED'],
  ['ر.س 30', '30', 'SAR'],
  ['249:-', '249', null],
  ['12 495:- ', '12495', null],
])('reads %j, whose sign or dash has points', (text, amount, currency) => {
  expect(parseMoney(text)).toEqual({ amount, currency });
});
