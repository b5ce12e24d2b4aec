import { readdirSync, readFileSync } from 'node:fs';
import type { Dialect, ScannedTable } from '@draftshelf/csv/dialect';
import { createFileScanner } from '@draftshelf/csv/encoding/transcriber';
import { joinBytes } from '@draftshelf/csv/joined';
import { readLimitsDefault as limits } from '@draftshelf/csv/limits';
import { scan } from '@draftshelf/csv/scan/scan';
import { pick, type Random, seededRandom } from '@draftshelf/csv/testing/random';
import { type IssueSet, issuesIn } from '@draftshelf/domain/review/issue-set';
import type { RowIssue } from '@draftshelf/domain/review/issues';
import { openBytes } from '@draftshelf/workbooks/testing/read-all';
import {
  type CellContent,
  type WorkbookContent,
  workbookFile,
} from '@draftshelf/workbooks/testing/workbook-file';
import { expect, test } from 'vitest';
import { chooseTable } from './choose-table.ts';
import { type ParsedRow, readChunk } from './read-chunk.ts';
import { splitStream } from './split-stream.ts';

const fixtures = new URL('../../../tests/fixtures/', import.meta.url);

/** Some lose their prices if a sheet's numbers lose the decimals that they show. */
const fixtureNames = [
  ...readdirSync(fixtures).filter((name) => name.endsWith('.csv')),
  ...[
    'language-el-sapouni|language-fr-epicerie|language-ja-bungu|language-pl-lampy',
    'erp-bike-dealer|erp-sap-matnr|headerless-fr-tarif|platform-etsy|trade-wine',
    'twoline-wrapped-de',
  ]
    .flatMap((words) => words.split('|'))
    .map((name) => `mapping/${name}.csv`),
];

type Language = {
  delimiter: string;
  headers: readonly string[];
  banner: readonly string[][];
  goods: readonly string[];
  texts: readonly string[];
  onRequest: string;
  amount: (cents: number) => string;
  date: (day: number) => string;
};

const twoDigits = (number: number) => String(number).padStart(2, '0');
const withComma = (cents: number) => {
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(?:\d{3})+$)/g, '.');
  return `${whole},${twoDigits(cents % 100)}`;
};
const languages: readonly Language[] = [
  {
    delimiter: ',',
    headers: 'Item No.|Product Title|Description|Brand|EAN|Retail Price|Stock|Colour|Available From'.split(
      '|',
    ),
    banner: [['Price list 2026'], ['Prices in GBP, without tax', '', 'Page 1']],
    goods: ['Oak stool', 'Lamp, 48"', 'Vase "Wave"', 'Rug', 'Tea towel; two'],
    texts: ['Turned by hand.\n\nEach is different.', 'Solid oak, oiled', '<p>Says "hello"</p>', ''],
    onRequest: 'on request',
    amount: (cents) => `${Math.floor(cents / 100)}.${twoDigits(cents % 100)}`,
    date: (day) => `2026-03-${twoDigits(day)}`,
  },
  {
    delimiter: ';',
    headers:
      'Artikelnummer|Bezeichnung|Beschreibung|Hersteller|EAN|VK brutto|Bestand|Farbe|Lieferbar ab'.split('|'),
    banner: [['Preisliste Frühjahr 2026'], ['Stand: 01.03.2026', 'alle Preise in Euro']],
    goods: ['Übertopf groß', 'Kissenhülle 40 × 40', 'Schraube 4,0x40', 'Kerze „Fichte“', 'Regal; Eiche'],
    texts: ['Von Hand gedreht.\nJedes Stück anders.', 'Maß nach Wahl, "links"', '<b>Neu</b>', ''],
    onRequest: 'auf Anfrage',
    amount: withComma,
    date: (day) => `${twoDigits(day)}.03.2026`,
  },
  {
    delimiter: ';',
    headers:
      'Référence|Désignation|Descriptif|Marque|Gencod|Prix de vente TTC|Stock|Couleur|Disponible le'.split(
        '|',
      ),
    banner: [['Tarif public 2026', '', 'l’atelier']],
    goods: ["Huile d'olive 50 cl", 'Théière émaillée', 'Plat à gratin, 32 cm', 'Nappe « Été »', 'Bol'],
    texts: ['Fait main.\nPièce unique.', 'Grès ; émail cendré', 'Dit "bonjour"', ''],
    onRequest: 'sur demande',
    amount: (cents) => `${withComma(cents)} €`,
    date: (day) => `${twoDigits(day)}/03/2026`,
  },
];

