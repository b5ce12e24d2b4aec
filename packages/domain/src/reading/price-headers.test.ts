import { expect, it } from 'vitest';
import {
  currencyInTitles,
  isPackOfMeasure,
  isSalesUnit,
  piecesInHeader,
  piecesSold,
  timesUnits,
  unitsIn,
} from './price-headers.ts';

it.each([
  ['EA', 1],
  ['each', 1],
  ['Stk.', 1],
  ['PZ', 1],
  ['个', 1],
  ['Flasche', 1],
  ['500 ml', 1],
  ['1,5 kg', 1],
  ['m', 1],
  ['', 1],
  ['DZ', 12],
  ['Dutzend', 12],
  ['docena', 12],
  ['ダース', 12],
  ['Gross', 144],
  ['C', 100],
  ['100 Stk', 100],
  ['%', 100],
  ['mille', 1000],
  ['тыс. шт', 1000],
  ['M', null],
  ['GR', null],
  ['CS', null],
  ['Karton', null],
  ['caja', null],
  ['уп.', null],
  ['箱', null],
])('sold by %j is a price of %j', (cell, pieces) => expect(piecesSold(cell)).toBe(pieces));

it.each([
  ['Price', null],
  ['Preis pro 100', 100],
  ['Price per dozen', 12],
  ['Price per gross', 144],
  ['price_gross', null],
  ['Prix de gros', null],
  ['Precio docena', 12],
  ['Prezzo al cento', 100],
  ['Prix le mille', 1000],
  ['Цена за тысячу', 1000],
  ['Case price', 0],
  ['Preis je Karton', 0],
  ['Precio caja', 0],
  ['Prijs per doos', 0],
  ['Цена за упак', 0],
  ['VK Preis', null],
  ['Prix TTC', null],
])('a header %j says a price of %j', (header, pieces) => expect(piecesInHeader(header)).toBe(pieces));

it.each([
  ['Price', 1],
  ['Preis pro 1000 EUR', 1],
  ['Price per thousand USD', 1],
  ['Price (EUR)', 1],
  ['1000 €', 1],
  ['Harga (ribu Rp)', 1000],
  ['Giá (nghìn đồng)', 1000],
  ['Giá (000 VND)', 1000],
  ['Цена, тыс. руб.', 1000],
  ['Precio (miles de pesos)', 1000],
  ['Preis in T€', 1000],
  ['Ár (ezer Ft)', 1000],
  ['Price in thousands of USD', 1000],
  ['価格（千円）', 1000],
  ['价格（万元）', 10_000],
])('an amount below %j is of %j units', (header, units) => expect(unitsIn(header)).toBe(units));

it.each([
  ['125', '125000'],
  ['87.5', '87500'],
  ['0.0035', '3.5'],
  ['Rp 1,250', 'Rp 1250000'],
  ['0', '0'],
  ['n/a', 'n/a'],
])('%j in thousands is %j', (text, units) => expect(timesUnits(text, 1000)).toBe(units));

it.each([
  [['Ningbo Trading', 'All prices in USD, FOB'], 'USD'],
  [['Preisliste 2026, Beträge in EUR'], 'EUR'],
  [['Prix en €', 'Tarif valable en EUR'], 'EUR'],
  [['Currency: SEK'], 'SEK'],
  [['Tarif 2026, tous les prix en euros'], 'EUR'],
  [['Prices in USD', 'Prices in EUR'], null],
  [['Prices in USD or EUR'], null],
  [['Minimum order 500 USD'], null],
  [['Stock list'], null],
])('lines above a header, %j, say %j', (titles, currency) => expect(currencyInTitles(titles)).toBe(currency));

it.each([
  ['Prezzo al mq', 'mq per scatola', true],
  ['Preis pro m²', 'm² je Karton', true],
  ['Price/sqm', 'sqm per box', true],
  ['€/kg', 'kg per carton', true],
  ['Prezzo al mq', 'Scatole', false],
  ['Prezzo', 'mq per scatola', false],
  ['Price per m', 'Size of box', false],
])('a price %j beside %j is not of the pack: %j', (price, other, is) =>
  expect(isPackOfMeasure(price, other)).toBe(is),
);

it('units of sale are known by their names in many languages', () => {
  const names = [
    'U/M',
    'UOM',
    'Mengeneinheit',
    'Unité',
    'Unidad de medida',
    'Unità di misura',
    'J.m.',
    'MJ',
    'Ед. изм.',
    '単位',
  ];
  expect(names.filter((name) => !isSalesUnit(name))).toEqual([]);
  expect(['Price', 'Units in stock', 'Unit price'].filter(isSalesUnit)).toEqual([]);
});
