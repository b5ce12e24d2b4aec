import { joined } from '@draftshelf/csv/joined';
import type { Sheet, Workbook } from '../book/workbook.ts';
import { type ContainerError, tooMuch } from '../container-error.ts';
import { linksMax, mergesMax, nameLengthMax, referenceLengthMax } from '../limits.ts';
import { asUtf8, onTags } from '../xml/read-part.ts';
import { XmlScanner } from '../xml/xml-scanner.ts';
import { rangeOf } from './cell-reference.ts';
import type { MergedCell } from './merged-cells.ts';

/** Parts behind the rows of a sheet that are needed before the first. */
export type SheetTail = {
  merged: MergedCell[];
  /** Web addresses by column and row. */
  links: Map<number, Map<number, string>>;
};

/** Skips the rows of a sheet, then reads the parts behind them. */
export async function readTail({ parts }: Workbook, sheet: Sheet): Promise<SheetTail> {
  const merged: MergedCell[] = [];
  const ranges: [reference: string, id: string][] = [];
  const handler = onTags((name, tag) => {
    if (name === 'mergeCell') addMerged(merged, tag.attribute('ref', referenceLengthMax) ?? '');
    else if (name === 'hyperlink') {
      const id = tag.attribute('id', nameLengthMax);
      const reference = tag.attribute('ref', referenceLengthMax) ?? '';
      if (id !== null) ranges.push([parts.kept(reference), parts.kept(id)]);
    }
    if (merged.length > mergesMax || ranges.length > linksMax) throw tooMany();
  });
  const scanner = new XmlScanner(handler, true);
  const end = new EndOfRows();
  for await (const chunk of asUtf8(parts.bytes(sheet.part))) {
    const behind = end.find(chunk);
    if (behind === null) continue;
    scanner.push(behind);
    scanner.run();
  }
  return { merged, links: ranges.length === 0 ? new Map() : await linksOf(ranges) };

  function tooMany(): ContainerError {
    return tooMuch(`The sheet ‘${sheet.name}’ has too many merged cells or links to read. Save it as CSV.`);
  }

  async function linksOf(ranges: readonly [string, string][]): Promise<SheetTail['links']> {
    const relations = await parts.relations(sheet.part);
    const links: SheetTail['links'] = new Map();
    let count = 0;
    for (const [reference, id] of ranges) {
      const address = relations.get(id)?.target ?? '';
      const range = /^https?:\/\//i.test(address) ? rangeOf(reference) : null;
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

/** Of cells merged over columns, only the first has content. */
function addMerged(merged: MergedCell[], reference: string): void {
  const range = rangeOf(reference);
  if (!range || range.fromColumn !== range.toColumn || range.fromRow >= range.toRow) return;
  merged.push({ column: range.fromColumn, from: range.fromRow, to: range.toRow });
}

const endTag = new TextEncoder().encode('sheetData>');
/** Steps of the search, by the byte under the end of the tag. */
const shifts = new Uint8Array(256).fill(endTag.length);
for (const [at, byte] of endTag.subarray(0, -1).entries()) shifts[byte] = endTag.length - 1 - at;

/** Looks at one byte in ten, because hundreds of megabytes may precede the end of the rows. */
class EndOfRows {
  private isFound = false;
  private kept = new Uint8Array(0);

  find(chunk: Uint8Array): Uint8Array | null {
    if (this.isFound) return chunk;
    const bytes = joined([this.kept, chunk]);
    const at = lastEnd(bytes);
    this.isFound = at !== -1;
    if (this.isFound) return bytes.subarray(at);
    this.kept = bytes.slice(Math.max(0, bytes.length - endTag.length - prefixMax));
    return null;
  }
}

/** A prefix of the name, and the two characters before it. */
const prefixMax = 64;

function lastEnd(bytes: Uint8Array): number {
  for (let at = endTag.length - 1; at < bytes.length; at += shifts[bytes[at] as number] as number) {
    let same = 0;
    while (same < endTag.length && bytes[at - same] === endTag[endTag.length - 1 - same]) same += 1;
    if (same === endTag.length && isClosing(bytes, at - endTag.length)) return at + 1;
  }
  return -1;
}

function isClosing(bytes: Uint8Array, before: number): boolean {
  const text = new TextDecoder('latin1').decode(
    bytes.subarray(Math.max(0, before + 1 - prefixMax), before + 1),
  );
  return /<\/(?:[^<>/:]+:)?$/.test(text);
}
