import { encode } from '@draftshelf/csv/testing/encode';
import { type CellContent, workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import papaparse from 'papaparse';

// How spreadsheets open a CSV file and save it again, as their documentation and the files that they wrote show it.

type Bytes = Uint8Array<ArrayBuffer>;
type Spreadsheet = { name: string; filename: string; save: (csv: string) => Bytes | Promise<Bytes> };

const digits = /^[+-]?\d+$/;
const point = /^[+-]?\d*\.\d+$/;
const comma = /^[+-]?\d*,\d+$/;

/** A number of more than eleven digits as Excel shows it in a cell without a format. */
function general(number: number, mark: ',' | '.'): string {
  const isLong = Math.abs(number) >= 1e11;
  const text = isLong
    ? `${(number / 10 ** exponentOf(number)).toFixed(5).replace(/\.?0+$/, '')}E+${exponentOf(number)}`
    : String(Number(number.toFixed(Math.max(0, 10 - String(Math.trunc(number)).length))));
  return text.replace('.', mark);
}
const exponentOf = (number: number) => Math.floor(Math.log10(Math.abs(number)));

const months = { en: ['Jan', 'Feb', 'Mar', 'Apr', 'May'], de: ['Jan', 'Feb', 'Mrz', 'Apr', 'Mai'] };

/** A cell as Excel saves it in English. */
function inEnglish(cell: string): string {
  if (/^(?:true|false)$/i.test(cell)) return cell.toUpperCase();
  const day = /^(\d)[/-](\d)$/.exec(cell);
  if (day) return `${day[2]}-${months.en[Number(day[1]) - 1] ?? 'Jun'}`;
  return digits.test(cell) || point.test(cell) ? general(Number(cell), '.') : cell;
}

/** A cell as Excel saves it in German: numbers have commas, and '1.5' is the first of May. */
function inGerman(cell: string): string {
  if (/^(?:true|false)$/i.test(cell)) return /^true$/i.test(cell) ? 'WAHR' : 'FALSCH';
  const day = /^(\d)[/.-](\d)$/.exec(cell);
  if (day) return `0${day[1]}. ${months.de[Number(day[2]) - 1] ?? 'Jun'}`;
  const isNumber = digits.test(cell) || comma.test(cell);
  return isNumber ? general(Number(cell.replace(',', '.')), ',') : cell;
}

/** LibreOffice and Numbers keep long numbers, but no zeros in front of them. */
function asNumber(cell: string): string {
  if (/^(?:true|false)$/i.test(cell)) return cell.toUpperCase();
  return digits.test(cell) || point.test(cell) ? plain(cell) : cell;
}
const plain = (cell: string): string =>
  cell
    .replace(/^\+?(-?)0*(?=\d)/, '$1')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');

/** A cell in a workbook: numbers are numbers, of 15 digits. */
function inWorkbook(cell: string): CellContent {
  if (/^(?:true|false)$/i.test(cell)) return /^true$/i.test(cell);
  return digits.test(cell) || point.test(cell) ? Number(Number(cell).toPrecision(15)) : cell;
}

const recordsOf = (csv: string): string[][] =>
  papaparse.parse<string[]>(csv.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data;

const text = (csv: string, change: (cell: string) => string, delimiter: string, newline = '\r\n') =>
  papaparse.unparse(
    recordsOf(csv).map((cells) => cells.map(change)),
    { delimiter, newline },
  );

const utf8 = (csv: string): Bytes => new Uint8Array(Buffer.from(csv));

/** Characters that an encoding lacks become question marks. */
function lossy(csv: string, encoding: 'windows-1252' | 'macintosh'): Bytes {
  const characters = [...csv].map((character) => {
    try {
      return encode(character, encoding);
    } catch {
      return encode('?'.repeat(character.length), encoding);
    }
  });
  return new Uint8Array(Buffer.concat(characters));
}

export const spreadsheets: Spreadsheet[] = [
  {
    name: 'Excel, CSV UTF-8',
    filename: 'fixed.csv',
    save: (csv) => utf8(`\uFEFF${text(csv, inEnglish, ',')}`),
  },
  {
    name: 'Excel in German, CSV',
    filename: 'fixed.csv',
    save: (csv) => lossy(text(csv, inGerman, ';'), 'windows-1252'),
  },
  {
    name: 'Excel, Unicode text',
    filename: 'fixed.txt',
    save: (csv) => new Uint8Array(encode(`\uFEFF${text(csv, inEnglish, '\t')}`, 'utf-16le')),
  },
  { name: 'LibreOffice, CSV', filename: 'fixed.csv', save: (csv) => utf8(text(csv, asNumber, ',', '\n')) },
  { name: 'Numbers, CSV', filename: 'fixed.csv', save: (csv) => utf8(text(csv, asNumber, ';', '\r\n')) },
  {
    name: 'Google Sheets, TSV',
    filename: 'fixed.tsv',
    // It takes the apostrophe in front of a formula for its own mark of a text.
    save: (csv) => utf8(text(csv, (cell) => asNumber(cell.replace(/^'/, '')), '\t')),
  },
  {
    name: 'Excel, workbook',
    filename: 'fixed.xlsx',
    save: (csv) =>
      workbookFile({
        sheets: [{ name: 'fixed', rows: recordsOf(csv).map((cells) => cells.map(inWorkbook)) }],
      }),
  },
];

/** A download with other cells; `change` gets each row by the names of its columns. */
export function changedDownload(
  csv: string,
  change: (row: Record<string, string>) => Record<string, string>,
): string {
  const [headers = [], ...rows] = recordsOf(csv);
  const changed = rows.map((cells) => {
    const row = change(Object.fromEntries(headers.map((header, at) => [header, cells[at] ?? ''])));
    return headers.map((header) => row[header] ?? '');
  });
  return papaparse.unparse([headers, ...changed], { newline: '\r\n' });
}
