import { CellText } from '../sheet/cell-text.ts';
import type { XmlHandler, XmlScanner } from '../xml/xml-scanner.ts';

/**
 * Reads the shared texts of a workbook: the runs of each joined, without the pronunciation of Asian texts. `onText`
 * gets each as a cell of CSV, and returns false when it needs no more.
 */
export class TextReader implements XmlHandler {
  wantsText = false;
  private readonly cell: CellText;
  private readonly onText: (cell: CellText) => boolean;
  private scanner: XmlScanner | null = null;
  private inPhonetic = false;

  constructor(cellBytesMax: number, onText: (cell: CellText) => boolean) {
    this.cell = new CellText(cellBytesMax);
    this.onText = onText;
  }

  open(name: string, tag: XmlScanner): void {
    this.scanner = tag;
    if (name === 't') this.wantsText = !this.inPhonetic;
    else if (name === 'rPh') this.inPhonetic = true;
  }

  close(name: string): void {
    if (name === 't') this.wantsText = false;
    else if (name === 'rPh') this.inPhonetic = false;
    else if (name === 'si') {
      this.cell.toCsv();
      if (!this.onText(this.cell) && this.scanner) this.scanner.paused = true;
      this.cell.clear();
    }
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.cell.append(bytes, from, to);
  }
}
