import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { findInRow } from './enrich-chunk.ts';

const lacking = (...cells: string[]) => ({ row: 7, cells, vendor: null, image: null });

describe('findInRow', () => {
  it('takes the image from a description in HTML', () => {
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

  it('looks only for what is missing', () => {
    const cells = ['Brand: Other', 'https://example.com/a.jpg'];
    expect(findInRow({ row: 1, cells, vendor: 'Mine', image: 'https://example.com/mine.jpg' })).toEqual([]);
  });

  it('finds nothing in a row without one: a page address is not an image', () => {
    expect(findInRow(lacking('https://example.com/products/vase', 'brand new', ''))).toEqual([]);
  });

  it.each([
    ['a tag within a tag that is not closed', '<img <img  src = "http://a.example/x"', 'http://a.example/x'],
    ['not what follows a tag', '<img alt="a"> src="http://a.example/x"', undefined],
    ['the second tag', '<img alt="a"><IMG\nSRC=http://a.example/x>', 'http://a.example/x'],
    ['the last ending', 'http://a.example/b.jpg/c.png?v=1&x', 'http://a.example/b.jpg/c.png?v=1&x'],
    ['up to the ending', 'http://a.example/b.jpg)', 'http://a.example/b.jpg'],
    ['an ending needs a name before it', 'http://.jpg', undefined],
    ['the second address', 'http://a.example/b,http://a.example/c.gif', 'http://a.example/c.gif'],
  ])('image addresses: %s', (_name, cell, value) => {
    expect(findInRow({ ...lacking(cell), vendor: 'Mine' }).map((found) => found.value)).toEqual(
      value ? [value] : [],
    );
  });

  it.each([' ', '<img ', '<img src=', "<img src='", 'http://', 'http://a.', 'brand:', 'brand  ', '.jpg'])(
    'ends on a megabyte of %j',
    (piece) => {
      const cell = piece.repeat(1024 * 1024).slice(0, 1024 * 1024);
      const work = () => findInRow(lacking(cell, `http://${cell}`, `brand${cell}`));
      runInNewContext('work()', { work }, { timeout: 20_000 });
    },
  );
});
