import { expect, test } from 'vitest';
import { firstText, noticesOf, openBytes, textOf } from '../testing/read-all.ts';
import { type CellContent, type WorkbookContent, workbookFile } from '../testing/workbook-file.ts';

const number = (value: number | string, format?: string): CellContent => ({ value, format });

/** The line of a sheet with these cells. */
async function lineOf(
  cells: readonly CellContent[],
  content: Partial<WorkbookContent> = {},
): Promise<string> {
  return (
    await firstText(await workbookFile({ sheets: [{ name: 'A', rows: [cells] }], ...content }))
  ).trimEnd();
}

test.each<[string, CellContent, string]>([
  ['a whole number', number('42'), '42'],
  ['its decimals', number('12.50'), '12.50'],
  ['a whole number as Java writes it', number('4711.0'), '4711'],
  ['a negative one as Java writes it', number('-3.0'), '-3'],
  ['a price as Java writes it', number('39.0', '0.00'), '39.00'],
  ['a GTIN as Java writes it', number('4.006381333931E12'), '4006381333931'],
  ['15 digits of more', number('12.300000000000001'), '12.3'],
  ['no exponent', number('1.2345E+13'), '12345000000000'],
  ['no exponent of a huge number', number('9.999E+20'), '999900000000000000000'],
  ['no negative exponent', number('1E-3'), '0.001'],
  ['a small number', number('-2.5e-7'), '-0.00000025'],
  ['nothing below zero of zero', number('-0e0'), '0'],
  ['a GTIN', number('4006381333931'), '4006381333931'],
  ['three decimals as they are', number('90.125'), '90.125'],
  ['three decimals after rounding', number('-0.12500000000000003'), '-0.125'],
  ['three decimals that cannot be thousands', number('1234.125'), '1234.125'],
  ['text that is no number', number('abc'), 'abc'],
  ['zeros of an article number', number('123', '00000'), '00123'],
  ['a GTIN of zeros', number('400638', '0000000000000'), '0000000400638'],
  ['hyphens of a format', number('12345', '00-000'), '12-345'],
  ['more digits than places', number('1234567', '00-000'), '1234-567'],
  ['no zeros of a row that is longer than numbers of articles', number('42', '0'.repeat(65)), '42'],
  ['text of a format', number('42', '"ART-"0000'), 'ART-0042'],
  ['a decimal number in a format of zeros', number('12.5', '0000'), '12.5'],
  ['one zero is no padding', number('5', '0'), '5'],
  ['the decimals of a price', number('39', '0.00'), '39.00'],
  ['the decimals of a price below one', number('-0.5', '#,##0.00_);[Red](#,##0.00)'), '-0.50'],
  ['no fewer decimals than are stored', number('14.3875', '0.00'), '14.3875'],
  ['the decimals of rounded dust', number('12.300000000000001', '2'), '12.30'],
  ['decimals in the currency of the viewer', number('39', '44'), '39.00'],
  ['the zeros of a code', number('90.75', '0.000'), '90.750'],
  ['four zeros of a code', number('90.75', '0.0000'), '90.7500'],
  ['no decimals that may be hidden', number('39', '0.##'), '39'],
  ['no decimals of an exponent', number('1200', '0.00E+00'), '1200'],
  ['grouping', number('1234567', '#,##0'), '1234567'],
  ['a percent', number('0.19', '0%'), '19%'],
  ['a percent with decimals', number('0.07', '0.00%'), '7%'],
  ['a percent of binary dust', number('0.28999999999999998', '9'), '29%'],
  ['euros', number('14.39', '#,##0.00 [$€-407]'), '14.39 EUR'],
  ['euros in quotes', number('14.388', '0.00 "€"'), '14.3880 EUR'],
  ['a code', number('14.39', '[$CHF-807] #,##0.00'), '14.39 CHF'],
  ['a bare code with letters of dates', number('14.39', 'USD 0.00'), '14.39 USD'],
  ['a sign of several currencies', number('14.39', '"$"#,##0.00'), '$14.39'],
  ['a word of several currencies', number('14.39', '0.00 "kr"'), 'kr 14.39'],
  ['the currency of the viewer', number('14.39', '44'), '14.39'],
  ['a unit is no currency', number('2.5', '0.0" kg"'), '2.5'],
  ['a language is no currency', number('14.39', '[$-407]0.00'), '14.39'],
  ['a date', number('46082', '14'), '2026-03-01'],
  ['a date of another format', number('46082', 'dd\\.mm\\.yyyy;@'), '2026-03-01'],
  ['a date with a language', number('46082', '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy'), '2026-03-01'],
  ['a month, which may have been a code', number('46082', '17'), 'Mar-26'],
  ['a day and a month', number('46181', '16'), '8-Jun'],
  ['a size that became a date', number('46181', 'm-d'), '6-8'],
  ['a size with its own text', number('46181', '[$-409]d" / "mm;@'), '8 / 06'],
  ['a long month', number('46181', 'mmmm d'), 'June 8'],
  ['a month of a long year', number('46181', 'mm/yyyy'), '2026-06-08'],
  ['a day of the week', number('46181', 'ddd d'), '2026-06-08'],
  ['a time that a day and a month hide', number('46181.5', '16'), '2026-06-08 12:00:00'],
  ['a date with time', number('46082.604166666664', '22'), '2026-03-01 14:30:00'],
  ['midnight in a format with time', number('46082', '22'), '2026-03-01 00:00:00'],
  ['a time that the format hides', number('46082.5', '14'), '2026-03-01 12:00:00'],
  ['a time', number('0.60416666666666663', 'h:mm'), '14:30:00'],
  ['a time of the afternoon', number('0.60416666666666663', 'h:mm AM/PM'), '14:30:00'],
  ['a duration', number('1.5104166666666667', '[h]:mm'), '36:15'],
  ['a duration with seconds', number('0.00005', '[mm]:ss'), '00:04'],
  ['the first day', number('1', '14'), '1900-01-01'],
  ['the day that never was', number('60', '14'), '1900-02-29'],
  ['the day after', number('61', '14'), '1900-03-01'],
  ['the last day', number('2958465', '14'), '9999-12-31'],
  ['beyond the last day', number('2958466', '14'), '2958466'],
  ['a negative date', number('-1', '14'), '-1'],
  ['ISO dates', { type: 'd', value: '2026-03-01T14:30:00' }, '2026-03-01 14:30:00'],
  ['a text of digits', '00123', '00123'],
  ['a text that looks like a number with three decimals, in quotes', '1.299', '"1.299"'],
  ['such a text of a formula', { type: 'str', formula: 'TEXT(A1,"0.000")', value: '90.750' }, '"90.750"'],
  ['a text of other decimals', '12.50', '12.50'],
  ['a text with a comma and quotes', 'a "b", c', '"a ""b"", c"'],
  ['a carriage return of Excel', 'a_x000D_\nb', '"a\nb"'],
  ['an escaped escape', 'a_x005F_x000D_', 'a_x000D_'],
  ['a letter of two units', '_xD83E__xDE91_', '🪑'],
  ['a boolean', true, 'TRUE'],
  ['an error', { type: 'e', value: '#N/A' }, '#N/A'],
  ['the value of a formula', { formula: 'A1*2', value: '4' }, '4'],
  ['an empty text of a formula', { type: 'str', formula: 'IF(1,"")', value: '' }, ''],
  ['a formula without value', { formula: 'B2*1.2' }, '=B2*1.2'],
  ['a constant link', { formula: 'HYPERLINK("https://a.example/","See ""it""")' }, '"See ""it"""'],
  [
    'a picture by address',
    { formula: '_xlfn.IMAGE("https://a.example/1.jpg")', type: 'e', value: '#VALUE!' },
    'https://a.example/1.jpg',
  ],
  [
    'a picture of Google Sheets',
    {
      formula: 'IFERROR(__xludf.DUMMYFUNCTION("IMAGE(""https://a.example/1.jpg"")"),"")',
      type: 'str',
      value: '',
    },
    'https://a.example/1.jpg',
  ],
  [
    'a picture by an address with a size',
    { formula: 'IMAGE( "https://a.example/1.jpg" ;"Chair",3)', type: 'e', value: '#VALUE!' },
    'https://a.example/1.jpg',
  ],
  [
    'a composed address, which is no picture',
    { formula: 'IMAGE("https://a.example/"&A2&".jpg")' },
    '"=IMAGE(""https://a.example/""&A2&"".jpg"")"',
  ],
  [
    'the value of a picture under a condition',
    { formula: 'IF(A2>1,IMAGE("https://a.example/1.jpg"),"")', type: 'str', value: 'none' },
    'none',
  ],
  [
    'a composed address in Google Sheets',
    {
      formula: 'IFERROR(__xludf.DUMMYFUNCTION("IMAGE(""https://a.example/""&A2)"),"x")',
      type: 'str',
      value: 'x',
    },
    'x',
  ],
  [
    'a composed link',
    { formula: 'HYPERLINK("https://a.example/"&A2,"See")', type: 'str', value: 'See' },
    'See',
  ],
  ['the formula of another cell without value', { raw: '<c r="A1"><f t="shared" si="0"/></c>' }, '='],
  [
    'a picture of WPS',
    { formula: '_xlfn.DISPIMG("ID_12",1)', type: 'str', value: '=DISPIMG("ID_12",1)' },
    '',
  ],
  [
    'rich text without pronunciation',
    {
      type: 'inlineStr',
      inline: '<is><r><t>東</t></r><r><t xml:space="preserve"> 京</t></r><rPh><t>トウ</t></rPh></is>',
    },
    '東 京',
  ],
  [
    'a text in the cell beside a value',
    { type: 'inlineStr', value: '1.0', inline: '<is><t>1.</t></is>' },
    '1.',
  ],
])('%s', async (_what, cell, text) => {
  expect(await lineOf([cell])).toBe(text);
});

