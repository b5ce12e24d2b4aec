import { expect, it } from 'vitest';
import { mapHeaders } from './mapping/header-mapping.ts';
import { cleanCellValue, readRowValues } from './row-values.ts';

const read = (headers: string, cells: string[]) => readRowValues(cells, mapHeaders(headers.split(',')));

it('takes the first column with a value, trimmed', () => {
  const headers = 'Unit Retail,SCD Sale Price,Shopify Price';
  expect(read(headers, ['30', '20', ' 10 '])).toEqual({ price: '10' });
  expect(read(headers, ['30', '20', '  '])).toEqual({ price: '20' });
  expect(read(headers, ['30', '', ''])).toEqual({ price: '30' });
});

it('leaves out fields without a value, also if the record is short', () => {
  expect(read('Title,Price,SKU', ['Vase'])).toEqual({ title: 'Vase' });
  expect(read('Title,Price', [])).toEqual({});
});

it('leaves out NUL at the ends of a cell, and replaces it inside; a cell of padding only has no value', () => {
  expect(read('Title,Price,SKU,Image 1,Image 2', ['\0 Vase \0\0', '\0', 'V\0-1', 'a\0', '\0'])).toEqual({
    title: 'Vase',
    sku: 'V\uFFFD-1',
    image: 'a',
  });
  const runs = `a${' \0'.repeat(500_000)}b`;
  expect(cleanCellValue(runs)).toBe(runs.replaceAll('\0', '\uFFFD'));
});

it('keeps all additional images', () => {
  expect(read('Title,Image 1,Image 2,Image 3', ['Vase', 'a', '', 'c'])).toEqual({
    title: 'Vase',
    image: 'a',
    moreImages: 'c',
  });
  expect(read('Image 1,Image 2,Image 3', ['a', 'b', 'c'])).toEqual({ image: 'a', moreImages: 'b\nc' });
});

it('takes the unit of a weight from its column’s header, unless there is a column of units', () => {
  expect(read('Title,Weight (kg)', ['Vase', '2'])).toEqual({ title: 'Vase', weight: '2', weightUnit: 'kg' });
  expect(read('Title,Weight (kg)', ['Vase', ''])).toEqual({ title: 'Vase' });
  const both = read('Title,Weight (kg),Weight unit', ['Vase', '2', 'lb']);
  expect(both).toEqual({ title: 'Vase', weight: '2', weightUnit: 'lb' });
  expect(read('Title,Weight', ['Vase', '2'])).toEqual({ title: 'Vase', weight: '2' });
});

it.each([
  ['Price', 'Sale Price'],
  ['Regular price', 'Special price (CAD)'],
  ['Preis', 'Aktionspreis'],
  ['Prix', 'Prix promo'],
  ['Precio', 'Precio de oferta'],
  ['Prezzo', 'Prezzo scontato'],
  ['Prijs', 'Actieprijs'],
  ['Cena', 'Cena promocyjna'],
  ['Pris', 'Kampanjpris'],
  ['Цена', 'Цена со скидкой'],
  ['价格', '促销价'],
])('beside %s, an amount of %s is the price, and the other one to compare with', (regular, reduced) => {
  const headers = `SKU,Title,${regular},${reduced}`;
  expect(read(headers, ['A', 'Mug', '20', '15'])).toMatchObject({ price: '15', compareAtPrice: '20' });
  for (const none of ['', '0.00', 'none']) {
    expect(read(headers, ['A', 'Mug', '20', none])).toEqual({ sku: 'A', title: 'Mug', price: '20' });
  }
  expect(read(headers, ['A', 'Mug', '20', '20'])).toEqual({ sku: 'A', title: 'Mug', price: '20' });
  expect(read(headers, ['A', 'Mug', '', '15'])).toEqual({ sku: 'A', title: 'Mug', price: '15' });
});

it('compares with what a column of its own says, and takes no price that is mostly higher', () => {
  const own = read('Title,Price,Sale Price,Compare at price', ['Mug', '20', '15', '25']);
  expect(own).toMatchObject({ price: '15', compareAtPrice: '25' });
  const headers = ['SKU', 'Title', 'Price', 'Sale Price'];
  const rows = ['7|9', '8|11', '9|12'].map((prices, at) => [`A-${at}`, 'Mug', ...prices.split('|')]);
  expect(mapHeaders(headers, rows).reducedPrice).toBeUndefined();
  const set = mapHeaders(headers, [], { 'Sale Price': { field: null, by: 'operator' } });
  expect(set.reducedPrice).toBeUndefined();
});

it('takes a reduced price only within its days', () => {
  const headers = 'sku,name,price,special_price,special_price_from_date,special_price_to_date';
  const priceOf = (from: string, until: string) => read(headers, ['A', 'Mug', '20', '15', from, until]).price;
  expect(priceOf('', '')).toBe('15');
  expect(priceOf('2019-01-01 00:00:00', '')).toBe('15');
  expect(priceOf('1/2/19', '31.12.2999')).toBe('15');
  expect(priceOf('2019-01-01', '2019-01-31')).toBe('20');
  expect(priceOf('2999-01-01', '')).toBe('20');
  expect(priceOf('', 'soon')).toBe('20');
});

it('takes a reduced price only within the range of Google’s feeds', () => {
  const headers = 'id,title,price,sale_price,sale_price_effective_date';
  const priceOf = (range: string) => read(headers, ['A', 'Mug', '20.00 USD', '15.00 USD', range]).price;
  expect(priceOf('')).toBe('15.00 USD');
  expect(priceOf('2019-11-20T00:00-0800/2019-11-30T23:59-0800')).toBe('20.00 USD');
  expect(priceOf('2019-11-20T13:00-0800/2999-11-30T15:30-0800')).toBe('15.00 USD');
  expect(priceOf('2998-11-20/2999-11-30')).toBe('20.00 USD');
});

it('an amount names the currency of its header where it is not that of the price', () => {
  expect(read('Title,Price (CAD),Landed cost (USD)', ['Mug', '20', '11.20'])).toMatchObject({
    cost: '11.20 USD',
  });
  expect(read('Title,Price,EK in EUR', ['Mug', '20', 'ask'])).toMatchObject({ cost: 'ask' });
  expect(read('Title,Price (EUR),Cost (EUR)', ['Mug', '20', '11.20'])).toMatchObject({ cost: '11.20' });
});

it('takes Shopify’s grams as grams, whatever unit it shows weights in', () => {
  const values = { title: 'Vase', weight: '250', weightUnit: 'g' };
  expect(read('Title,Variant Grams', ['Vase', '250'])).toEqual(values);
  expect(read('Title,Variant Grams,Variant Weight Unit', ['Vase', '250', 'kg'])).toEqual(values);
  for (const header of ['Vægt (kg)', 'Ağırlık (kg)', 'Masa (kg)', 'الوزن (kg)', 'Hmotnosť kg', 'Вес (кг)']) {
    expect(read(`Title,${header}`, ['Vase', '2'])).toMatchObject({ weight: '2', weightUnit: 'kg' });
  }
});