/** A GTIN of 13 digits; the first ones of some are zeros. */
function gtinOf(random: Random): string {
  const digits = `${pick(random, ['00', '40', '37'])}${String(random(1e10)).padStart(10, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The records of a list of 20 to 60 rows, some of which are blank, totals or the header again. */
function madeRecords(language: Language, random: Random): string[][] {
  const { headers, goods, texts } = language;
  const rows = Array.from({ length: 20 + random(40) }, (_, at) => {
    const code = String(at * 7 + 1).padStart(6, '0');
    return [
      random(25) === 0 ? '' : code,
      random(15) === 0 ? '' : `${pick(random, goods)} ${at}`,
      pick(random, texts),
      pick(random, ['Böhme & Söhne', "L'Atelier", 'Field House']),
      random(10) === 0 ? '4006381333930' : random(4) === 0 ? '' : gtinOf(random),
      random(12) === 0 ? language.onRequest : language.amount(50 + random(250_000)),
      pick(random, ['0', '12', '7', '-1', '1204']),
      pick(random, ['rot', '00', 'bleu', 'oak, oiled']),
      random(3) === 0 ? '' : language.date(1 + random(28)),
    ];
  });
  const total = ['Total', '', '', '', '', language.amount(99_999_99), '', '', ''];
  const blank = headers.map(() => '');
  const body = rows.flatMap((row) =>
    random(9) === 0 ? [blank, row] : random(20) === 0 ? [[...headers], row] : [row],
  );
  const padded = language.banner.map((cells) => headers.map((_, at) => cells[at] ?? ''));
  return [...(random(3) === 0 ? [] : [...padded, blank]), [...headers], ...body, total];
}

function csvOf(records: readonly string[][], delimiter: string): Uint8Array {
  const cellOf = (cell: string) =>
    /["\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return Buffer.from(records.map((cells) => `${cells.map(cellOf).join(delimiter)}\r\n`).join(''));
}

const lists: [string, Uint8Array][] = [
  ...fixtureNames.map((name): [string, Uint8Array] => [name, readFileSync(new URL(name, fixtures))]),
  ...Array.from({ length: 12 }, (_, at): [string, Uint8Array] => {
    const language = languages[at % languages.length] as Language;
    return [`made list ${at + 1}`, csvOf(madeRecords(language, seededRandom(at)), language.delimiter)];
  }),
];

/** Reads a list as the upload and a worker do. */
function readList(bytes: Uint8Array, table?: ScannedTable) {
  const splitter = splitStream({ limits, table });
  splitter.push(bytes);
  const found = splitter.end();
  if (!found) throw new Error('no header');
  const pieces: Uint8Array[] = [];
  const scanner = createFileScanner(found.dialect.encoding, {
    push: (piece) => void pieces.push(piece),
    end() {},
  });
  scanner.push(bytes);
  scanner.end();
  const scanned = joinBytes(pieces);
  const rows = found.whole.cuts.flatMap((cut) => [
    ...readChunk(scanned.subarray(cut.byteFrom, cut.byteTo), cut, found, limits).rows(),
  ]);
  return { ...found, rows };
}

/** Issues of the form of a CSV, which a sheet cannot have. */
const ofCsv = new Set<RowIssue>([
  ...(['bad-quote', 'unclosed-quote', 'mixed-line-ends', 'invalid-utf8', 'nul', 'lone-cr'] as const),
  ...(['extra-separator', 'missing-separator', 'too-few-cells', 'too-many-cells'] as const),
]);
const issuesOf = (issues: IssueSet) => issuesIn(issues).filter((code) => !ofCsv.has(code));

/** What a row means, whatever the file's form. */
function meaningOf({ row, product, ignored, issues, item, ...parsed }: ParsedRow) {
  const { class: rowClass, values, gtin, enrichable, groupKey } = parsed;
  const { title, sku, vendor, image } = values;
  const price = parsed.price === null ? null : Number(parsed.price);
  return {
    ...{ row, product, ignored, class: rowClass, issues: issuesOf(issues), item },
    ...{ title, sku, vendor, image, price, gtin, enrichable, groupKey },
  };
}

/** The records of a CSV as rows of a sheet; blank ones are empty. `bodyFrom`: the first row below the header. */
function sheetRows(bytes: Uint8Array, dialect: Dialect): { rows: string[][]; bodyFrom: number } {
  const rows: string[][] = [];
  let bodyFrom = 0;
  const scanner = createFileScanner(
    dialect.encoding,
    scan({
      dialect,
      limits,
      onRecord(record) {
        rows.push(record.cells());
        if (record.ordinal < dialect.headerRecord + (dialect.headerRecords ?? 1)) bodyFrom = rows.length;
      },
      onBlank: () => void rows.push([]),
    }),
  );
  scanner.push(bytes);
  scanner.end();
  return { rows, bodyFrom };
}

/** Texts that a spreadsheet stores as a number with a format. */
type Kind = { is: RegExp; cell: (text: string) => CellContent };
const dayOf = (year: string, month: string, day: string) =>
  Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000 + 25_569;
const dotted = (text: string) => text.replaceAll('.', '').replace(',', '.');
const numberOf = (text: string) => String(Number(text));
const kinds: readonly Kind[] = [
  {
    is: /^0\d{1,13}$/,
    cell: (text) => ({ value: numberOf(text), format: '0'.repeat(text.length) }),
  },
  {
    is: /^-?(?:0|[1-9]\d{0,10})(?:\.\d{1,4})?$|^[1-9]\d{11,14}$/,
    cell: (text) => ({ value: numberOf(text), format: text.replace(/^-?\d+/, '0').replace(/\d/g, '0') }),
  },
  {
    is: /^-?\d{1,3}(?:\.\d{3})*,\d{1,2}$/,
    cell: (text) => ({
      value: numberOf(dotted(text)),
      format: `#,##0.${'0'.repeat(text.length - text.indexOf(',') - 1)}`,
    }),
  },
  {
    is: /^\d{1,3}(?:\.\d{3})*,\d{2} €$/,
    cell: (text) => ({ value: numberOf(dotted(text.slice(0, -2))), format: '#,##0.00 [$€-407]' }),
  },
  {
    is: /^[$£]\d+\.\d\d$/,
    cell: (text) => ({ value: numberOf(text.slice(1)), format: `"${text[0]}"#,##0.00` }),
  },
  {
    is: /^\d{1,2} ?%$/,
    cell: (text) => ({ value: String(Number(text.replace('%', '')) / 100), format: '0%' }),
  },
  {
    is: /^\d{4}-\d\d-\d\d$/,
    cell: (text) => {
      const [year = '', month = '', day = ''] = text.split('-');
      return { value: dayOf(year, month, day), format: '14' };
    },
  },
  {
    is: /^\d\d[./]\d\d[./]\d{4}$/,
    cell: (text) => {
      const [day = '', month = '', year = ''] = text.split(/[./]/);
      return { value: dayOf(year, month, day), format: 'dd.mm.yyyy' };
    },
  },
];

