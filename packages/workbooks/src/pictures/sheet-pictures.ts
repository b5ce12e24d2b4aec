import type { Package } from '../book/package.ts';
import type { Sheet, Workbook } from '../book/workbook.ts';
import { type FoundPicture, type FoundPictures, limitPictures } from '../container.ts';
import { damagedError } from '../container-error.ts';
import { addressLengthMax, type ContainerLimits, picturesMax, rowsMax } from '../limits.ts';
import type { MergedCell } from '../sheet/merged-cells.ts';
import { readSheetTail } from '../sheet/sheet-tail.ts';
import type { XmlHandler, XmlScanner } from '../xml/xml-scanner.ts';
import { toEntryLocation } from '../zip/entry.ts';

/** Returns the pictures of a workbook's sheets, each with its rows. */
export async function picturesOf(book: Workbook, limits: ContainerLimits): Promise<FoundPictures> {
  const found: FoundPicture[] = [];
  for (const sheet of book.sheets) {
    if (found.length > picturesMax) break;
    for (const { part, ...lines } of await picturesOfSheet(book, sheet)) {
      const entry = book.parts.entry(part);
      if (entry) found.push({ entry: part, ...toEntryLocation(entry), sheet: sheet.n, ...lines });
    }
  }
  return limitPictures(found, limits);
}

type PlacedPicture = { part: string; line: number; toLine?: number };

async function picturesOfSheet(book: Workbook, sheet: Sheet): Promise<PlacedPicture[]> {
  const { parts, cellPictures } = book;
  const relations = await parts.relations(sheet.part);
  const drawing = [...relations.values()].find(({ type }) => type === 'drawing')?.target;
  const anchored = drawing === undefined ? [] : await readAnchors(parts, drawing);
  if (anchored.length === 0 && cellPictures.byValue.size + cellPictures.byId.size === 0) return [];
  const rows = new PictureRows(book);
  await parts.read(sheet.part, rows);
  const { merged } = await readSheetTail(book, sheet);
  const firstLine = firstLines(merged);
  const placed = anchored.map((picture) => {
    const [line, toLine] = rows.linesOf(picture).map((own) => firstLine(picture.from.column, own)) as [
      number,
      number,
    ];
    return { part: picture.part, line, ...(toLine > line ? { toLine } : {}) };
  });
  return [...placed, ...rows.inCells];
}

function firstLines(merged: readonly MergedCell[]): (column: number, line: number) => number {
  const byColumn = Map.groupBy(
    merged.toSorted((a, b) => a.from - b.from),
    ({ column }) => column,
  );
  return (column, line) => {
    const own = byColumn.get(column) ?? [];
    let [low, high] = [0, own.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((own[middle] as MergedCell).from <= line) low = middle + 1;
      else high = middle;
    }
    const cell = own[low - 1];
    return cell && line <= cell.to ? cell.from : line;
  };
}

/** The default height of a row: 20 screen pixels. */
const rowPoints = 15;
const displayedId = /\bDISPIMG\(\s*"([^"]+)"/i;
const decoder = new TextDecoder();

class PictureRows implements XmlHandler {
  readonly inCells: PlacedPicture[] = [];
  wantsText = false;
  private readonly book: Workbook;
  private readonly heights = new Map<number, number>();
  private height = rowPoints;
  private line = 0;
  private formula = '';

  constructor(book: Workbook) {
    this.book = book;
  }

  open(name: string, tag: XmlScanner): void {
    if (name === 'row') {
      const number = Number(tag.attribute('r') ?? Number.NaN);
      this.line = Number.isInteger(number) && number > 0 ? number : this.line + 1;
      if (this.line > rowsMax) throw damagedError('a row is beyond the end of the sheet');
      const height = Number(tag.attribute('ht') ?? 0);
      if (height > 0) this.heights.set(this.line, height);
    } else if (name === 'c') {
      this.add(this.book.cellPictures.byValue.get(Number(tag.attribute('vm') ?? 0)));
    } else if (name === 'f') {
      this.formula = '';
      this.wantsText = this.book.cellPictures.byId.size > 0;
    } else if (name === 'sheetFormatPr') {
      this.height = Number(tag.attribute('defaultRowHeight')) || rowPoints;
    }
  }

  close(name: string): void {
    if (name !== 'f' || !this.wantsText) return;
    this.wantsText = false;
    this.add(this.book.cellPictures.byId.get(displayedId.exec(this.formula)?.[1] ?? ''));
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.formula.length < addressLengthMax) this.formula += decoder.decode(bytes.subarray(from, to));
  }

  // Returns the rows of which a picture covers at least half. If there is no such row, returns the row of the
  // picture's middle. For a picture without an end, returns the row whose top is nearest to the picture's top.
  linesOf({ from, to }: AnchoredPicture): [first: number, last: number] {
    const place = (corner: AnchoredPicture['from']) => {
      const height = this.heights.get(corner.row + 1) ?? this.height;
      return corner.row + Math.min(corner.points / height, 0.999);
    };
    const first = Math.round(place(from)) + 1;
    const last = to === null ? first : Math.round(place(to));
    if (last >= first) return [first, last];
    const middle = Math.floor((place(from) + place(to ?? from)) / 2) + 1;
    return [middle, middle];
  }

  private add(part: string | undefined): void {
    if (part === undefined) return;
    if (this.inCells.length <= picturesMax) this.inCells.push({ part, line: this.line });
  }
}

/** A corner of a picture. `points` is the distance below the top of the row. */
type Corner = { column: number; row: number; points: number };

type AnchoredPicture = { part: string; from: Corner; to: Corner | null };

const emuPerPoint = 12_700;

/** Reads the pictures that are anchored to cells. A picture at an absolute position belongs to no row. */
async function readAnchors(parts: Package, drawing: string): Promise<AnchoredPicture[]> {
  const relations = await parts.relations(drawing);
  const found: AnchoredPicture[] = [];
  let corners: { from?: Corner; to?: Corner } = {};
  /** Picture parts already found in the current anchor. An anchor may name a part again, as a fallback. */
  let own = new Set<string>();
  let corner: Corner | undefined;
  let text = '';
  const handler: XmlHandler = {
    wantsText: false,
    open(name, tag) {
      if (name.endsWith('Anchor')) {
        corners = {};
        own = new Set();
      } else if (name === 'from' || name === 'to') {
        corner = { column: 0, row: 0, points: 0 };
        corners[name] = corner;
      } else if (name === 'blip') {
        const target = relations.get(tag.attribute('embed') ?? '')?.target;
        const { from, to = null } = corners;
        if (target !== undefined && from && !own.has(target)) {
          own.add(target);
          if (found.length <= picturesMax) found.push({ part: target, from, to });
        }
      }
      text = '';
      handler.wantsText = corner !== undefined;
    },
    close(name) {
      if (name === 'from' || name === 'to') corner = undefined;
      const number = Number(text) || 0;
      if (corner && name === 'col') corner.column = number;
      if (corner && name === 'row') corner.row = Math.min(Math.max(0, number), rowsMax - 1);
      if (corner && name === 'rowOff') corner.points = number / emuPerPoint;
      handler.wantsText = false;
    },
    text(bytes, from, to) {
      if (text.length < addressLengthMax) text += decoder.decode(bytes.subarray(from, to));
    },
  };
  await parts.read(drawing, handler);
  return found;
}
