import { joinBytes } from '@draftshelf/csv/joined';
import { seededRandom } from '@draftshelf/csv/testing/random';
import { crc32 } from '@draftshelf/domain/base/crc32';
import {
  part,
  relationsXml,
  type SheetContent,
  type WorkbookContent,
  workbookFile,
  workbookParts,
} from './workbook-file.ts';
import { bytesOf, compressed, type ZipPart, zipFile } from './zip-file.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type HostileFile = { filename: string; make: () => Promise<Bytes> };

type Named = [name: string, filename: string, make: () => Promise<Bytes>];
const xlsx = (name: string, make: () => WorkbookContent): Named => [
  name,
  'list.xlsx',
  () => workbookFile(make()),
];
const sheetOf = (name: string, sheet: () => Partial<SheetContent>): Named =>
  xlsx(name, () => ({ sheets: [{ ...plain, ...sheet() }] }));
const ods = (name: string, make: () => { head?: string; tables: string; manifest?: string }): Named => [
  name,
  'list.ods',
  () => {
    const { head = '', tables, manifest = '<manifest/>' } = make();
    return zipFile([
      { name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet', isStored: true },
      { name: 'content.xml', data: `<a>${head}<spreadsheet>${tables}</spreadsheet></a>` },
      { name: 'META-INF/manifest.xml', data: manifest },
    ]);
  },
];
const zip = (name: string, parts: () => readonly ZipPart[] | Promise<readonly ZipPart[]>): Named => [
  name,
  'list.zip',
  async () => zipFile(await parts()),
];
const gz = (name: string, make: () => Promise<Bytes>): Named => [name, 'list.csv.gz', make];

const plain: SheetContent = {
  name: 'A',
  rows: [
    ['Title', 'Price'],
    ['Lamp', 1],
  ],
};
const rowOfTitles = '<row><c t="inlineStr"><is><t>Title</t></is></c></row>';
const list = 'Title,Price\nLamp,1\nVase,2\nChair,3\n';
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const xml = (count: number, make: (at: number) => string) => times(count, make).join('');
const mb = 2 ** 20;
/** Noise that packs to a hundredth: text that packs better is refused before it is read. */
const noise = (at: number, bits = 4) => {
  const below = seededRandom(at);
  return xml(16_000, () => below(2 ** bits).toString(16));
};
/** Names, formats and references of a megabyte. */
const count = 30;
const long = (at: number) => `n${at}${noise(at)}`.padEnd(1_000_000, 'x');
const odsRow = (cells: readonly string[], attributes = '') =>
  `<table-row ${attributes}>${cells.map((text) => `<table-cell><p>${text}</p></table-cell>`).join('')}</table-row>`;
const odsTable = (rows: string, name = 'A') => `<table name="${name}">${rows}</table>`;
const odsPlain = odsTable(odsRow(['Title', 'Price']) + odsRow(['Lamp', '1']));
const styles = (formats: string, cells = '<xf/>') => ({
  sheets: [plain],
  parts: [
    part(
      'xl/styles.xml',
      `<styleSheet><numFmts>${formats}</numFmts><cellXfs>${cells}</cellXfs></styleSheet>`,
    ),
  ],
});
const format = (at: number, code: string) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`;

/** Texts that are kept while a workbook is open. */
function longTexts(): Named[] {
  return [
    xlsx('30 number formats of 1 MB', () => styles(xml(count, (at) => format(at, long(at))))),
    xlsx('30 number formats of 900,000 zeros', () =>
      styles(
        xml(count, (at) =>
          format(at, `${noise(at, 0)}${noise(at, 1).replaceAll('1', '#')}`.padEnd(900_000, '0')),
        ),
        xml(count, (at) => `<xf numFmtId="${200 + at}"/>`),
      ),
    ),
    ...(['no cell', '65,000 cells'] as const).map((has) =>
      xlsx(`65,000 number formats of 250 characters of ${has}`, () => {
        const { parts } = styles(
          xml(65_000, (at) => format(at, `&quot;${at}&quot;${'0'.repeat(243)}`)),
          xml(65_000, (at) => `<xf numFmtId="${200 + at}"/>`),
        );
        const data = `${rowOfTitles}${xml(65_000, (at) => `<row><c s="${at}"><v>${at}</v></c></row>`)}`;
        return { sheets: [has === 'no cell' ? plain : { ...plain, data }], parts };
      }),
    ),
    sheetOf('30 references of 1 MB', () => ({
      after: `<hyperlinks>${xml(count, (at) => `<hyperlink ref="${long(at)}" r:id="rId1"/>`)}</hyperlinks>`,
      links: ['https://a.example/'],
    })),
    ods('30 names of hidden styles of 1 MB', () => ({
      head: xml(count, (at) => `<style name="${long(at)}"><table-properties display="false"/></style>`),
      tables: odsPlain,
    })),
    sheetOf('30 element names of 1 MB', () => ({ before: xml(count, (at) => `<${long(at)}/>`) })),
    xlsx('30 sheet names of 1 MB', () => ({
      sheets: times(count, (at) => ({ ...plain, name: long(at) })),
    })),
    xlsx('40 MB of addresses', () => ({
      sheets: [{ ...plain, after: '<hyperlinks><hyperlink ref="A2" r:id="rId1"/></hyperlinks>' }],
      parts: [
        part(
          'xl/worksheets/_rels/sheet1.xml.rels',
          relationsXml(times(5_000, (at) => ['hyperlink', `${'x'.repeat(8_000)}${at}`] as const)),
        ),
      ],
    })),
    sheetOf('a tag of 40 MB', () => ({ before: `<x y="${'z'.repeat(40 * mb)}"/>` })),
    sheetOf('a text of 60 MB', () => ({
      data: `<row><c t="inlineStr"><is><t>${'z'.repeat(60 * mb)}</t></is></c></row>`,
    })),
  ];
}

function manyThings(): Named[] {
  const colliding = times(4_096, (n) => xml(12, (bit) => ((n >> bit) & 1 ? 'Aa' : 'BB')));
  return [
    sheetOf('4,096 element names with one hash', () => ({
      before: colliding.map((name) => `<${name}/>`).join(''),
    })),
    sheetOf('300,000 element names', () => ({ before: xml(300_000, (at) => `<n${at}/>`) })),
    sheetOf('100,000 attributes', () => ({ before: `<x ${xml(100_000, (at) => `a${at}="" `)}/>` })),
    sheetOf('elements 200,000 deep', () => ({ before: '<x>'.repeat(200_000) + '</x>'.repeat(200_000) })),
    sheetOf('99,000 merged cells', () => ({
      after: `<mergeCells>${xml(99_000, (at) => `<mergeCell ref="A${at + 2}:XFD1048576"/>`)}</mergeCells>`,
    })),
    sheetOf('links of all columns over 20,000 rows', () => ({
      data: xml(20_000, (at) => `<row><c><v>${at}</v></c><c r="ZZ${at + 1}"><v>1</v></c></row>`),
      after: `<hyperlinks><hyperlink ref="A1:XFD1048576" r:id="rId1"/></hyperlinks>`,
      links: ['https://a.example/'],
    })),
    xlsx('250 sheets', () => ({ sheets: times(250, (at) => ({ ...plain, name: `S${at}` })) })),
    xlsx('1,000 sheets', () => ({ sheets: times(1_000, (at) => ({ ...plain, name: `S${at}` })) })),
    zip('30 workbooks of 250 sheets', async () => {
      const book = await workbookFile({ sheets: times(250, (at) => ({ ...plain, name: `S${at}` })) });
      return times(30, (at) => ({ name: `${at}.xlsx`, data: book }));
    }),
    xlsx('2,000,000 shared texts', () => ({
      sheets: [plain],
      parts: [
        part(
          'xl/sharedStrings.xml',
          `<sst>${'<si><t>Title</t></si><si><t>Price</t></si>'.repeat(1_000_000)}</sst>`,
        ),
      ],
    })),
    ods('a row that is repeated 1,048,000 times', () => ({
      tables: odsTable(odsRow(['Title', 'Price']) + odsRow(['Lamp', '1'], 'number-rows-repeated="1048000"')),
    })),
    ods('1,999 cells in 1,048,000 rows', () => ({
      tables: odsTable(
        `<table-row number-rows-repeated="1048000"><table-cell number-columns-repeated="1999"><p>x</p></table-cell></table-row>`,
      ),
    })),
  ];
}

const gzip = (data: string | Uint8Array) => compressed(bytesOf(data), 'gzip');

function packedMuch(): Named[] {
  return [
    gz('gzip of 4,000,000 equal rows', () => gzip(`Title,Price\n${'Lamp,1\n'.repeat(4_000_000)}`)),
    gz('gzip of two rows in turn', () => gzip(`Title,Price\n${'Lamp,1\nVase,2\n'.repeat(1_000_000)}`)),
    gz('gzip of 60,000 members', async () => {
      const member = await gzip('Lamp,1\n');
      return joinBytes([await gzip('Title,Price\n'), ...times(60_000, () => member)]);
    }),
    gz('gzip of 3 GB of zeros', async () => {
      const member = await gzip(new Uint8Array(100 * mb));
      return joinBytes(times(30, () => member));
    }),
    gz('gzip in gzip in gzip', async () => gzip(await gzip(await gzip(list)))),
    gz('a TAR archive in gzip', () => {
      const tar = new Uint8Array(1024);
      tar.set(bytesOf('ustar'), 257);
      return gzip(tar);
    }),
    gz('a cut gzip file', async () =>
      (await gzip(`${list}${xml(2_000, (at) => `Lamp ${at},${at * 7919}\n`)}`)).slice(0, 9_000),
    ),
    gz('a workbook in gzip', () => gzip('PK\x03\x04 no list')),
    zip('an archive in an archive, 20 deep', async () => {
      let inner = await zipFile([{ name: 'list.csv', data: list }]);
      for (let depth = 0; depth < 20; depth += 1) inner = await zipFile([{ name: 'x.zip', data: inner }]);
      return [{ name: 'x.zip', data: inner }];
    }),
    zip('an entry of 2 GB of zeros', async () => {
      const data = joinBytes([await compressed(new Uint8Array(50 * mb), 'deflate-raw')]);
      return [{ name: 'list.csv', data, isStored: true, claims: { method: 8, bytes: 2 ** 31, crc: 0 } }];
    }),
    zip('20 packed workbooks of 44 MB', async () => {
      const media = new Uint8Array(44 * mb);
      for (let at = 0; at < media.length; at += 5_000) media[at] = at % 251;
      const picture = { name: 'xl/media/1.png', data: media, isStored: true };
      const book = await zipFile([...workbookParts({ sheets: [plain] }), picture]);
      const data = await compressed(book, 'deflate-raw');
      const claims = { method: 8, bytes: book.length, crc: crc32(book) };
      return times(20, (at) => ({ name: `${at}.xlsx`, data, isStored: true, claims }));
    }),
  ];
}

function falseArchives(): Named[] {
  const entry = { name: 'list.csv', data: list };
  const named = (name: string, claims: NonNullable<ZipPart['claims']>): Named =>
    zip(name, () => [{ ...entry, claims }]);
  return [
    zip('entries that overlap', () =>
      times(200, (at) => ({ ...entry, name: `${at}.csv`, claims: { offset: 0 } })),
    ),
    [
      'ZIP64 with sizes of 2^63',
      'list.zip',
      () => zipFile([{ ...entry, claims: { bytes: 2 ** 63, offset: 2 ** 62 } }], { isZip64: true }),
    ],
    named('an offset behind the end', { offset: 10 ** 9 }),
    named('a wrong checksum', { crc: 1 }),
    named('a size that is too small', { bytes: 3 }),
    named('an encrypted entry', { flags: 1 }),
    named('an unknown method', { method: 99 }),
    zip('70,000 entries', () => times(70_000, (at) => ({ name: `${at}.txt`, data: '', isStored: true }))),
    zip('names that leave their folder', () =>
      ['../../etc/passwd.csv', '/etc/cron.d/x.csv', 'C:\\x.csv', 'a\u0000.csv', 'x\u202egpj.csv'].map(
        (name) => ({ name, data: list }),
      ),
    ),
    [
      'a comment that looks like an end',
      'list.zip',
      () => zipFile([entry], { comment: bytesOf('PK\x05\x06'.repeat(10_000)) }),
    ],
    ['an archive that is cut', 'list.zip', async () => (await zipFile([entry])).slice(0, -30)],
    ods('an encrypted OpenDocument file', () => ({
      tables: odsPlain,
      manifest: '<manifest><file-entry><encryption-data/></file-entry></manifest>',
    })),
  ];
}

const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${xml(9, (at) => `<!ENTITY ${'bcdefghij'[at]} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)}]>`;
const outside = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>';
const replaced = (name: string, data: string): WorkbookContent => ({
  sheets: [plain],
  parts: [{ name, data }],
});

function evilXml(): Named[] {
  const rows = (text: string) =>
    `<worksheet><sheetData><row><c t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`;
  const own = 'xl/worksheets/sheet1.xml';
  return [
    xlsx('a billion laughs', () => replaced(own, laughs + rows('&j;'))),
    xlsx('an external entity in a sheet', () => replaced(own, outside + rows('&e;'))),
    xlsx('an external entity in relations', () =>
      replaced('xl/_rels/workbook.xml.rels', outside + relationsXml([['worksheet', '&e;']])),
    ),
    xlsx('a relation that leaves the file', () =>
      replaced('xl/_rels/workbook.xml.rels', relationsXml([['worksheet', '../../../../etc/passwd']])),
    ),
    sheetOf('links that run programs', () => ({
      after: '<hyperlinks><hyperlink ref="A2" r:id="rId1"/><hyperlink ref="B2" r:id="rId2"/></hyperlinks>',
      links: ['javascript:alert(1)', 'file:///etc/passwd'],
    })),
    xlsx('a CDATA section without end', () => replaced(own, `<worksheet><![CDATA[${'x'.repeat(40 * mb)}`)),
    xlsx('NUL and lone surrogates', () => replaced(own, rows('a\u0000&#0;&#xD800;&#xFFFFFFFF;'))),
  ];
}

function outOfRange(): Named[] {
  const cell = (attributes: string, value: string) =>
    `<row><c t="inlineStr"><is><t>Title</t></is></c></row><row><c ${attributes}><v>${value}</v></c></row>`;
  const cells: [string, string, string][] = [
    ['a cell A0', 'r="A0"', '1'],
    ['a cell XFE1', 'r="XFE1"', '1'],
    ['a cell A1048577', 'r="A1048577"', '1'],
    ['a cell XFD1048576', 'r="XFD1048576"', '1'],
    ['a shared text −1', 't="s"', '-1'],
    ['a shared text of a billion', 't="s"', '1000000000'],
    ['a shared text NaN', 't="s"', 'NaN'],
    ['a style of a billion', 's="1000000000"', '1'],
    ['a number of 1e308', 's="0"', '1e308'],
    ['a number of 200,000 digits', 's="0"', '9'.repeat(200_000)],
  ];
  return [
    ...cells.map(([name, attributes, value]) => sheetOf(name, () => ({ data: cell(attributes, value) }))),
    sheetOf('a row of 1e308', () => ({ data: '<row r="1e308"><c><v>1</v></c></row>' })),
  ];
}

/** Archives of pictures, with cells of 2,000 paths. */
function pictures(): Named[] {
  const cell = times(2_000, () => '1').join(',');
  const archive = (count: number, rows: number) => () => [
    { name: 'list.csv', data: `Title,Price,Image\n${xml(rows, (at) => `Lamp ${at},1,"${cell}"\n`)}` },
    ...times(count, (at) => ({ name: `d${at}/1.jpg`, data: 'x', isStored: true })),
  ];
  return [
    zip('4,000 pictures and 200 cells of 2,000 paths', archive(4_000, 200)),
    zip('20,000 pictures and 25 cells of 2,000 paths', archive(20_000, 25)),
  ];
}

/** Small files that exhaust memory, processor time, storage or rows, or read other files. */
export const hostileFiles: ReadonlyMap<string, HostileFile> = new Map(
  [longTexts, manyThings, packedMuch, falseArchives, evilXml, outOfRange, pictures]
    .flatMap((make) => make())
    .map(([name, filename, make]) => [name, { filename, make }]),
);
