import { describe, expect, it } from 'vitest';
import { inheritedFrom, judgeRow } from './judged-row.ts';

describe('judgeRow', () => {
  it('keeps the amount as decimal text and a valid UPC as 14 digits', () => {
    const judged = judgeRow({ title: 'Lamp', price: '$1,234.50', upc: '036000291452' }, {});
    expect(judged).toMatchObject({ class: 'valid', price: '1234.50', gtin: '00036000291452', issues: [] });
  });

  it('counts a price that is no number as absent, and says so', () => {
    expect(judgeRow({ title: 'Lamp', price: 'call us' }, {})).toMatchObject({
      class: 'warning',
      price: null,
      issues: ['price-not-numeric'],
    });
  });

  it('names what an empty row lacks', () => {
    expect(judgeRow({}, {})).toMatchObject({ class: 'error', issues: ['title-missing', 'price-missing'] });
  });

  it('judges a row of a group with what it inherits, without storing that as its own', () => {
    const first = { title: 'Vase', price: '10' };
    const variant = { sku: 'V-2', price: '12' };
    expect(judgeRow(variant, inheritedFrom(first, variant))).toMatchObject({ class: 'valid', title: null });
    const image = { image: 'https://example.com/2.jpg' };
    expect(judgeRow(image, inheritedFrom(first, image))).toMatchObject({ class: 'valid', price: null });
  });

  it('notes a UPC with a wrong check digit without changing the class', () => {
    expect(judgeRow({ title: 'Lamp', price: '1', upc: '036000291453' }, {})).toMatchObject({
      class: 'valid',
      gtin: null,
      issues: ['upc-check-digit'],
    });
  });
});
