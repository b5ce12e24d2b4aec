import { joinBytes } from '@draftshelf/csv/joined';
import type { Sheet, Workbook } from '../book/workbook.ts';
import { type ContainerError, tooLargeError } from '../container-error.ts';
import { linksMax, mergesMax, nameLengthMax, referenceLengthMax } from '../limits.ts';
import { createTagHandler, toUtf8 } from '../xml/read-part.ts';
import { XmlScanner } from '../xml/xml-scanner.ts';
import { parseRange } from './cell-reference.ts';
import type { MergedCell } from './merged-cells.ts';

/** Parts that follow the rows of a sheet but are needed before the first row is read. */
export type SheetTail = {
  merged: MergedCell[];
  /** Web addresses of links by column and row. */
  links: Map<number, Map<number, string>>;
};

/** Skips the rows of a sheet, then reads the parts after them. */
export async function readSheetTail({ parts }: Workbook, sheet: Sheet): Promise<SheetTail> {
  const merged: MergedCell[] = [];
  const ranges: [reference: string, id: string][] = [];
  const handler = createTagHandler((name, tag) => {
    if (name === 'mergeCell') addMerged(merged, tag.attribute('ref', referenceLengthMax) ?? '');
    else if (name === 'hyperlink') {
      const id = tag.attribute('id', nameLengthMax);
      const reference = tag.attribute('ref', referenceLengthMax) ?? '';
      if (id !== null) ranges.push([parts.kept(reference), parts.kept(id)]);
    }
    if (merged.length > mergesMax || ranges.length > linksMax) throw tooMany();
  });
  const scanner = new XmlScanner(handler, true);
  let isBehind = false;
  let kept: Uint8Array = new Uint8Array(0);
  for await (const chunk of toUtf8(parts.bytes(sheet.part))) {
    const bytes = isBehind ? chunk : joinBytes([kept, chunk]);
    const end: number = isBehind ? 0 : endOfRows(bytes);
    isBehind = end !== -1;
    if (isBehind) {
      scanner.push(bytes.subarray(end));
      scanner.run();
    } else {
      kept = bytes.slice(-endBytesMax);
    }
  }
  return { merged, links: ranges.length === 0 ? new Map() : await linksOf(ranges) };

  function tooMany(): ContainerError {
    return tooLargeError(
      `The sheet ‘${sheet.name}’ has too many merged cells or links to read. Save it as CSV.`,
    );
  }

  async function linksOf(ranges: readonly [string, string][]): Promise<SheetTail['links']> {
    const relations = await parts.relations(sheet.part);
    const links: SheetTail['links'] = new Map();
    let count = 0;
    for (const [reference, id] of ranges) {
      const address = relations.get(id)?.target ?? '';
      const range = /^https?:\/\//i.test(address) ? parseRange(reference) : null;
      for (let column = range?.fromColumn ?? 0; range && column <= range.toColumn; column += 1) {
        count += range.toRow - range.fromRow + 1;
        if (count > linksMax) throw tooMany();
        const own = links.get(column) ?? new Map<number, string>();
        links.set(column, own);
        for (let row = range.fromRow; row <= range.toRow; row += 1) own.set(row, address);
      }
    }
    return links;
  }
}

/** Adds a cell merged over rows. A cell merged over columns needs no fill: its content belongs to the first column. */
function addMerged(merged: MergedCell[], reference: string): void {
  const range = parseRange(reference);
  if (!range || range.fromColumn !== range.toColumn || range.fromRow >= range.toRow) return;
  merged.push({ column: range.fromColumn, from: range.fromRow, to: range.toRow });
}

/** Maximum length of the closing tag, whose prefix may have 64 bytes. */
const endBytesMax = 128;
const endTag = /<\/(?:[^<>/:]+:)?sheetData>/;
const latin1 = new TextDecoder('latin1');

/** Returns the index after the closing tag of the rows, or -1 if there is none. */
function endOfRows(bytes: Uint8Array): number {
  const found = endTag.exec(latin1.decode(bytes));
  return found === null ? -1 : found.index + found[0].length;
}
