import { joinBytes } from '@draftshelf/csv/joined';
import { expect, test } from 'vitest';
import { endAtRepeats } from './open-container.ts';
import { noNotices } from './table-reading.ts';
import { firstText, noticesOf, openBytes, textOf } from './testing/read-all.ts';
import { workbookFile } from './testing/workbook-file.ts';
import { bytesOf, compressed, zipFile } from './testing/zip-file.ts';

const rows = [
  ['SKU', 'Title', 'Price', 'Since', 'Stock'],
  ['00123', 'Chair, "oak"\nlarge', 12.5, { value: 45352, format: '14' }, true],
  [
    'A_x000D_',
    ' Größe & <Maß> ',
    { value: '12.300000000000001' },
    { value: 45352.604166666664, format: 'yyyy\\-mm\\-dd hh:mm' },
    false,
  ],
];
const text =
  'SKU,Title,Price,Since,Stock\n' +
  '00123,"Chair, ""oak""\nlarge",12.5,2024-03-01,TRUE\n' +
  '"A\r", Größe & <Maß> ,12.3,2024-03-01 14:30:00,FALSE\n';

test.each(['shared', 'inline'] as const)('a sheet with %s texts is CSV', async (texts) => {
  const container = await openBytes(await workbookFile({ sheets: [{ name: 'Preise', rows }], texts }));
  expect(container.kind).toBe('workbook');
  expect(container.tables).toEqual([
    { n: 0, name: 'Preise', kind: 'sheet', hidden: false, active: true, rows: null },
  ]);
  expect(await textOf(container, 0)).toBe(text);
});

test('a line for each row of the sheet, up to the last with content', async () => {
  const data =
    '<row r="3"><c r="C3"><v>1</v></c></row><row r="5"><c r="A5" t="inlineStr"><is><t>x</t></is></c><c r="Z5" s="1"/></row><row r="9"/>';
  expect(await firstText(await workbookFile({ sheets: [{ name: 'A', data }] }))).toBe('\n\n,,1\n\nx\n');
});

const row = (cells: string, attributes = '') =>
  `<table-row ${attributes}><table-cell><p>${cells}</p></table-cell></table-row>`;
const lamps = (times: number) => 'Lamp,1\n'.repeat(times);

const files: Record<string, (times: number) => Promise<Uint8Array<ArrayBuffer>>> = {
  'an OpenDocument sheet': (times) =>
    zipFile([
      { name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet', isStored: true },
      {
        name: 'content.xml',
        data: `<a><spreadsheet><table name="A">${row('Title')}${row('Lamp', `number-rows-repeated="${times}"`)}${row('Vase')}</table></spreadsheet></a>`,
      },
    ]),
  'a sheet': (times) =>
    workbookFile({
      sheets: [{ name: 'A', rows: [['Title'], ...Array.from({ length: times }, () => ['Lamp']), ['Vase']] }],
    }),
  'a list in an archive': (times) =>
    zipFile([{ name: 'list.csv', data: `Title\n${'Lamp\n'.repeat(times)}Vase\n` }]),
  'a packed list': (times) => compressed(bytesOf(`Title\n${'Lamp\n'.repeat(times)}Vase\n`), 'gzip'),
};

test.each(Object.entries(files))(
  '%s ends where a row has come 1,000 times, and says so',
  async (_what, of) => {
    const enough = await openBytes(await of(1_000));
    expect(await textOf(enough, 0)).toBe(`Title\n${'Lamp\n'.repeat(1_000)}Vase\n`);
    expect(await noticesOf(enough, 0)).toEqual(noNotices);
    const tooMany = await openBytes(await of(1_001));
    expect(await textOf(tooMany, 0)).toBe(`Title\n${'Lamp\n'.repeat(1_000)}`);
    expect(await noticesOf(tooMany, 0)).toEqual({ ...noNotices, endedAtRepeats: true });
  },
);

/** What is left of a text that comes in pieces of this size. */
async function leftOf(text: Uint8Array, size: number): Promise<number> {
  const pieces = async function* () {
    for (let at = 0; at < text.length; at += size) {
      yield text.slice(at, at + size) as Uint8Array<ArrayBuffer>;
    }
  };
  return joinBytes(await Array.fromAsync(endAtRepeats(pieces))).length;
}

test.each([1, 3, 7, 1000])('rows are compared across pieces of %i bytes', async (size) => {
  expect(await leftOf(bytesOf(lamps(2_000)), size)).toBe(7_000);
  // A line end of two bytes may be read as one that begins the next line, which makes the first line another one.
  const crlf = await leftOf(bytesOf(lamps(2_000).replaceAll('\n', '\r\n')), size);
  expect([8_000, 8_008]).toContain(crlf - (crlf % 8));
  const utf16 = await leftOf(Buffer.from(lamps(2_000), 'utf16le'), size);
  expect([14_000, 14_014]).toContain(utf16 - (utf16 % 14));
});

test('rows that a carriage return ends are compared; rows without content are not counted', async () => {
  expect(await leftOf(bytesOf(lamps(2_000).replaceAll('\n', '\r')), 5_000)).toBe(7_000);
  const empty = `${'\n'.repeat(5_000)}${';;;\n'.repeat(5_000)}${'"",""\r\n'.repeat(5_000)}`;
  expect(await leftOf(bytesOf(empty), 4_096)).toBe(empty.length);
  const between = 'Lamp\n\n'.repeat(1_500);
  expect(await leftOf(bytesOf(between), 4_096)).toBe(6_000);
});
