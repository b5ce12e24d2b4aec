import { describe, expect, it } from 'vitest';
import { findInRow } from './find-in-row.ts';

const lacking = (...cells: string[]) => ({ row: 7, cells, vendor: null, image: null });

describe('findInRow', () => {
  it('takes the image of a description in HTML', () => {
    const row = lacking('Vase', '<p><img alt="x" src="https://example.com/a.jpg?w=1&amp;h=2"></p>');
    expect(findInRow(row)).toEqual([
      { row: 7, field: 'image', value: 'https://example.com/a.jpg?w=1&h=2', source: 'row' },
    ]);
  });

  it('takes an image address from any cell', () => {
    expect(findInRow(lacking('see https://example.com/pics/vase.PNG and more'))).toEqual([
      { row: 7, field: 'image', value: 'https://example.com/pics/vase.PNG', source: 'row' },
    ]);
  });

  it('takes the brand that a text names, up to the end of the phrase', () => {
    expect(findInRow(lacking('Hand made. Brand: Nordic & Co. Size 10'))).toEqual([
      { row: 7, field: 'vendor', value: 'Nordic & Co', source: 'row' },
    ]);
  });

  it('looks only for what is lacking', () => {
    const cells = ['Brand: Other', 'https://example.com/a.jpg'];
    expect(findInRow({ row: 1, cells, vendor: 'Mine', image: 'https://example.com/mine.jpg' })).toEqual([]);
  });

  it('finds nothing where nothing stands: a page address is no image', () => {
    expect(findInRow(lacking('https://example.com/products/vase', 'brand new', ''))).toEqual([]);
  });
});
