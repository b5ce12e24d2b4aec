import XLSX from '@e965/xlsx';

/** What a cell should be, by another reader than the product's. */
export type ExpectedCell = {
  row: number;
  column: number;
  class: CellClass;
  isRight: (text: string) => boolean;
  shown: string;
};

export type CellClass =
  | 'text'
  | 'number'
  | 'date'
  | 'duration'
  | 'percent'
  | 'currency'
  | 'padded'
  | 'boolean'
  | 'error'
  | 'formula';

export type ExpectedSheet = { name: string; width: number; cells: ExpectedCell[] };

/** What readers read wrong, as a person found: where, and what they do. */
const misreadings: Readonly<Record<string, readonly (readonly [place: RegExp, what: string])[]>> = {
  SheetJS: [
    [/date_iso\.xlsx /, 'a time alone in ISO is NaN'],
    [/richtext-after-plain\.xlsx |minimal_package\.xlsx /, 'the runs behind a plain text are missing'],
    [/picture_richdata\.xlsx |pictures_in_cell_and_over_cell\.xlsx /, 'a picture in a cell is an error'],
    [/special_cells\.ods /, 'a space at the end is missing'],
    [/tdf111974\.xlsm /, 'macro sheets without a part shift the sheets behind them'],
    [/tdf100709\.xlsx /, 'formats of styles without applyNumberFormat are missing'],
    [/xf_default_values\.xlsx /, 'formats that the file gives to ids below 14 are missing'],
  ],
  openpyxl: [
    [/has_x000D_/, 'escapes of control characters stay'],
    [/picture_richdata\.xlsx |pictures_in_cell_and_over_cell\.xlsx /, 'a picture in a cell is an error'],
    [/tdf111974\.xlsm /, 'values of cells that a merged one covers are missing'],
    [/TemplateWithTableSourcePivotTables\.xlsx /, 'an empty text of a formula is no value'],
    [/DataTableFormula-Output\.xlsx /, 'a what-if table is a formula'],
  ],
};

/** What a reader does wrong at the place of a sentence, if a person found that. */
export function misread(reader: string, sentence: string): string | undefined {
  const [, what] = misreadings[reader]?.find(([place]) => place.test(sentence)) ?? [];
  return what && `for ${reader} ${what}`;
}

/** A cell as another reader found it: its type as SheetJS names them, value, format, formula and text of an error. */
type Cell = Pick<XLSX.CellObject, 't' | 'v' | 'f' | 'w'> & { z?: string };

/** A workbook as another reader than the product's has read it. Rows and columns count from 0. */
export type ReadBook = {
  is1904: boolean;
  sheets: {
    name: string;
    cells: readonly (readonly [row: number, column: number, cell: Cell])[];
    merges: readonly (readonly [top: number, left: number, bottom: number, right: number])[];
  }[];
};

/** Null: SheetJS cannot read it. */
export function bookOfSheetJs(bytes: Uint8Array): ReadBook | null {
  try {
    const book = XLSX.read(bytes, {
      type: 'array',
      cellNF: true,
      cellFormula: true,
      cellText: true,
      cellHTML: false,
      sheetStubs: true,
    });
    const sheets = book.SheetNames.flatMap((name) => {
      const sheet = book.Sheets[name];
      if (!sheet || sheet['!type'] === 'chart') return [];
      const cells = (Object.entries(sheet) as [string, Cell][])
        .filter(([address]) => !address.startsWith('!'))
        .map(([address, cell]) => {
          const { r, c } = XLSX.utils.decode_cell(address);
          return [r, c, cell] as const;
        });
      const merges = (sheet['!merges'] ?? []).map(({ s, e }) => [s.r, s.c, e.r, e.c] as const);
      return [{ name, cells, merges }];
    });
    return { is1904: book.Workbook?.WBProps?.date1904 === true, sheets };
  } catch {
    return null;
  }
}

/** What the sheets should be by the rules of the table of texts, written a second time without code of the product. */
export const expectedSheets = ({ is1904, sheets }: ReadBook): ExpectedSheet[] =>
  sheets.map((sheet) => expectedSheet(sheet, is1904));

function expectedSheet({ name, cells, merges }: ReadBook['sheets'][number], is1904: boolean): ExpectedSheet {
  const found = new Map<string, ExpectedCell>();
  const filledRows = new Set<number>();
  let width = 0;
  for (const [row, column, cell] of cells) {
    const expected = expectedCell(cell, is1904);
    if (expected === null) continue;
    found.set(`${row} ${column}`, { row, column, ...expected });
    filledRows.add(row);
    width = Math.max(width, column + 1);
  }
  for (const [top, left, bottom, right] of merges) {
    const first = found.get(`${top} ${left}`);
    if (!first || left !== right) continue;
    for (let row = top + 1; row <= bottom; row += 1) {
      const key = `${row} ${left}`;
      if (filledRows.has(row) && !found.has(key)) found.set(key, { ...first, row });
    }
  }
  return { name, width, cells: [...found.values()] };
}

