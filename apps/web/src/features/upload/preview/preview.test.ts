import type { Dialect } from '@draftshelf/csv/dialect';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import { readChunk } from '@draftshelf/reading/read-chunk';
import { splitStream } from '@draftshelf/reading/split-stream';
import { expect, test } from 'vitest';
import { createPreviewer, type Preview, readPreviewPage } from './preview.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function endOf(text: string, pieceBytes: number): Preview | null {
  const previewer = createPreviewer();
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) previewer.push(bytes.subarray(at, at + pieceBytes));
  return previewer.end();
}

function previewOf(text: string, pieceBytes = 64): Preview {
  const preview = endOf(text, pieceBytes);
  if (preview === null) throw new Error('The text holds fewer than two records');
  return preview;
}

test('rows are classified by title and numeric price', () => {
  const preview = previewOf(
    'Title,Price\nLamp,10\nVase,\n,12.50\n"",""\n"Bowl, blue",N/A\nRug,"$1,200.00"\n',
  );
  expect(preview).toMatchObject({ totalRows: 5, products: 5, exact: true, valid: 2, warnings: 3, errors: 0 });
  expect(preview.firstRows.map((row) => row.cells[0])).toEqual(['Lamp', 'Vase', '', 'Bowl, blue', 'Rug']);
});

test('a row with neither title nor price is an error', () => {
  expect(previewOf('Title,Price,SKU\n,,A-1\nLamp,3,A-2\n')).toMatchObject({
    products: 2,
    valid: 1,
    errors: 1,
  });
});

test.each([
  ['its variants name it', ['coat,,Coat,,', 'coat-s,coat,Coat S,,9', 'coat-m,coat,Coat M,,9'], 1],
  ['its variants have options', ['coat,,Coat,,', 'coat-s,coat,,S,9'], 1],
  ['a variant lacks a price', ['coat,,Coat,,', 'coat-s,coat,,S,9', 'coat-m,coat,,M,'], 0],
  ['it has no variants', ['coat,,Coat,,'], 0],
  ['it has an option itself', ['coat,,Coat,L,', 'coat-s,coat,,S,9'], 0],
  ['it has no title', ['coat,,,,', 'coat-s,coat,Coat S,S,9'], 0],
  ['rows of another product stand between', ['coat,,Coat,,', 'jug,,Jug,,7', 'coat-s,coat,,S,9'], 1],
])('a parent without a price can be pushed or not: %s', (_name, rows, parents) => {
  const text = ['SKU,Parent SKU,Title,Option1 Value,Price', ...rows, 'hat,,Hat,,5', ''].join('\n');
  expect(previewOf(text).parents).toBe(parents);
});

test('the counts do not depend on the piece size', () => {
  const text = `Title;Price\n${Array.from({ length: 300 }, (_, n) => `"Lämp ${n}";${n % 3 === 0 ? '' : '9,90'}`).join('\n')}`;
  const whole = previewOf(text, 1_000_000);
  expect(whole).toMatchObject({ totalRows: 300, valid: 200, warnings: 100, dialect: { delimiter: ';' } });
  for (const pieceBytes of [1, 2, 3, 7, 64]) expect(previewOf(text, pieceBytes)).toEqual(whole);
});

/** 300 rows behind which one follows. */
const late = (header: string, line: (row: number) => string, last: string) =>
  bytesOf(`${header}\n${Array.from({ length: 300 }, (_, row) => line(row + 1)).join('\n')}\n${last}\n`);

test.each([
  [
    'a decimal comma',
    late('SKU;Titel;Preis', (row) => `A-${row};Sofa;1.29${row % 10}`, 'B-1;Tasse;12,50'),
    [12.5, 1299],
  ],
  [
    'decimals in a column of cents',
    late('SKU,Title,Price cents', (row) => `A-${row},Mug,450`, 'B-1,Jug,12.50'),
    [12.5, 450],
  ],
  ['two decimals', late('SKU,Title,Price', (row) => `A-${row},Nail,1.255`, 'B-1,Jug,12.50'), [12.5, 12.5]],
])('rows are shown and counted as they are imported, where the last row has %s', (_proof, bytes, highest) => {
  const previewer = createPreviewer();
  previewer.push(bytes);
  const before = previewer.end();
  const again = previewer.again();
  again?.push(bytes);
  const preview = again?.end();
  expect([before?.prices.high, preview?.prices.high]).toEqual(highest);
  // The reader of the import, with the mapping that is stored for it.
  const splitter = splitStream({ limits: readLimitsDefault });
  splitter.push(bytes);
  const split = splitter.end();
  if (!split || !preview) throw new Error('no rows');
  expect(preview.mapping).toEqual(split.mapping);
  const rows = split.whole.cuts.flatMap((cut) => [
    ...readChunk(bytes.subarray(cut.byteFrom, cut.byteTo), cut, split, readLimitsDefault).rows(),
  ]);
  const found = rows.map(({ issues }) => issuesIn(issues));
  expect([1, 300, 301].map((row) => again?.pageRange(0)?.checks(row)?.issues)).toEqual(
    [0, 299, 300].map((at) => found[at]),
  );
  expect(preview.problems).toBe(found.filter((issues) => issues.length > 0).length);
  expect(highest[1]).toBe(Math.max(...rows.map(({ price }) => Number(price))));
  expect(again?.again()).toBeNull();
});

test('a file whose head says how it is read is read once', () => {
  const previewer = createPreviewer();
  previewer.push(late('SKU;Titel;Preis', (row) => `A-${row};Sofa;12,5${row % 10}`, 'B-1;Tasse;1.299'));
  previewer.end();
  expect(previewer.again()).toBeNull();
});

