import { expect, test } from 'vitest';
import { toBlobSource, toBytesSource } from '../byte-source.ts';
import { firstText, openBytes } from '../testing/read-all.ts';
import { part, relationsXml, type WorkbookContent, workbookFile } from '../testing/workbook-file.ts';
import { zipFile } from '../testing/zip-file.ts';
import { readEntry } from '../zip/entry.ts';

const picture = (n: number) => Uint8Array.from([0xff, 0xd8, 0xff, n]);
const media = [1, 2, 3].map((n) => ({ name: `xl/media/image${n}.jpg`, data: picture(n) }));
const corner = (name: string, row: number, points = 0) =>
  `<xdr:${name}><xdr:col>1</xdr:col><xdr:colOff>9525</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>${points * 12_700}</xdr:rowOff></xdr:${name}>`;
const pic = (id: number) => `<xdr:pic><xdr:blipFill><a:blip r:embed="rId${id}"/></xdr:blipFill></xdr:pic>`;
const twoCell = (from: string, to: string, id: number) =>
  `<xdr:twoCellAnchor>${from}${to}${pic(id)}</xdr:twoCellAnchor>`;
const oneCell = (from: string, id: number) => `<xdr:oneCellAnchor>${from}${pic(id)}</xdr:oneCellAnchor>`;

const rows = [['SKU', 'Photo'], ['A'], ['B'], ['C'], ['D'], ['E']];
const imageRelations = relationsXml([1, 2, 3].map((n) => ['image', `../media/image${n}.jpg`] as const));

function withDrawing(
  anchors: string,
  content: Partial<WorkbookContent['sheets'][number]> = {},
  pictures = media,
): WorkbookContent {
  return {
    sheets: [{ name: 'A', rows, ...content }],
    parts: [
      part('xl/worksheets/_rels/sheet1.xml.rels', relationsXml([['drawing', '../drawings/drawing1.xml']])),
      part('xl/drawings/drawing1.xml', `<xdr:wsDr>${anchors}</xdr:wsDr>`),
      part('xl/drawings/_rels/drawing1.xml.rels', imageRelations),
      ...pictures,
    ],
  };
}

/** The pictures of a file as `name@sheet:row`, each read. */
async function placesOf(bytes: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const source = toBlobSource(new Blob([bytes]));
  const { pictures } = await (await openBytes(bytes)).pictures();
  return Promise.all(
    pictures.map(async (found) => {
      const [, n] = /image(\d)\.jpg$/.exec(found.entry) ?? [];
      const { within } = found;
      const own = within ? toBytesSource(await readEntry(source, within, within.bytes)) : source;
      expect(await readEntry(own, found, 100)).toEqual(picture(Number(n)));
      return `${n}@${found.sheet}:${found.line}${found.toLine ? `-${found.toLine}` : ''}`;
    }),
  );
}

test.each<[string, string, string[]]>([
  ['within a row', twoCell(corner('from', 1, 1), corner('to', 1, 14), 1), ['1@0:2']],
  ['a little into the row below', twoCell(corner('from', 1, 2), corner('to', 2, 1), 1), ['1@0:2']],
  ['from the lower edge of the row above', twoCell(corner('from', 1, 14), corner('to', 2, 14), 2), ['2@0:3']],
  ['over three rows', twoCell(corner('from', 2), corner('to', 5), 3), ['3@0:3-5']],
  ['over most of two rows', twoCell(corner('from', 1, 5), corner('to', 2, 10), 1), ['1@0:2-3']],
  ['within the lower half of a row', twoCell(corner('from', 1, 9), corner('to', 1, 12), 1), ['1@0:2']],
  ['beyond the sheet', oneCell(corner('from', 9_999_999), 1), ['1@0:1048576']],
  ['without an end', oneCell(corner('from', 3, 2), 1), ['1@0:4']],
  ['without an end, in the lower half of a row', oneCell(corner('from', 3, 9), 1), ['1@0:5']],
  ['at a point of the page', `<xdr:absoluteAnchor>${pic(1)}</xdr:absoluteAnchor>`, []],
  ['of a link', '<xdr:oneCellAnchor><a:blip r:link="rId1"/></xdr:oneCellAnchor>', []],
  [
    'twice, and again as the fallback of a program',
    oneCell(corner('from', 1), 1).replace(
      pic(1),
      `<mc:Choice>${pic(1)}</mc:Choice><mc:Fallback>${pic(1)}</mc:Fallback>`,
    ) + oneCell(corner('from', 2), 1),
    ['1@0:2', '1@0:3'],
  ],
])('an anchored picture %s', async (_what, anchors, places) => {
  expect(await placesOf(await workbookFile(withDrawing(anchors)))).toEqual(places);
});

test('heights of rows decide where a picture is', async () => {
  const anchors = oneCell(corner('from', 1, 40), 1) + oneCell(corner('from', 2, 40), 2);
  const data = '<row r="2" ht="100"/><row ht="50"/>';
  const before = '<sheetFormatPr defaultRowHeight="20"/>';
  expect(await placesOf(await workbookFile(withDrawing(anchors, { data, before })))).toEqual([
    '1@0:2',
    '2@0:4',
  ]);
});

