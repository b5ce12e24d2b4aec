import type { TableNotices } from '@draftshelf/domain/reading/file-tables';
import { isTrue } from '../book/workbook.ts';
import { damagedError } from '../container-error.ts';
import { type ContainerLimits, rowsMax } from '../limits.ts';
import type { XmlHandler, XmlScanner } from '../xml/xml-scanner.ts';
import { type Cell, parseWholeNumber, readReference } from './cell-reference.ts';
import { CellText } from './cell-text.ts';
import { type CellContext, type CellType, CellWriter, type StoredCell } from './cell-writer.ts';
import { HiddenColumnCounter, RowCells } from './row-cells.ts';

export type SheetReaderOptions = CellContext & Pick<ContainerLimits, 'columnsMax' | 'cellBytesMax'>;

/** Receives each row with content and its line number. Returns true to pause reading after the row. */
type OnRow = (line: number, cells: RowCells) => boolean;

const types: Readonly<Record<string, CellType>> = {
  s: 'shared',
  n: 'number',
  str: 'text',
  inlineStr: 'text',
  b: 'boolean',
  e: 'error',
  d: 'date',
};
const [letterR, letterS, letterT, letterV] = [0x72, 0x73, 0x74, 0x76] as const;
const decoder = new TextDecoder();

/** Reads the rows of a sheet piece by piece, each cell as CSV bytes. */
export class SheetReader implements XmlHandler {
  wantsText = false;

  private readonly onRow: OnRow;
  private readonly row: RowCells;
  private readonly value: CellText;
  private readonly formula: CellText;
  private collecting: CellText;
  private readonly cell: StoredCell = {
    column: -1,
    type: 'number',
    style: 0,
    hasValue: false,
    hasFormula: false,
    metadata: 0,
  };
  private readonly reference: Cell = { column: -1, row: 0 };
  private readonly cells: CellWriter;
  private hiddenRows = 0;
  private inData = false;
  private inInline = false;
  private inPhonetic = false;
  private hasInline = false;
  private line = 0;
  private isNumbered = false;
  private isHidden = false;
  private readonly hiddenColumns = new HiddenColumnCounter();
  private scanner: XmlScanner | null = null;

  constructor(options: SheetReaderOptions, onRow: OnRow) {
    this.onRow = onRow;
    this.row = new RowCells(options.columnsMax);
    this.value = new CellText(options.cellBytesMax);
    this.formula = new CellText(options.cellBytesMax);
    this.collecting = this.value;
    this.cells = new CellWriter(options, this.row);
  }

  notices(): TableNotices {
    const { hiddenRows, hiddenColumns, cells } = this;
    const { errorCells, formulasWithoutValue } = cells;
    return { hiddenRows, hiddenColumns: hiddenColumns.count, errorCells, formulasWithoutValue };
  }

  open(name: string, tag: XmlScanner): void {
    if (!this.inData) this.openOutside(name, tag);
    else if (name === 'c') this.openCell(tag);
    else if (name === 'v' && !this.hasInline) {
      this.beginValue();
      this.wantsText = true;
    } else if (name === 'row') this.openRow(tag);
    else if (name === 'f') {
      this.collecting = this.formula;
      // A data table of what-if results has values but no formulas of its own.
      this.cell.hasFormula = tag.attribute('t') !== 'dataTable';
      this.wantsText = true;
    } else if (name === 'is') {
      this.beginValue();
      this.inInline = true;
      this.hasInline = true;
    } else if (name === 't') this.wantsText = this.inInline && !this.inPhonetic;
    else if (name === 'rPh') this.inPhonetic = true;
  }

  close(name: string): void {
    this.wantsText = false;
    if (!this.inData) return;
    if (name === 'c') this.closeCell();
    else if (name === 'row') this.closeRow();
    else if (name === 'is') this.inInline = false;
    else if (name === 'rPh') this.inPhonetic = false;
    else if (name === 'sheetData') this.inData = false;
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.collecting.append(bytes, from, to);
  }

  private openOutside(name: string, tag: XmlScanner): void {
    this.scanner = tag;
    if (name === 'sheetData') this.inData = true;
    else if (name === 'col' && isTrue(tag.attribute('hidden'))) {
      this.hiddenColumns.add(Number(tag.attribute('min')) - 1, Number(tag.attribute('max')) - 1);
    }
  }

  private openRow(tag: XmlScanner): void {
    this.row.clear();
    this.cell.column = -1;
    const number = Number(tag.attribute('r') ?? Number.NaN);
    this.isNumbered = Number.isInteger(number) && number > 0;
    this.beginLine(this.isNumbered ? number : this.line + 1);
    this.isHidden = isTrue(tag.attribute('hidden'));
  }

  private beginLine(line: number): void {
    if (line <= this.line) throw damagedError(`row ${line} comes after row ${this.line}`);
    if (line > rowsMax) throw damagedError('a row is beyond the end of the sheet');
    this.line = line;
  }

  private openCell(tag: XmlScanner): void {
    const { cell, reference } = this;
    this.value.clear();
    this.formula.clear();
    const before = cell.column;
    cell.column = before + 1;
    cell.type = 'number';
    cell.style = 0;
    cell.hasValue = false;
    cell.metadata = 0;
    this.hasInline = false;
    cell.hasFormula = false;
    for (let at = 0; at < tag.attributes; at += 1) {
      const nameFrom = tag.nameFrom[at] as number;
      const nameLength = (tag.nameTo[at] as number) - nameFrom;
      const [from, to] = [tag.valueFrom[at] as number, tag.valueTo[at] as number];
      if (nameLength === 2 && tag.bytes[nameFrom] === letterV)
        cell.metadata = parseWholeNumber(tag.bytes, from, to);
      if (nameLength !== 1) continue;
      const letter = tag.bytes[nameFrom];
      if (letter === letterR) {
        if (readReference(tag.bytes, from, to, reference)) {
          cell.column = reference.column;
          this.numberRow(before, reference.row);
        }
      } else if (letter === letterS) {
        cell.style = Math.max(0, parseWholeNumber(tag.bytes, from, to));
      } else if (letter === letterT) {
        cell.type = typeOf(tag.bytes, from, to);
      }
    }
  }

  private beginValue(): void {
    this.value.clear();
    this.collecting = this.value;
    this.cell.hasValue = true;
  }

  private numberRow(before: number, row: number): void {
    if (this.isNumbered || before !== -1 || row <= this.line) return;
    this.beginLine(row);
  }

  private closeCell(): void {
    const { cell } = this;
    if (!cell.hasValue && !cell.hasFormula) return;
    this.cells.write(cell, this.value, this.formula);
    if (!this.row.isEmpty(cell.column)) this.hiddenColumns.note(cell.column);
  }

  private closeRow(): void {
    if (this.row.width === 0) return;
    if (this.isHidden) this.hiddenRows += 1;
    if (this.onRow(this.line, this.row) && this.scanner) this.scanner.paused = true;
  }
}

function typeOf(bytes: Uint8Array, from: number, to: number): CellType {
  // Nearly all cells with a type attribute have a shared text.
  if (to - from === 1 && bytes[from] === letterS) return 'shared';
  return types[decoder.decode(bytes.subarray(from, to))] ?? 'number';
}