test('dates of 1904 begin four years later', async () => {
  const cells = [number('0', '14'), number('44620', '14'), number('0.5', '20')];
  expect(await lineOf(cells, { is1904: true })).toBe('1904-01-01,2026-03-01,12:00:00');
});

test('a cell without a place follows the one before, the last of two wins', async () => {
  const data =
    '<row><c t="inlineStr"><is><t>a</t></is></c><c><v>1</v></c></row>' +
    '<row><c r="C2"><v>3</v></c><c r="A2"><v>1</v></c><c r="b2"><v>8</v></c><c r="B2"><v>2</v></c></row>' +
    '<row r="4"><c s=" "><v>4</v></c><c t="s"><v>99</v></c><c t="s"><v>x</v></c><c><v>5</v></c></row>';
  expect(await firstText(await workbookFile({ sheets: [{ name: 'A', data }] }))).toBe(
    'a,1\n1,2,3\n\n4,,,5\n',
  );
});

test('rows out of order, or beyond the sheet, are refused', async () => {
  const textOfRows = async (data: string) => firstText(await workbookFile({ sheets: [{ name: 'A', data }] }));
  const row = (n: number) => `<row r="${n}"><c><v>1</v></c></row>`;
  await expect(textOfRows(row(2) + row(1))).rejects.toThrow('row 1 comes after row 2');
  await expect(textOfRows(row(1) + row(1))).rejects.toThrow('row 1 comes after row 1');
  await expect(textOfRows(row(1_048_577))).rejects.toThrow('beyond the end of the sheet');
  await expect(textOfRows('<row><c r="XFE1"><v>1</v></c></row>')).rejects.toThrow(
    'beyond the end of the sheet',
  );
  await expect(textOfRows('<row><c r="XFD1"><v>1</v></c></row>')).rejects.toThrow('more than 2,000 columns');
  expect(await textOfRows('<row><c r="XFD1" s="1"/><c r="A1"><v>1</v></c></row>')).toBe('1\n');
  expect(await textOfRows(row(1_048_576))).toBe(`${'\n'.repeat(1_048_575)}1\n`);
});