test('fewer than two records give no preview', () => {
  for (const text of ['', '\n', 'Title,Price', 'Title,Price\n', 'Title,Price\n\n  \n']) {
    expect(endOf(text, 64)).toBeNull();
  }
});

test('long cells are cut for the screen', () => {
  const preview = previewOf(`Title,Price\n${'x'.repeat(5000)},1\n`, 1000);
  expect(preview.firstRows[0]?.cells[0]).toHaveLength(301);
  expect(preview.valid).toBe(1);
});

const readingOf = (text: string, dialect: Partial<Dialect>, encode = bytesOf) => {
  const previewer = createPreviewer({ dialect });
  previewer.push(encode(text));
  return { preview: previewer.end(), dialect: previewer.dialect() };
};

test('overrides apply, and the rest is detected', () => {
  const text = 'Note\nTitle;Price\nLamp, blue;10\nVase, red;20\n';
  expect(previewOf(text)).toMatchObject({ totalRows: 2, valid: 2, headers: ['Title', 'Price'] });
  const overridden = readingOf(text, { delimiter: ',', headerRecord: 1 }).preview;
  expect(overridden).toMatchObject({ totalRows: 2, valid: 0, dialect: { encoding: 'utf-8', quote: '"' } });
  expect(overridden?.firstRows.map((row) => row.cells)).toEqual([
    ['Lamp', 'blue;10'],
    ['Vase', 'red;20'],
  ]);
  const none = readingOf(text, { headerRecord: -1 }).preview;
  expect(none).toMatchObject({ totalRows: 4, headers: ['Column 1'] });
});

test('the dialect of a file without rows is known', () => {
  const { preview, dialect } = readingOf('Title;Price\nLamp;1\nVase;2\n', { headerRecord: 9 });
  expect(preview).toBeNull();
  expect(dialect).toMatchObject({ delimiter: ';', headerRecord: 9 });
});

test('the first records follow the dialect, also above the header and in a transcript', () => {
  const text = 'Price list,,\nTitle,Price,SKU\n"Lamp, blue",10,L\n';
  const utf16 = (written: string) => new Uint8Array(Buffer.from(`\uFEFF${written}`, 'utf16le'));
  const records = ['Price list', 'Title, Price, SKU', 'Lamp, blue, 10, L'];
  expect(previewOf(text).firstRecords).toEqual(records);
  expect(readingOf(text, {}, utf16).preview?.firstRecords).toEqual(records);
  expect(previewOf(`Title,Price\n${'Lamp,1\n'.repeat(100_000)}`, 4096).firstRecords).toHaveLength(20);
});

test('a product with more rows than the store has variants counts twice, an ignored line not at all', () => {
  const rows = Array.from({ length: 2200 }, () => `mug,Mug,10,${'x'.repeat(8200)}`);
  const text = ['Handle,Title,Variant Price,Option1 Value', ...rows, 'Total,,12,'].join('\n');
  expect(previewOf(text, 65_536)).toMatchObject({ totalRows: 2201, products: 2, valid: 2, ignoredRows: 1 });
});

test('the first rows with problems are collected, those without title or price before irregular ones', () => {
  const irregular = Array.from({ length: 60 }, (_, at) => `Vase ${at},${at}.50,V-${at},extra`);
  const preview = previewOf(`Title,Price,SKU\nLamp,5,L\n${irregular.join('\n')}\n,call,B\n,,C\n`);
  expect(preview).toMatchObject({ problems: 62, warnings: 0, errors: 2 });
  expect(preview.problemRows).toHaveLength(50);
  expect(preview.problemRows[0]).toMatchObject({ row: 2, class: 'valid', issues: ['too-many-cells'] });
  expect(preview.problemRows.slice(-2)).toMatchObject([
    { row: 62, class: 'error', cells: ['', 'call', 'B'], issues: ['title-missing', 'price-not-numeric'] },
    { row: 63, class: 'error', issues: ['title-missing', 'price-missing'] },
  ]);
});

test('the rows of a page have the classes that the whole file gives them', () => {
  const rows = Array.from({ length: 201 }, (_, at) => (at === 200 ? 'lamp,,M,5' : `v-${at},Vase,,7`));
  const bytes = bytesOf(`Handle,Title,Option1 Value,Price\nlamp,Lamp,S,5\n${rows.join('\n')}\n,,,\nx,,,\n`);
  const previewer = createPreviewer();
  previewer.push(bytes);
  const preview = previewer.end();
  const range = previewer.pageRange(1);
  if (preview === null || range === null) throw new Error('The text has two pages');
  const page = readPreviewPage(bytes.subarray(range.byteFrom, range.byteTo), range, preview);
  expect(page.map(({ row, class: rowClass }) => [row, rowClass])).toEqual([
    [201, 'valid'],
    [202, 'valid'],
    [203, 'error'],
  ]);
});

test('the prices are those of the rows, in the currency that the file names', () => {
  const prices = (...lines: string[]) => previewOf(`${lines.join('\n')}\n`).prices;
  const euros = { low: 9.5, high: 1299, currencies: ['EUR'] };
  expect(prices('Title;Price;Currency', 'Lampe;1.299;EUR', 'Vase;9,50;EUR', 'Tisch;24,00;EUR')).toMatchObject(
    euros,
  );
  expect(
    prices('Handle;Title;Price', 'lampe;Lampe;1.299 €', 'vase;Vase;9,50 €', 'tisch;Tisch;24,00 €'),
  ).toMatchObject(euros);
  expect(prices('Title,Price', 'Lamp,24.50', 'Vase,9')).toMatchObject({ low: 9, high: 24.5, currencies: [] });
});
