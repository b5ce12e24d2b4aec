import { shownDecimalsMax } from '../book/number-format.ts';
import type { SharedTexts } from '../book/texts.ts';
import { isTrue, type Workbook } from '../book/workbook.ts';
import { parseWholeNumber } from './cell-reference.ts';
import type { CellText } from './cell-text.ts';
import { countDecimals, isPlainNumber } from './number-text.ts';
import type { RowCells } from './row-cells.ts';
import { toNumberText } from './stored-value.ts';

export type CellType = 'shared' | 'number' | 'text' | 'boolean' | 'error' | 'date';

export type StoredCell = {
  column: number;
  type: CellType;
  style: number;
  /** Whether the cell has a value, even an empty one. */
  hasValue: boolean;
  hasFormula: boolean;
  /** The value metadata number of a picture in the cell, or 0 if there is none. */
  metadata: number;
};

export type CellContext = Pick<Workbook, 'formatOf' | 'is1904' | 'cellPictures'> & { texts: SharedTexts };

export class CellWriter {
  errorCells = 0;
  formulasWithoutValue = 0;
  private readonly meaning: CellContext;
  private readonly row: RowCells;

  constructor(meaning: CellContext, row: RowCells) {
    this.meaning = meaning;
    this.row = row;
  }

  write(cell: StoredCell, value: CellText, formula: CellText): void {
    if (cell.hasFormula && this.writeFormula(cell, value, formula.toString())) return;
    // For programs that do not support pictures in cells, the value of such a cell is an error.
    const isPicture = cell.metadata > 0 && this.meaning.cellPictures.byValue.has(cell.metadata);
    if (!cell.hasValue || isPicture) return;
    if (cell.type === 'shared') this.writeShared(cell.column, value);
    else if (cell.type === 'number') this.writeNumber(cell, value);
    else if (cell.type === 'boolean') {
      this.writeText(cell.column, value, isTrue(value.toString()) ? 'TRUE' : 'FALSE');
    } else if (cell.type === 'date') {
      this.writeText(cell.column, value, value.toString().replace('T', ' '));
    } else {
      if (cell.type === 'error') this.errorCells += 1;
      this.writeCollected(cell.column, value);
    }
  }

  /** Writes a cell whose formula determines its text. Returns false if the cell's value must be written instead. */
  private writeFormula(cell: StoredCell, value: CellText, formula: string): boolean {
    const stated = statedText(formula);
    if (stated === null && cell.hasValue && (value.length > 0 || cell.type === 'text')) return false;
    const text = stated ?? linkText(formula);
    if (text === null) this.formulasWithoutValue += 1;
    this.writeText(cell.column, value, text ?? `=${formula}`);
    return true;
  }

  private writeShared(column: number, value: CellText): void {
    const { texts } = this.meaning;
    if (texts.find(parseWholeNumber(value.bytes, 0, value.length)))
      this.row.set(column, texts.bytes, texts.from, texts.to);
  }

  private writeNumber(cell: StoredCell, value: CellText): void {
    const format = this.meaning.formatOf(cell.style);
    const decimals = format?.kind === 'decimals' ? format.count : 0;
    if ((format !== null && decimals === 0) || !isPlainNumber(value.bytes, 0, value.length)) {
      this.writeText(cell.column, value, toNumberText(value.toString(), format, this.meaning.is1904), true);
      return;
    }
    if (decimals > 0) appendZeros(value, decimals);
    this.row.set(cell.column, value.bytes, 0, value.length);
  }

  private writeText(column: number, value: CellText, text: string, isNumber = false): void {
    value.clear();
    value.appendString(text);
    this.writeCollected(column, value, isNumber);
  }

  private writeCollected(column: number, value: CellText, isNumber = false): void {
    value.toCsv(isNumber);
    this.row.set(column, value.bytes, 0, value.length);
  }
}

const pointAndZeros = new TextEncoder().encode(`.${'0'.repeat(shownDecimalsMax)}`);

function appendZeros(value: CellText, count: number): void {
  const decimals = countDecimals(value.bytes, value.length);
  if (decimals >= count) return;
  value.append(pointAndZeros, decimals === -1 ? 0 : 1, 1 + count - Math.max(decimals, 0));
}

/** Match formulas whose address is one text, but not addresses composed of parts or chosen by a condition. */
const image = /^(?:_xlfn\.)?IMAGE\(\s*"(https?:\/\/[^"]+)"\s*[,;)]/i;
const imageOfGoogle = /^(?:IFERROR\()?__xludf\.DUMMYFUNCTION\(\s*"IMAGE\(\s*""(https?:\/\/[^"]+)""\s*[,;)]/i;
const constantLink = /^(?:_xlfn\.)?HYPERLINK\(\s*"((?:[^"]|"")*)"\s*(?:[,;]\s*"((?:[^"]|"")*)"\s*)?\)$/i;

/** Returns the text that a formula states, regardless of the calculated value, or null if there is none. */
function statedText(formula: string): string | null {
  const address = (image.exec(formula) ?? imageOfGoogle.exec(formula))?.[1];
  if (address !== undefined) return address;
  // WPS writes a picture within the workbook like this.
  return /\bDISPIMG\(/i.test(formula) ? '' : null;
}

/** Returns the text that a link formula shows, or null for another formula. */
function linkText(formula: string): string | null {
  const [link, address = '', text = address] = constantLink.exec(formula) ?? [];
  return link === undefined ? null : text.replaceAll('""', '"');
}