const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;

test('cells merged down are repeated in the rows that have more, those merged across are not', async () => {
  const data =
    `<row r="1">${cell('A1', 'Name, all')}${cell('B1', 'Size')}</row>` +
    `<row r="2">${cell('A2', 'Shirt, blue')}${cell('B2', 'S')}</row>` +
    `<row r="3"><c r="A3" s="1"/>${cell('B3', 'M')}</row>` +
    `<row r="4"/><row r="5">${cell('B5', 'L')}</row>` +
    `<row r="6">${cell('B6', 'XL')}</row>`;
  const after =
    '<mergeCells><mergeCell ref="A2:A5"/><mergeCell ref="A1:B1"/><mergeCell ref="B9:A8"/></mergeCells>';
  const workbook = await workbookFile({ sheets: [{ name: 'A', data, after }] });
  expect(await firstText(workbook)).toBe(
    '"Name, all",Size\n"Shirt, blue",S\n"Shirt, blue",M\n\n"Shirt, blue",L\n,XL\n',
  );
});

test('addresses behind texts are a further column, if there are three', async () => {
  const data = [
    `<row r="1">${cell('A1', 'Prices of March')}</row>`,
    `<row r="2">${cell('A2', 'SKU')}${cell('B2', 'Photo, large')}${cell('C2', 'Page')}</row>`,
    ...[3, 4, 5, 6].map(
      (row) =>
        `<row r="${row}">${cell(`A${row}`, String(row))}${cell(`B${row}`, 'View')}${cell(`C${row}`, 'https://a.example/0')}</row>`,
    ),
  ].join('');
  const link = (place: string, id: number) => `<hyperlink ref="${place}" r:id="rId${id}"/>`;
  const links = ['https://a.example/0', 'https://a.example/1,2', 'https://a.example/2', 'mailto:a@b.example'];
  const after = `<hyperlinks>${link('B3', 2)}${link('B4', 3)}${link('B6', 1)}${link('A3', 2)}${link('A4', 4)}${link('C3:C6', 1)}</hyperlinks>`;
  const workbook = await workbookFile({ sheets: [{ name: 'A', data, after, links }] });
  expect(await firstText(workbook)).toBe(
    [
      'Prices of March',
      'SKU,"Photo, large",Page,"Photo, large (link)"',
      '3,View,https://a.example/0,"https://a.example/1,2"',
      '4,View,https://a.example/0,https://a.example/2',
      '5,View,https://a.example/0',
      '6,View,https://a.example/0,https://a.example/0',
      '',
    ].join('\n'),
  );
});

