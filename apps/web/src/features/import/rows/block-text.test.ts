import { describe, expect, it } from 'vitest';
import {
  blockSizeWords,
  type CellBlock,
  createFillOperations,
  createPasteOperations,
  findBlockFields,
  formatHtmlTable,
  formatTsv,
  hasSeveralCells,
  readBlock,
  tileBlock,
  tooFewRowsWords,
} from './block-text.ts';

const read = (text: string, html = '') => readBlock({ text, html });

/** The rows of a block, with a bar between cells, or the sentence that refuses it. */
const joined = (block: CellBlock | string) =>
  typeof block === 'string' ? block : block.map((cells) => cells.join('|'));

describe('copied cells', () => {
  const block: CellBlock = [
    ['00123', 'Vase "tall"', 'two\nlines'],
    ['a\tb', '<b>&', ''],
  ];

  it('come back as they were from the plain text', () => {
    expect(formatTsv(block)).toBe('00123\t"Vase ""tall"""\t"two\nlines"\r\n"a\tb"\t<b>&\t');
    expect(read(formatTsv(block))).toEqual(block);
  });

  it('come back as they were from the HTML, except for tabs', () => {
    const html = formatHtmlTable(block);
    expect(html).toContain('&lt;b&gt;&amp;');
    expect(read('', html)).toEqual([block[0], ['a b', '<b>&', '']]);
  });
});

describe('pasted text', () => {
  it.each([
    ['9.90\n', ['9.90']],
    ['a\tb\r\nc\td\r\n', ['a|b', 'c|d']],
    ['a\rb', ['a', 'b']],
    ['a\t\n\tb', ['a|', '|b']],
    // Spreadsheets leave out empty cells at the end.
    ['a\tb\nc', ['a|b', 'c|']],
    ['1,50\t1.299,00', ['1,50|1.299,00']],
    // An inch sign is no quote, whether it ends its cell or not.
    ['5" nail\t"x" y', ['5" nail|"x" y']],
    ['"never closed\tb\nc', ['"never closed|b', 'c|']],
    ['""\t"a""b"', ['|a"b']],
    ['😀\t白', ['😀|白']],
  ])('%j', (text, rows) => expect(joined(read(text))).toEqual(rows));

  it('is one cell or several', () => {
    expect(hasSeveralCells({ text: 'one cell\n', html: '' })).toBe(false);
    expect(hasSeveralCells({ text: 'a\nb', html: '' })).toBe(true);
    expect(hasSeveralCells({ text: '', html: '<table><tr><td>a' })).toBe(true);
  });

  it.each([
    ['', /no text/],
    ['x'.repeat(100_000_000), /100 MB/],
    [`${'1\t'.repeat(500)}\n`.repeat(2_000), /more than 200,000 characters/],
    ['1\n'.repeat(1_000_000), /more than 2,000 rows/],
    ['a\nb\ud83d', /^Line 2 of the block has characters that can’t be saved/],
    ['a\0', /^Line 1 /],
    ['a\n'.concat('x'.repeat(5_001)), /^Line 2 of the block has a cell with more than 5,000/],
  ])('is refused with a sentence', (text, sentence) => expect(read(text)).toMatch(sentence));

  it('takes no longer for quotes that nothing closes', () => {
    const since = performance.now();
    expect(read('"a\t'.repeat(60_000))).toHaveLength(1);
    expect(performance.now() - since).toBeLessThan(5_000);
  });
});

describe('a pasted table of a page', () => {
  it.each([
    ['<table><tr><td>a<td>b<tr><td>c</table>', ['a|b', 'c|']],
    ['<table><tr><th> a\n b </th></tr></table>', ['a b']],
    [
      '<table><tr><td>a<script>alert("<td>x")</script></td><!-- <td>no --><td><b onclick="x()">b</b></td></tr></table>',
      ['a|b'],
    ],
    [
      '<table><tr><td>&lt;i&gt; &amp;amp; &#8364;&#x1F600;&nbsp;&unknown; &#99999999;</td></tr></table>',
      ['<i> &amp; €😀 &unknown; &#99999999;'],
    ],
    ['<table><tr><td>one<br/>two</td></tr></table><table><tr><td>other</table>', ['one\ntwo']],
  ])('%j', (html, rows) => expect(joined(read('', html))).toEqual(rows));

  it('is refused with a sentence if cells are merged, or if there is none', () => {
    expect(read('', '<table><tr><td colspan="2">a</td></tr></table>')).toMatch(/merged cells/);
    expect(read('', '<table><tr><td colspan="1">a</td></tr></table>')).toEqual([['a']]);
    expect(read('', '<p>text</p>')).toMatch(/no table/);
    expect(read('', '<table></table>')).toMatch(/empty/);
    expect(read('', `<table>${'<tr><td>1'.repeat(3_000)}</table>`)).toMatch(/more than 2,000 rows/);
  });
});

it('repeats a block that fits into the marked cells some times, and no other one', () => {
  const range = { rows: [4, 5, 6, 7], fields: ['price', 'cost'] } as const;
  expect(tileBlock([['1']], range)).toEqual(Array(4).fill(['1', '1']));
  expect(joined(tileBlock([['1'], ['2']], range))).toEqual(['1|1', '2|2', '1|1', '2|2']);
  const three = [['1'], ['2'], ['3']];
  expect(tileBlock(three, range)).toBe(three);
  expect(tileBlock(three, { rows: [4], fields: ['price'] })).toBe(three);
});

it('pastes into the columns from the first one on, and never beside the table', () => {
  const shown = ['title', 'price', 'cost'] as const;
  expect(findBlockFields([['1', '2']], 'price', shown)).toEqual(['price', 'cost']);
  expect(findBlockFields([['1', '2', '3']], 'price', shown)).toBe(
    'The block has 3 columns, and the table has 2 from Price on. Nothing was pasted.',
  );
  expect(tooFewRowsWords([['1'], ['2']], 1)).toBe(
    'The block has 2 rows, but the table has only 1 from this row on. Nothing was pasted.',
  );
});

it('makes one operation for each column', () => {
  expect(
    createPasteOperations(
      [
        ['1', 'a'],
        ['2', ''],
      ],
      ['price', 'title'],
      [7, 9],
    ),
  ).toEqual([
    {
      kind: 'paste',
      field: 'price',
      cells: [
        [7, '1'],
        [9, '2'],
      ],
    },
    {
      kind: 'paste',
      field: 'title',
      cells: [
        [7, 'a'],
        [9, ''],
      ],
    },
  ]);
  expect(createFillOperations(['price', 'vendor'], [' 1 ', ''])).toEqual([
    { kind: 'set', field: 'price', value: '1' },
    { kind: 'clear', field: 'vendor' },
  ]);
  expect(blockSizeWords(1, 3)).toBe('1 row × 3 columns');
});
