import { expect, test } from 'vitest';
import { firstText, openBytes, testLimits, textOf } from '../testing/read-all.ts';
import {
  part,
  relationsXml,
  type WorkbookContent,
  workbookFile,
  workbookParts,
} from '../testing/workbook-file.ts';
import { zipFile } from '../testing/zip-file.ts';

const sheet = {
  name: 'Preise',
  rows: [
    ['SKU', 'Price'],
    ['A-1', 12.5],
  ],
};
const text = 'SKU,Price\nA-1,12.5\n';

/** A workbook whose parts are changed. */
async function changed(
  change: (name: string, xml: string) => string | null,
  content?: Partial<WorkbookContent>,
) {
  const parts = workbookParts({ sheets: [sheet], ...content }).flatMap(({ name, data }) => {
    const xml = change(name, String(data));
    return xml === null ? [] : [{ name, data: xml }];
  });
  return zipFile(parts);
}

const replace = (part: string, from: string | RegExp, to: string) => (name: string, xml: string) =>
  name === part ? xml.replaceAll(from, to) : xml;

test.each<[string, (name: string, xml: string) => string | null]>([
  ['prefixed elements', (_name, xml) => xml.replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:')],
  ['absolute targets', replace('xl/_rels/workbook.xml.rels', /Target="/g, 'Target="/xl/')],
  ['backslashes', replace('xl/_rels/workbook.xml.rels', /worksheets\//g, 'worksheets\\')],
  [
    'the strict namespace',
    (_name, xml) =>
      xml.replaceAll(
        'http://schemas.openxmlformats.org/officeDocument/2006',
        'http://purl.oclc.org/ooxml/officeDocument',
      ),
  ],
  [
    'alternate content',
    replace(
      'xl/workbook.xml',
      '<sheets>',
      '<mc:AlternateContent><mc:Choice Requires="x15"><x15ac:absPath url="C:"/></mc:Choice></mc:AlternateContent><sheets>',
    ),
  ],
  ['no styles', (name, xml) => (name === 'xl/styles.xml' ? null : xml)],
  [
    'no relations of texts and styles',
    replace('xl/_rels/workbook.xml.rels', /<Relationship [^>]*(?:sharedStrings|styles)[^>]*>/g, ''),
  ],
  ['no relations of the package', (name, xml) => (name === '_rels/.rels' ? null : xml)],
  ['a false count of texts', replace('xl/sharedStrings.xml', /uniqueCount="\d+"/g, 'uniqueCount="-1"')],
  [
    'a false dimension',
    replace('xl/worksheets/sheet1.xml', '<sheetData>', '<dimension ref="A1:XFD1048576"/><sheetData>'),
  ],
])('a workbook with %s is read', async (_what, change) => {
  expect(await firstText(await changed(change))).toBe(text);
});

test('names of parts are equal whatever their case, and the first counts', async () => {
  const parts = workbookParts({ sheets: [sheet] }).map((own) => ({
    ...own,
    name: own.name.replace('sheet1', 'Sheet1'),
  }));
  const second = { name: 'xl\\worksheets\\sheet1.xml', data: '<worksheet/>' };
  expect(await firstText(await zipFile([...parts, second]))).toBe(text);
});

test('sheets are listed with what the workbook says; charts are passed over', async () => {
  const empty = { name: '', rows: [] };
  const workbook = await workbookFile({
    sheets: [
      { ...empty, name: 'Diagramm' },
      { ...sheet, before: '<dimension ref="A1:B812"/>' },
      { ...empty, name: 'Alt & <neu>', state: 'hidden' },
      { ...empty, name: 'preise', state: 'veryHidden' },
    ],
    activeTab: 1,
    parts: [
      part(
        'xl/_rels/workbook.xml.rels',
        relationsXml([
          ['chartsheet', 'worksheets/sheet1.xml'],
          ['worksheet', 'worksheets/sheet2.xml'],
          ['worksheet', 'worksheets/sheet3.xml'],
          ['worksheet', 'worksheets/sheet4.xml'],
          ['sharedStrings', 'sharedStrings.xml'],
        ]),
      ),
    ],
  });
  const container = await openBytes(workbook);
  expect(container.tables).toEqual([
    { n: 1, name: 'Preise', kind: 'sheet', hidden: false, active: true, rows: 812 },
    { n: 2, name: 'Alt & <neu>', kind: 'sheet', hidden: true, active: false, rows: null },
    { n: 3, name: 'preise', kind: 'sheet', hidden: true, active: false, rows: null },
  ]);
  expect(await textOf(container, 1)).toBe(text);
  expect(await textOf(container, 2)).toBe('');
});

test.each<[string, (name: string, xml: string) => string | null, string]>([
  [
    'a document type',
    replace('xl/workbook.xml', '<workbook ', '<!DOCTYPE x><workbook '),
    'has a document type',
  ],
  [
    'no list of sheets',
    (name, xml) => (name === 'xl/workbook.xml' ? null : xml),
    'its list of sheets is missing',
  ],
  ['another root', replace('xl/workbook.xml', /<(\/?)workbook(?=[ >])/g, '<$1document'), 'not a workbook'],
  ['no sheet', replace('xl/workbook.xml', /<sheet .*?\/>/g, ''), 'This workbook has no sheet with cells.'],
  [
    '257 sheets',
    replace('xl/workbook.xml', /<sheet .*?\/>/g, '<sheet name="a" r:id="rId1"/>'.repeat(257)),
    'The workbook has more than 256 sheets.',
  ],
])('a workbook with %s is refused', async (_what, change, sentence) => {
  await expect(openBytes(await changed(change))).rejects.toThrow(sentence);
});

test('sheets that share a part are one', async () => {
  const sheets = '<sheet name="a" r:id="rId1"/>'.repeat(256);
  const container = await openBytes(await changed(replace('xl/workbook.xml', /<sheet .*?\/>/g, sheets)));
  expect(container.tables).toHaveLength(1);
  expect(await textOf(container, 0)).toBe(text);
});

test('the parts of a workbook are unpacked to a limit, however often they are read', async () => {
  const before = `<!--${' '.repeat(400_000)}-->`;
  const container = await openBytes(await workbookFile({ sheets: [{ ...sheet, before }] }), {
    ...testLimits,
    fileBytesMax: 20_000,
  });
  expect(await textOf(container, 0)).toBe(text);
  await textOf(container, 0).catch(() => {});
  await expect(textOf(container, 0)).rejects.toMatchObject({
    code: 'too_much',
    message: 'The file holds more data than can be read. Save the list as CSV and upload that.',
  });
});

const rows = Array.from({ length: 5000 }, (_row, at) => [`SKU-${at}`, at, `Title of product ${at % 1000}`]);

test.each(['shared', 'inline'] as const)(
  'the head of a sheet with %s texts is the beginning of its text',
  async (texts) => {
    const after = '<mergeCells><mergeCell ref="A3:A9"/></mergeCells>';
    const container = await openBytes(await workbookFile({ sheets: [{ name: 'A', rows, after }], texts }));
    const whole = await textOf(container, 0);
    const head = await textOf(container, 0, { headBytes: 10_000 });
    expect(whole.startsWith(head)).toBe(true);
    expect(head.endsWith('\n')).toBe(true);
    expect(head.length).toBeGreaterThan(3000);
    expect(head.length).toBeLessThan(20_000);
    expect(await textOf(container, 0, { headBytes: 2 ** 20 })).toBe(whole);
  },
);

test('pieces are bounded, whatever the texts are', async () => {
  const long = 'x'.repeat(900_000);
  const data = `<row>${'<c t="s"><v>0</v></c>'.repeat(2)}</row>`.repeat(20);
  const parts = [part('xl/sharedStrings.xml', `<sst><si><t>${long}</t></si></sst>`)];
  const container = await openBytes(await workbookFile({ sheets: [{ name: 'A', data }], parts }));
  const sizes: number[] = [];
  for await (const piece of container.read(0)) sizes.push(piece.length);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(20 * 1_800_002);
  expect(Math.max(...sizes)).toBeLessThan(2_000_000);
});

test.each<[string, Partial<WorkbookContent>, Partial<typeof testLimits>, string]>([
  [
    'a cell over the limit',
    { texts: 'inline', sheets: [{ name: 'A', rows: [['x'.repeat(5000)]] }] },
    { cellBytesMax: 4096 },
    'The workbook has a cell of more than 4 KB.',
  ],
  [
    'a text over the limit',
    { sheets: [{ name: 'A', rows: [['x'.repeat(5000)]] }] },
    { cellBytesMax: 4096 },
    'The workbook has a cell of more than 4 KB.',
  ],
  [
    'more text than a table may have',
    {
      sheets: [{ name: 'Viel', data: '<row><c t="s"><v>0</v></c></row>'.repeat(300) }],
      parts: [part('xl/sharedStrings.xml', `<sst><si><t>${'x'.repeat(50_000)}</t></si></sst>`)],
    },
    { fileBytesMax: 2 ** 20 },
    'The sheet ‘Viel’ holds more than 4 MB of text. Split it into smaller files, or raise CSV_BYTES_MAX.',
  ],
  [
    'a row over the limit',
    {
      sheets: [{ name: 'A', data: `<row>${'<c t="s"><v>0</v></c>'.repeat(20)}</row>` }],
      parts: [part('xl/sharedStrings.xml', `<sst><si><t>${'x'.repeat(1_000_000)}</t></si></sst>`)],
    },
    {},
    'The workbook has a row of more than 16 MB.',
  ],
])('%s is refused', async (_what, content, limits, sentence) => {
  const workbook = await workbookFile({ sheets: [sheet], ...content });
  await expect(firstText(workbook, { ...testLimits, ...limits })).rejects.toThrow(sentence);
});