test.each([
  ['to a column of cells each', 2, 'A1:A1048576'],
  ['to all cells', 1, 'A1:XFD1048576'],
  ['over the columns of a row', 100, 'A1:XFD1'],
])('links %s are refused', async (_what, count, ref) => {
  const links = `<hyperlink ref="${ref}" r:id="rId1"/>`.repeat(count);
  const after = `<hyperlinks>${links}</hyperlinks>`;
  const content = { name: 'A', rows: [['x']], after, links: ['https://a.example/'] };
  await expect(firstText(await workbookFile({ sheets: [content] }))).rejects.toThrow(
    'The sheet ‘A’ has too many merged cells or links to read. Save it as CSV.',
  );
});

test('merged cells that begin at one place are repeated once, in little time', async () => {
  const rows = Array.from(
    { length: 20_000 },
    (_row, at) => `<row>${at > 0 ? '' : '<c><v>7</v></c>'}<c r="B${at + 1}"><v>${at}</v></c></row>`,
  );
  const after = `<mergeCells>${'<mergeCell ref="A1:A20000"/>'.repeat(100_000)}</mergeCells>`;
  const workbook = await workbookFile({ sheets: [{ name: 'A', data: rows.join(''), after }] });
  expect(await firstText(workbook)).toBe(rows.map((_row, at) => `7,${at}\n`).join(''));
});

test('hidden columns are counted once, and refused if there are more than a sheet has', async () => {
  const noticesWith = async (ranges: number) => {
    const before = `<cols>${'<col min="1" max="16384" hidden="1"/>'.repeat(ranges)}</cols>`;
    const container = await openBytes(
      await workbookFile({ sheets: [{ name: 'A', before, rows: [['a', 'b'], ['c']] }] }),
    );
    return noticesOf(container, 0);
  };
  expect(await noticesWith(16_384)).toMatchObject({ hiddenColumns: 2 });
  await expect(noticesWith(16_385)).rejects.toThrow('The sheet has too many hidden columns.');
});

test('hidden rows and columns, errors and formulas without value are read and counted', async () => {
  const data =
    `<row r="1">${cell('A1', 'a')}${cell('C1', 'c')}</row>` +
    `<row r="2" hidden="1">${cell('A2', '1')}<c r="B2" t="e"><v>#REF!</v></c><c r="C2"><f>A1</f></c></row>` +
    '<row r="3" hidden="true"><c r="A3" s="1"/></row>';
  const before = '<cols><col min="3" max="16384" hidden="1"/></cols>';
  const container = await openBytes(await workbookFile({ sheets: [{ name: 'A', data, before }] }));
  expect(await noticesOf(container, 0)).toEqual({
    hiddenRows: 1,
    hiddenColumns: 1,
    errorCells: 1,
    formulasWithoutValue: 1,
  });
  expect(await textOf(container, 0)).toBe('a,,c\n1,#REF!,=A1\n');
});
