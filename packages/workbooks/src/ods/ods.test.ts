import { expect, test } from 'vitest';
import { firstText, noticesOf, openBytes, textOf } from '../testing/read-all.ts';
import { zipFile } from '../testing/zip-file.ts';

const cell = (attributes: string, ...paragraphs: string[]) =>
  `<table:table-cell ${attributes}>${paragraphs.map((text) => `<text:p>${text}</text:p>`).join('')}</table:table-cell>`;
const text = (...paragraphs: string[]) => cell('office:value-type="string"', ...paragraphs);
const float = (value: string, shown: string) =>
  cell(`office:value-type="float" office:value="${value}"`, shown);
const date = (value: string, shown: string) =>
  cell(`office:value-type="date" office:date-value="${value}"`, shown);
const row = (cells: string, attributes = '') => `<table:table-row ${attributes}>${cells}</table:table-row>`;

function odsFile(tables: string, { manifest = '<manifest/>', kind = 'spreadsheet' } = {}) {
  const content =
    '<office:document-content><office:automatic-styles><style:style style:name="ta1"><style:table-properties table:display="true"/></style:style>' +
    '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles>' +
    `<office:body><office:${kind}>${tables}</office:${kind}></office:body></office:document-content>`;
  return zipFile([
    { name: 'mimetype', data: `application/vnd.oasis.opendocument.${kind}`, isStored: true },
    { name: 'content.xml', data: content },
    { name: 'META-INF/manifest.xml', data: manifest },
  ]);
}

const table = (rows: string, name = 'Preise', style = 'ta1') =>
  `<table:table table:name="${name}" table:style-name="${style}">${rows}</table:table>`;

test.each<[string, string, string]>([
  ['a number', float('12.300000000000001', '12,3'), '12.3'],
  ['the decimals of a price', float('1039', '1.039,00'), '1039.00'],
  ['the zeros of a code', float('90.75', '90.750'), '90.750'],
  ['thousands', float('1500', '1.500'), '1500'],
  ['a text of three decimals', text('90.750'), '"90.750"'],
  ['a number with leading zeros', float('123', '00123'), '00123'],
  ['an article number with hyphens', float('12345', '12-345'), '12-345'],
  ['an article number with letters', float('42', 'ART-0042'), 'ART-0042'],
  ['a number with a unit', float('42', '42 kg'), '42'],
  ['money as a number', float('14.388', '14,39 €'), '14.3880 EUR'],
  ['money of several countries as a number', float('0', '$0.00'), '$0'],
  ['a percent', cell('office:value-type="percentage" office:value="0.19"', '19 %'), '19%'],
  [
    'money',
    cell('office:value-type="currency" office:currency="EUR" office:value="14.388"', '14,39 €'),
    '14.3880 EUR',
  ],
  ['a date', date('2026-03-01', '1.3.26'), '2026-03-01'],
  ['a size', date('2026-06-08', '6-8'), '6-8'],
  ['a month', date('2026-10-12', '12. Okt'), '12. Okt'],
  ['a date with time', date('2026-03-01T14:30:00', 'x'), '2026-03-01 14:30:00'],
  ['a time', cell('office:value-type="time" office:time-value="PT36H05M00S"', 'x'), '36:05:00'],
  ['a boolean', cell('office:value-type="boolean" office:boolean-value="true"', 'WAHR'), 'TRUE'],
  ['paragraphs', text('a, <text:span>b</text:span>', 'c'), '"a, b\nc"'],
  ['spaces', text('a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d'), '"a   b\tc\nd"'],
  [
    'no comment',
    text('a').replace('<text:p>', '<office:annotation><text:p>secret</text:p></office:annotation><text:p>'),
    'a',
  ],
  ['a formula without value', cell('table:formula="of:=[.B2]*2"'), '=[.B2]*2'],
])('%s in an OpenDocument sheet', async (_what, xml, expected) => {
  expect(await firstText(await odsFile(table(row(xml))))).toBe(`${expected}\n`);
});

test('repeated rows and cells are written, those behind the last with content are not', async () => {
  const blank = '<table:table-cell table:number-columns-repeated="16380"/>';
  const rows =
    row(`${text('A')}<table:table-cell table:number-columns-repeated="2"/>${text('D')}${blank}`) +
    row(blank, 'table:number-rows-repeated="2"') +
    row(
      text('x').replace('<table:table-cell', '<table:table-cell table:number-columns-repeated="2"'),
      'table:number-rows-repeated="2"',
    ) +
    row(blank, 'table:number-rows-repeated="1048570"');
  expect(await firstText(await odsFile(table(rows)))).toBe('A,,,D\n\n\nx,x\nx,x\n');
});

test('sheets, hidden ones, merged cells and what the operator should know', async () => {
  const merged = text('Shirt').replace(
    '<table:table-cell',
    '<table:table-cell table:number-rows-spanned="3"',
  );
  const covered =
    '<table:covered-table-cell office:value-type="string"><text:p>hidden</text:p></table:covered-table-cell>';
  const error = cell('table:formula="of:=1/0" office:value-type="string"', '#DIV/0!');
  const rows =
    '<table:table-column/><table:table-column table:visibility="collapse"/>' +
    row(merged + text('S')) +
    row(covered + text('M'), 'table:visibility="filter"') +
    row(covered + error);
  const container = await openBytes(await odsFile(table(rows) + table(row(text('b')), 'Alt', 'ta2')));
  const sheet = { kind: 'sheet', active: false, rows: null };
  expect(container.tables).toEqual([
    { ...sheet, n: 0, name: 'Preise', hidden: false },
    { ...sheet, n: 1, name: 'Alt', hidden: true },
  ]);
  expect(await noticesOf(container, 0)).toEqual({
    hiddenRows: 1,
    hiddenColumns: 1,
    errorCells: 1,
    formulasWithoutValue: 0,
  });
  expect(await textOf(container, 0)).toBe('Shirt,S\nShirt,M\nShirt,#DIV/0!\n');
  expect(await textOf(container, 1)).toBe('b\n');
});

test('a head ends with a line', async () => {
  const rows = Array.from({ length: 500 }, (_row, at) => row(text(`SKU-${at}`))).join('');
  const container = await openBytes(await odsFile(table(rows)));
  const whole = await textOf(container, 0);
  const head = await textOf(container, 0, { headBytes: 100 });
  expect(whole.startsWith(head)).toBe(true);
  expect(head.length).toBeGreaterThanOrEqual(100);
  expect(head.length).toBeLessThan(120);
});

test('a password, a text document and rows beyond the sheet are refused', async () => {
  const manifest = '<manifest><file-entry><encryption-data/></file-entry></manifest>';
  await expect(openBytes(await odsFile('', { manifest }))).rejects.toMatchObject({
    code: 'workbook_protected',
  });
  await expect(openBytes(await odsFile('', { kind: 'text' }))).rejects.toThrow('but not a spreadsheet');
  const endless = table(row(text('x'), 'table:number-rows-repeated="99999999"'));
  await expect(firstText(await odsFile(endless))).rejects.toThrow('beyond the end of the sheet');
  const wide = table(
    row(text('x').replace('<table:table-cell', '<table:table-cell table:number-columns-repeated="9999"')),
  );
  await expect(firstText(await odsFile(wide))).rejects.toThrow('more than 2,000 columns');
  await expect(openBytes(await odsFile(''))).rejects.toMatchObject({ code: 'no_list' });
});