function typed(text: string): CellContent {
  if (text === '') return null;
  return kinds.find(({ is }) => is.test(text))?.cell(text) ?? text;
}

type Manner = Pick<WorkbookContent, 'texts'> & { isTyped?: boolean };

async function readAsWorkbook(csv: Uint8Array, dialect: Dialect, { texts, isTyped = false }: Manner) {
  const { rows, bodyFrom } = sheetRows(csv, dialect);
  const cells = rows.map((row, at) => (isTyped && at >= bodyFrom ? row.map(typed) : row));
  const notes = { name: 'Notes', rows: [['Please read'], ['Ask us for more']] };
  const bytes = await workbookFile({ sheets: [notes, { name: 'List', rows: cells }], texts });
  const container = await openBytes(bytes);
  const { table } = await chooseTable(container, { limits });
  expect(table.name).toBe('List');
  return readList(joinBytes(await Array.fromAsync(container.read(table.n))), table);
}

const manners: [string, Manner][] = [
  ['texts', {}],
  ['texts in their cells', { texts: 'inline' }],
  ['numbers, dates and amounts', { isTyped: true }],
];

test('30 lists are compared', () => {
  expect(lists).toHaveLength(30);
});

test.each(lists)(
  '%s, written as .xlsx, gives the mapping, products, classes and issues of its CSV',
  async (_name, csv) => {
    const expected = readList(csv);
    expect(expected.rows.length).toBeGreaterThan(2);
    expect(expected.rows.filter(({ cellsAsRead }) => cellsAsRead !== null)).toEqual([]);
    for (const [manner, options] of manners) {
      const read = await readAsWorkbook(csv, expected.dialect, options);
      expect({ manner, ...comparable(read, options) }).toEqual({ manner, ...comparable(expected, options) });
    }
  },
);

/** Of a number in a sheet it is known how it is read. */
const comparable = (
  { headers, mapping, whole, rows }: ReturnType<typeof readList>,
  { isTyped = false }: Manner,
) => ({
  headers,
  sources: mapping.sources,
  options: mapping.optionNames,
  counts: { rows: whole.rows, products: whole.products, productNumbers: whole.productNumbers },
  rows: rows.map(meaningOf).map(({ issues, ...row }) => ({
    ...row,
    issues: isTyped ? issues.filter((code) => code !== 'amount-inferred') : issues,
  })),
});
