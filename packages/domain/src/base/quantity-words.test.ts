import { expect, it } from 'vitest';
import { isAvailableWord, readLooseQuantity, readQuantity } from './quantity.ts';

it.each([
  ['10+', 10],
  ['>100', 100],
  ['≥ 5', 5],
  ['1,000+', 1000],
  ['5-10', 5],
  ['5 bis 10', 5],
  ['ab 20', 20],
  ['mehr als 50', 50],
  ['10 or more', 10],
  ['<5', 0],
  ['unter 3', 0],
  ['Out of stock', 0],
  ['ausverkauft', 0],
  ['épuisé', 0],
  ['нет в наличии', 0],
  ['缺货', 0],
  ['หมด', 0],
  ['Hết hàng', 0],
  ['N', 0],
])('%s is sent as %i', (cell, quantity) => {
  expect(readQuantity(cell)).toBe(quantity);
  expect(readLooseQuantity(cell)).not.toBeNull();
});

it.each(['In stock', 'auf Lager', 'Y', 'disponible', 'есть', 'På lager', 'มีสินค้า', 'còn hàng'])(
  '%s names no number',
  (cell) => {
    expect([readQuantity(cell), isAvailableWord(cell)]).toEqual([null, true]);
  },
);

it.each(['12', '-3', '1,234', '3.7', 'soon', 'box of 5', ''])('%s is neither a bound nor a word', (cell) => {
  expect(readLooseQuantity(cell)).toBeNull();
});