test('a picture over merged cells belongs to their first row', async () => {
  const after = '<mergeCells><mergeCell ref="B2:B4"/></mergeCells>';
  const anchors = twoCell(corner('from', 2), corner('to', 3), 1);
  expect(await placesOf(await workbookFile(withDrawing(anchors, { after })))).toEqual(['1@0:2']);
  const all = twoCell(corner('from', 1), corner('to', 4), 1);
  expect(await placesOf(await workbookFile(withDrawing(all, { after })))).toEqual(['1@0:2']);
  const more = twoCell(corner('from', 2), corner('to', 5), 1);
  expect(await placesOf(await workbookFile(withDrawing(more, { after })))).toEqual(['1@0:2-5']);
});

test('pictures find their merged cells among many', async () => {
  const refs = ['B2:B3', 'C2:C9', 'B5:B6', 'B4:B4'].map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  const anchors = [2, 3, 5].map((row) => twoCell(corner('from', row), corner('to', row + 1), 1)).join('');
  const workbook = await workbookFile(withDrawing(anchors, { after: `<mergeCells>${refs}</mergeCells>` }));
  expect(await placesOf(workbook)).toEqual(['1@0:2', '1@0:4', '1@0:5']);
});

test.each([
  [
    'relations',
    {
      ...withDrawing(''),
      parts: [
        part(
          'xl/worksheets/_rels/sheet1.xml.rels',
          relationsXml(Array.from({ length: 100_001 }, () => ['image', 'a.jpg'] as const)),
        ),
      ],
    },
    'too many links or pictures',
  ],
])('a workbook with too many %s is refused while they are read', async (_what, content, sentence) => {
  const container = await openBytes(await workbookFile(content));
  await expect(container.pictures()).rejects.toMatchObject({
    code: 'too_much',
    message: expect.stringContaining(sentence),
  });
});

test('pictures of a workbook in an archive are found, in a packed one at their place in it', async () => {
  const book = await workbookFile(withDrawing(oneCell(corner('from', 1), 2)));
  const files = [
    { name: 'list.csv', data: 'SKU,Title\n' },
    { name: 'stored.xlsx', data: book, isStored: true },
    { name: 'deflated.xlsx', data: book },
  ];
  expect(await placesOf(await zipFile(files))).toEqual(['2@256:2', '2@512:2']);
});

test('pictures placed in cells are found by the metadata of their value, and their cells are empty', async () => {
  const workbook = await workbookFile({
    sheets: [
      {
        name: 'A',
        data:
          '<row r="1"><c r="A1" t="inlineStr"><is><t>SKU</t></is></c></row>' +
          '<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="e" vm="2"><v>#VALUE!</v></c><c r="C2" t="e" vm="1"><v>#VALUE!</v></c></row>',
      },
    ],
    parts: [
      part(
        'xl/_rels/workbook.xml.rels',
        relationsXml([
          ['worksheet', 'worksheets/sheet1.xml'],
          ['sheetMetadata', 'metadata.xml'],
          ['rdRichValue', 'richData/rdrichvalue.xml'],
          ['rdRichValueStructure', 'richData/rdrichvaluestructure.xml'],
          ['richValueRel', 'richData/richValueRel.xml'],
        ]),
      ),
      part(
        'xl/metadata.xml',
        '<metadata><cellMetadata><bk><rc t="1" v="0"/></bk></cellMetadata><futureMetadata name="XLRICHVALUE">' +
          '<bk><xlrd:rvb i="0"/></bk><bk><xlrd:rvb i="1"/></bk></futureMetadata>' +
          '<valueMetadata><bk><rc t="1" v="0"/></bk><bk><rc t="1" v="1"/></bk></valueMetadata></metadata>',
      ),
      part(
        'xl/richData/rdrichvalue.xml',
        '<rvData><rv s="1"><v>5</v><v>8</v></rv><rv s="0"><v>6</v><v>1</v></rv></rvData>',
      ),
      part(
        'xl/richData/rdrichvaluestructure.xml',
        '<rvStructures><s t="_localImage"><k n="CalcOrigin"/><k n="_rvRel:LocalImageIdentifier"/></s>' +
          '<s t="_error"><k n="colOffset"/><k n="errorType"/></s></rvStructures>',
      ),
      part(
        'xl/richData/richValueRel.xml',
        '<richValueRels><rel r:id="rId1"/><rel r:id="rId3"/></richValueRels>',
      ),
      part('xl/richData/_rels/richValueRel.xml.rels', imageRelations),
      ...media,
    ],
  });
  expect(await placesOf(workbook)).toEqual(['3@0:2']);
  expect(await firstText(workbook)).toBe('SKU\n1,,#VALUE!\n');
});

test('pictures of WPS are found by the id in their formula', async () => {
  const cell = (id: string) => ({
    type: 'str',
    formula: `_xlfn.DISPIMG("${id}",1)`,
    value: `=DISPIMG("${id}",1)`,
  });
  const workbook = await workbookFile({
    sheets: [
      {
        name: 'A',
        rows: [
          ['SKU', 'Photo'],
          ['A', cell('ID_2')],
          ['B', cell('ID_9')],
        ],
      },
    ],
    parts: [
      part(
        'xl/cellimages.xml',
        '<etc:cellImages><etc:cellImage><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="ID_2"/></xdr:nvPicPr>' +
          '<xdr:blipFill><a:blip r:embed="rId2"/></xdr:blipFill></xdr:pic></etc:cellImage></etc:cellImages>',
      ),
      part('xl/_rels/cellimages.xml.rels', imageRelations.replaceAll('../media', 'media')),
      ...media,
    ],
  });
  expect(await placesOf(workbook)).toEqual(['2@0:2']);
  expect(await firstText(workbook)).toBe('SKU,Photo\nA\nB\n');
});