type Expected = Omit<ExpectedCell, 'row' | 'column'>;

const exactly = (of: CellClass, text: string): Expected => ({
  class: of,
  shown: text,
  isRight: (found) => found === text,
});

function expectedCell(cell: Cell, is1904: boolean): Expected | null {
  const formula = cell.f ?? '';
  const picture = /IMAGE\(\s*"+(https?:[^"]*)/.exec(formula)?.[1];
  if (picture !== undefined) return exactly('formula', picture);
  if (/DISPIMG\(/.test(formula)) return null;
  if (cell.t === 'z' || cell.v === undefined || cell.v === '') return uncalculated(cell);
  if (cell.t === 'b') return exactly('boolean', cell.v ? 'TRUE' : 'FALSE');
  if (cell.t === 'e') return exactly('error', String(cell.w));
  if (cell.t === 's') return exactly('text', String(cell.v).replaceAll('\r\n', '\n'));
  if (cell.t === 'n') return expectedNumber(Number(cell.v), cell.z ?? 'General', is1904);
  return { class: 'date', shown: String(cell.v), isRight: (text) => /^\d{4}-\d\d-\d\d/.test(text) };
}

function uncalculated({ f, t }: Cell): Expected | null {
  if (f === undefined || t === 's') return null;
  return { class: 'formula', shown: `=${f}`, isRight: (text) => text.startsWith('=') || /HYPERLINK/.test(f) };
}

function expectedNumber(value: number, format: string, is1904: boolean): Expected {
  const bare = (format.split(';')[0] ?? '').replace(/"[^"]*"|\\.|_./g, '');
  const elapsed = /\[(h+|m+|s+)\]/i.exec(bare);
  if (elapsed && value >= 0) {
    const seconds = Math.round(value * 86_400);
    const hours = Math.floor(seconds / 3600);
    return {
      class: 'duration',
      shown: `${hours} h`,
      isRight: (text) => elapsed[1]?.[0]?.toLowerCase() !== 'h' || Number(text.split(':')[0]) === hours,
    };
  }
  if (XLSX.SSF.is_date(format) && value >= 0 && value <= (is1904 ? 2_957_003 : 2_958_465)) {
    return expectedDate(value, format, is1904);
  }
  if (bare.includes('%')) return expectedAmount('percent', Number((value * 100).toPrecision(15)), /^(.*)%$/);
  const sign = /\[\$([^\]-]+)|"([^"]*[€£$][^"]*)"|([€£$])(?![^[]*\])/.exec(format.split(';')[0] ?? '');
  if (sign) return expectedAmount('currency', value, /^\D*?(-?[\d.]+) ?\S*$/);
  if (
    /^[0-]*0[0-]*0[0-]*$/.test(bare.replace(/[^0-9#?.,\-/]/g, '')) &&
    Number.isInteger(value) &&
    value >= 0
  ) {
    return exactly('padded', XLSX.SSF.format(format.split(';')[0] ?? '', value));
  }
  return expectedAmount('number', value, /^(.*)$/);
}

function expectedDate(value: number, format: string, is1904: boolean): Expected {
  const { y, m, d, H, M, S, u } = XLSX.SSF.parse_date_code(value, { date1904: is1904 });
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${y}-${two(m)}-${two(d)}`;
  const seconds = Math.round(H * 3600 + M * 60 + S + (u ?? 0));
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const showsTime = /[hs]/i.test(format.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ''));
  const texts = [day, `${day} ${time}`, time];
  const isRight = (text: string) =>
    value < 1 && !is1904
      ? text === time || Number(text) === value
      : texts.includes(text) && (!showsTime || text.includes(time));
  return { class: 'date', shown: `${day} ${time}`, isRight };
}

/** A decimal number without an exponent, with 15 digits, that cannot be taken for thousands. */
function expectedAmount(of: CellClass, value: number, form: RegExp): Expected {
  const expected = Number(value.toPrecision(15));
  const isRight = (text: string) => {
    const amount = form.exec(text)?.[1] ?? '';
    return (
      /^-?\d+(\.\d+)?$/.test(amount) && Number(amount) === expected && !/^-?\d{1,3}\.\d{3}$/.test(amount)
    );
  };
  return { class: of, shown: String(expected), isRight };
}
