import type { TableNotices } from '@draftshelf/domain/reading/file-tables';
import { type NumberFormat, parseCurrencyFormat } from '../book/number-format.ts';
import { damagedError } from '../container-error.ts';
import { rowsMax } from '../limits.ts';
import { CellText } from '../sheet/cell-text.ts';
import type { MergedCellFiller } from '../sheet/merged-cells.ts';
import { HiddenColumnCounter, RowCells } from '../sheet/row-cells.ts';
import { toNumberText } from '../sheet/stored-value.ts';
import { noNotices } from '../table-reading.ts';
import type { XmlHandler, XmlScanner } from '../xml/xml-scanner.ts';

type OdsOptions = { n: number; merged: MergedCellFiller; columnsMax: number; cellBytesMax: number };

const errorText = /^(?:#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)|Err:\d+)$/;

/** Reads the rows of an OpenDocument sheet. Pauses after each row with content and at the sheet's end. */
export class OdsReader implements XmlHandler {
  wantsText = false;
  isComplete = false;
  private readonly found = { ...noNotices };
  readonly row: RowCells;
  /** Line number of the last row, or of the first of its `repeated` copies. */
  line = 0;
  repeated = 0;

  private readonly options: OdsOptions;
  private readonly collected: CellText;
  private depth = 0;
  private table = -1;
  private tableDepth = 0;
  private cellDepth = 0;
  private isHidden = false;
  private column = 0;
  private cellRepeated = 1;
  private rowsSpanned = 1;
  private hasText = false;
  private value: OdsValue | null = null;
  private columns = 0;
  private readonly hiddenColumns = new HiddenColumnCounter();
  private scanner: XmlScanner | null = null;

  constructor(options: OdsOptions) {
    this.options = options;
    this.row = new RowCells(options.columnsMax);
    this.collected = new CellText(options.cellBytesMax);
  }

  open(name: string, tag: XmlScanner): void {
    this.scanner = tag;
    this.depth += 1;
    if (name === 'table' && this.tableDepth === 0) {
      this.table += 1;
      this.tableDepth = this.depth;
    }
    if (this.table !== this.options.n || this.tableDepth === 0) return;
    if (this.cellDepth > 0) this.openInCell(name, tag);
    else if (name === 'table-row') this.openRow(tag);
    else if (name === 'table-cell') this.openCell(tag);
    // A covered cell may have a text, which the merged cell hides.
    else if (name === 'covered-table-cell') this.column += countOf(tag, 'number-columns-repeated');
    else if (name === 'table-column') this.openColumn(tag);
  }

  close(name: string): void {
    if (this.table === this.options.n && this.tableDepth > 0) {
      if (this.depth === this.cellDepth) this.closeCell();
      else if (this.depth === this.cellDepth + 1) this.wantsText = false;
      else if (this.cellDepth === 0 && name === 'table-row') this.closeRow();
    }
    if (this.depth === this.tableDepth) {
      this.tableDepth = 0;
      this.isComplete = this.table === this.options.n;
      if (this.isComplete) this.pause();
    }
    this.depth -= 1;
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.collected.append(bytes, from, to);
  }

  notices(): TableNotices {
    return { ...this.found, hiddenColumns: this.hiddenColumns.count };
  }

  private openColumn(tag: XmlScanner): void {
    const from = this.columns;
    this.columns += countOf(tag, 'number-columns-repeated');
    if (tag.attribute('visibility') === 'collapse') this.hiddenColumns.add(from, this.columns - 1);
  }

  private openRow(tag: XmlScanner): void {
    this.row.clear();
    this.column = 0;
    this.line += this.repeated === 0 ? 1 : this.repeated;
    this.repeated = countOf(tag, 'number-rows-repeated');
    this.isHidden = ['collapse', 'filter'].includes(tag.attribute('visibility') ?? '');
  }

  private openCell(tag: XmlScanner): void {
    this.cellDepth = this.depth;
    this.collected.clear();
    this.hasText = false;
    this.cellRepeated = countOf(tag, 'number-columns-repeated');
    const isOneColumn = countOf(tag, 'number-columns-spanned') === 1;
    this.rowsSpanned = isOneColumn ? countOf(tag, 'number-rows-spanned') : 1;
    this.value = {
      type: tag.attribute('value-type'),
      value: tag.attribute('value'),
      currency: tag.attribute('currency'),
      date: tag.attribute('date-value'),
      time: tag.attribute('time-value'),
      boolean: tag.attribute('boolean-value'),
      formula: tag.attribute('formula'),
    };
  }

  /** Reads only paragraphs of the cell itself, not of a comment or a drawing in the cell. */
  private openInCell(name: string, tag: XmlScanner): void {
    if (this.depth === this.cellDepth + 1 && name === 'p') {
      if (this.hasText) this.collected.appendString('\n');
      this.hasText = true;
      this.wantsText = true;
    } else if (this.wantsText) {
      if (name === 's') this.collected.appendString(' '.repeat(Math.min(countOf(tag, 'c'), spacesMax)));
      else if (name === 'tab') this.collected.appendString('\t');
      else if (name === 'line-break') this.collected.appendString('\n');
    }
  }

  private closeCell(): void {
    this.cellDepth = 0;
    this.wantsText = false;
    const from = this.column;
    this.column += this.cellRepeated;
    if (this.value !== null) this.setText(this.value);
    const { bytes, length } = this.collected;
    if (length === 0) return;
    for (let column = from; column < this.column; column += 1) {
      this.row.set(column, bytes, 0, length);
      this.hiddenColumns.note(column);
    }
    if (this.rowsSpanned > 1) {
      this.options.merged.add({ column: from, from: this.line, to: this.line + this.rowsSpanned - 1 });
    }
  }

  private setText(cell: OdsValue): void {
    const shown = this.collected.toString();
    const stored = storedText(cell, shown);
    const isUncalculated = cell.formula !== null && cell.type === null && shown === '';
    if (isUncalculated) this.found.formulasWithoutValue += 1;
    if (cell.formula !== null && errorText.test(shown)) this.found.errorCells += 1;
    if (stored !== null || isUncalculated) {
      this.collected.clear();
      this.collected.appendString(stored ?? (cell.formula ?? '').replace(/^(?:\w+:)?=?/, '='));
    }
    this.collected.toCsv(cell.type === 'float');
  }

  private closeRow(): void {
    if (this.row.width === 0) return;
    if (this.line + this.repeated - 1 > rowsMax) throw damagedError('a row is beyond the end of the sheet');
    if (this.isHidden) this.found.hiddenRows += this.repeated;
    this.options.merged.fill(this.line, this.row);
    this.pause();
  }

  private pause(): void {
    if (this.scanner) this.scanner.paused = true;
  }
}

const spacesMax = 10_000;

function countOf(tag: XmlScanner, name: string): number {
  const count = Number(tag.attribute(name) ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, countMax) : 1;
}

const countMax = 2 ** 24;

type OdsValue = Record<
  'type' | 'value' | 'currency' | 'date' | 'time' | 'boolean' | 'formula',
  string | null
>;

/** Returns a cell's text from its value, or null if the paragraphs (`shown`) are the text. */
function storedText(cell: OdsValue, shown: string): string | null {
  switch (cell.type) {
    case 'float':
      return isArticleNumber(cell, shown)
        ? shown
        : number(cell, parseCurrencyFormat(shown) ?? decimalsShown(shown, Number(cell.value)));
    case 'percentage':
      return number(cell, { kind: 'percent' });
    case 'currency':
      return number(
        cell,
        cell.currency ? { kind: 'currency', before: '', after: ` ${cell.currency}` } : null,
      );
    case 'date':
      return showsShortDate(shown) ? null : (cell.date?.replace('T', ' ').replace(/[.,]\d+$/, '') ?? null);
    case 'time':
      return durationText(cell.time ?? '');
    case 'boolean':
      return cell.boolean?.toUpperCase() ?? null;
    default:
      return null;
  }
}

const number = ({ value }: OdsValue, format: NumberFormat | null) => toNumberText(value ?? '', format, false);

/** Returns whether a date is shown without year or day. Such a date is probably a size or code: '10-12', '12. Oct'. */
const showsShortDate = (shown: string) =>
  /^[\p{L}\d]{1,9}(?:\. ?|[-/ ])[\p{L}\d]{1,9}\.?$/u.test(shown) && !/\d{3}/.test(shown);

/** Returns whether the format shows a whole number as 00123, 12-345 or ART-0042. */
function isArticleNumber({ value }: OdsValue, shown: string): boolean {
  const digits = shown.replace(/\D/g, '');
  return (
    (/^0\d/.test(digits) || /\d-\d/.test(shown)) && !/[.,]/.test(shown) && Number(digits) === Number(value)
  );
}

/** Returns the decimals shown, or null if there are none or if three digits after a point may be thousands. */
function decimalsShown(shown: string, value: number): NumberFormat | null {
  const [, digits] = (Math.abs(value) < 1000 ? /[.,](\d{1,3})$/ : /[.,](\d\d?)$/).exec(shown) ?? [];
  return digits === undefined ? null : { kind: 'decimals', count: digits.length };
}

function durationText(duration: string): string | null {
  const [whole, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/.exec(duration) ?? [];
  return whole === undefined
    ? null
    : [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':');
}
