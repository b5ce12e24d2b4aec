import { expect, it } from 'vitest';
import { isSalesUnit, piecesInHeader, piecesSold } from './price-headers.ts';

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
