import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openBytes, textOf } from './testing/read-all.ts';
import { part, relationsXml, type SheetContent, workbookFile } from './testing/workbook-file.ts';
import { bytesOf, zipFile } from './testing/zip-file.ts';

const tooLong = 'The workbook has a name or a format that is too long to read.';
const tooManyNames = 'The workbook has too many kinds of elements to read.';
const tooMuchKept =
  'The workbook has more names and links than can be read. Save the list as CSV and upload that.';
const sheet: SheetContent = { name: 'A', rows: [['Title'], ['Lamp']] };
const long = (length: number) => 'x'.repeat(length);

/** Names whose hashes are equal: "Aa" and "BB" are in each place. */
const colliding = (bits: number) =>
  Array.from({ length: 2 ** bits }, (_, n) =>
    Array.from({ length: bits }, (_bit, at) => ((n >> at) & 1 ? 'Aa' : 'BB')).join(''),
  );
const empty = (names: string[]) => names.map((name) => `<${name}/>`).join('');
const styles = (formats: string) =>
  part('xl/styles.xml', `<styleSheet><numFmts>${formats}</numFmts><cellXfs><xf/></cellXfs></styleSheet>`);
const format = (code: string) => `<numFmt numFmtId="200" formatCode="${code}"/>`;
const linked = (reference: string) => ({
  sheets: [{ ...sheet, after: `<hyperlinks><hyperlink ref="${reference}" r:id="rId1"/></hyperlinks>` }],
});

test.each([
  [
    'a number format that is too long',
    { sheets: [sheet], parts: [styles(format('0'.repeat(256)))] },
    tooLong,
  ],
  ['the name of a sheet that is too long', { sheets: [{ ...sheet, name: long(256) }] }, tooLong],
  ['a reference that is too long', linked(long(65)), tooLong],
  [
    'the name of an element that is too long',
    { sheets: [{ ...sheet, before: `<${long(1001)}/>` }] },
    tooLong,
  ],
  [
    'a set of element names with one hash',
    { sheets: [{ ...sheet, before: empty(colliding(4)) }] },
    tooManyNames,
  ],
] as const)('%s is refused', async (_what, content, sentence) => {
  const read = async () =>
    textOf(await openBytes(await workbookFile({ ...content, sheets: [...content.sheets] })), 0);
  await expect(read()).rejects.toMatchObject({ code: 'too_much', message: sentence });
});

test('formats, names and references as long as they may be are read', async () => {
  const content = {
    sheets: [{ ...sheet, name: long(255), before: empty([long(1000), ...colliding(3).slice(0, 7)]) }],
    parts: [styles(format('0'.repeat(255)))],
  };
  expect(await textOf(await openBytes(await workbookFile(content)), 0)).toBe('Title\nLamp\n');
});

test('addresses that take more memory than a workbook may are refused while they are read', async () => {
  const addresses = Array.from({ length: 5_000 }, (_, n): [string, string] => ['hyperlink', long(8_000) + n]);
  const content = {
    sheets: [{ ...sheet, after: '<hyperlinks><hyperlink ref="A2" r:id="rId1"/></hyperlinks>' }],
    parts: [{ ...part('xl/worksheets/_rels/sheet1.xml.rels', relationsXml(addresses)), isStored: true }],
  };
  const read = async () => textOf(await openBytes(await workbookFile(content)), 0);
  await expect(read()).rejects.toMatchObject({ code: 'too_much', message: tooMuchKept });
});

const odsOf = (content: string) =>
  zipFile([
    { name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet', isStored: true },
    { name: 'content.xml', data: content },
  ]);

test('names of OpenDocument styles and sheets have a limit', async () => {
  const document = (style: string, table: string) =>
    `<document><style name="${style}"/><spreadsheet><table name="${table}"><table-row><table-cell><p>x</p></table-cell></table-row></table></spreadsheet></document>`;
  expect((await openBytes(await odsOf(document(long(1000), long(255))))).tables).toHaveLength(1);
  for (const [style, table] of [
    [long(1001), 'A'],
    ['s', long(256)],
  ] as const) {
    const open = async () => openBytes(await odsOf(document(style, table)));
    await expect(open()).rejects.toMatchObject({ code: 'too_much', message: tooLong });
  }
});

test('merged cells keep no more text than a row may have', async () => {
  const columns = 20;
  const letter = (column: number) => String.fromCharCode(65 + column);
  const all = Array.from({ length: columns }, (_, at) => at);
  // One cell of each row is long, and the others have texts of their own, so that nothing is repeated.
  const row = (own: number) =>
    `<row r="${own + 1}">${all.map((at) => `<c t="s"><v>${at === own ? 0 : 1}</v></c>`).join('')}</row>`;
  const merges = all.map((at) => `<mergeCell ref="${letter(at)}${at + 1}:${letter(at)}1000"/>`);
  const read = async (length: number) => {
    const texts = `<sst><si><t>${long(length)}</t></si><si><t>y</t></si></sst>`;
    const content = {
      sheets: [
        { name: 'A', data: all.map(row).join(''), after: `<mergeCells>${merges.join('')}</mergeCells>` },
      ],
      parts: [{ ...part('xl/sharedStrings.xml', texts), isStored: true }],
    };
    return textOf(await openBytes(await workbookFile(content)), 0);
  };
  expect((await read(500_000)).split(long(500_000))).toHaveLength(columns + 1);
  await expect(read(1_000_000)).rejects.toMatchObject({
    code: 'too_much',
    message: 'The workbook has too many merged cells to read. Save the sheet as CSV.',
  });
});

test('a gzip file in tiny parts is refused before any of them is unpacked', async () => {
  const member = gzipSync(bytesOf('Lamp,1\n'));
  const file = (members: number) =>
    new Uint8Array(Buffer.concat(Array.from({ length: members }, () => member)));
  const read = async (members: number) => textOf(await openBytes(file(members)), 0);
  expect(await read(1_000)).toBe('Lamp,1\n'.repeat(1_000));
  await expect(read(2_000)).rejects.toMatchObject({
    code: 'too_much',
    message: 'This file is packed in too many parts to read. Unpack it and upload the list in it.',
  });
});

test('names of entries and sheets have no characters that turn or hide text', async () => {
  const workbook = await workbookFile({ sheets: [{ ...sheet, name: 'Pri\u202eces\u200b' }] });
  const list = 'Title,Price\nLamp,1\n';
  const archive = await zipFile([
    { name: 'x\u202egpj.csv', data: list },
    { name: 'b\u2066ook.xlsx', data: workbook, isStored: true },
  ]);
  expect((await openBytes(archive)).tables.map(({ name }) => name)).toEqual([
    'xgpj.csv',
    'book.xlsx: Prices',
  ]);
});
