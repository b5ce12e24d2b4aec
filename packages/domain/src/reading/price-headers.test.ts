import { expect, it } from 'vitest';
import {
  currencyInTitles,
  isPricedByMeasure,
  isSalesUnitHeader,
  multiplierInHeader,
  multiplyAmount,
  parseSalesUnit,
  piecesInHeader,
} from './price-headers.ts';

/** Words of a table by what they mean, with a bar between them. */
const expectEach = (words: string, meaning: unknown, read: (word: string) => unknown) =>
  expect(words.split('|').map((word) => [word, read(word)])).toEqual(
    words.split('|').map((word) => [word, meaning]),
  );

it.each([
  [1, 'EA|each|Stk.|PZ|个|Flasche|500 ml|1,5 kg|m|'],
  [12, 'DZ|Dutzend|docena|ダース'],
  [144, 'Gross'],
  [100, 'C|100 Stk|%'],
  [1000, 'mille|тыс. шт'],
  [null, 'M|GR|CS|Karton|caja|уп.|箱'],
])('a price is of %j pieces where it is sold by %s', (pieces, cells) =>
  expectEach(cells, pieces, parseSalesUnit),
);

it.each([
  [null, 'Price|price_gross|Prix de gros|VK Preis|Prix TTC'],
  [12, 'Price per dozen|Precio docena'],
  [100, 'Preis pro 100|Prezzo al cento'],
  [144, 'Price per gross'],
  [1000, 'Prix le mille|Цена за тысячу'],
  [0, 'Case price|Preis je Karton|Precio caja|Prijs per doos|Цена за упак'],
])('a price of %j pieces is said by %s', (pieces, headers) => expectEach(headers, pieces, piecesInHeader));

it.each([
  [1, 'Price|Preis pro 1000 EUR|Price per thousand USD|Price (EUR)|1000 €'],
  [1000, 'Harga (ribu Rp)|Giá (nghìn đồng)|Giá (000 VND)|Цена, тыс. руб.|Precio (miles de pesos)'],
  [1000, 'Preis in T€|Ár (ezer Ft)|Price in thousands of USD|価格（千円）'],
  [10_000, '价格（万元）'],
])('an amount is of %j units below %s', (units, headers) => expectEach(headers, units, multiplierInHeader));

it.each([
  ['125', '125000'],
  ['87.5', '87500'],
  ['0.0035', '3.5'],
  ['Rp 1,250', 'Rp 1250000'],
  ['0', '0'],
  ['n/a', 'n/a'],
])('%j in thousands is %j', (text, units) => expect(multiplyAmount(text, 1000)).toBe(units));

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
  expect(isPricedByMeasure(price, other)).toBe(is),
);

it('units of sale are known by their names in many languages', () => {
  const names = 'U/M|UOM|Mengeneinheit|Unité|Unidad de medida|Unità di misura|J.m.|MJ|Ед. изм.|単位'.split(
    '|',
  );
  expect(names.filter((name) => !isSalesUnitHeader(name))).toEqual([]);
  expect(['Price', 'Units in stock', 'Unit price'].filter(isSalesUnitHeader)).toEqual([]);
});
