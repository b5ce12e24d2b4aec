import { joinBytes } from '@draftshelf/csv/joined';
import type { TableNotices } from '@draftshelf/domain/reading/file-tables';
import { openSheets } from './book/open-sheets.ts';
import { compoundFileError } from './book/refused-formats.ts';
import { type ByteSource, readRange } from './byte-source.ts';
import type { Container } from './container.ts';
import { detectContainerKind, kindHeadBytes } from './container-kind.ts';
import { type ContainerLimits, createInflateBudget, type InflateBudget, refuseLargeFile } from './limits.ts';
import { noNotices, type ReadOptions, type TableText } from './table-reading.ts';
import { isSameBytes } from './xml/bytes.ts';
import { readDirectory } from './zip/directory.ts';

export type { TableNotices } from '@draftshelf/domain/reading/file-tables';
export type { Container, FoundPicture, FoundPictures, FoundTable } from './container.ts';
export type { ReadOptions, TableText } from './table-reading.ts';

/** Opens a workbook or archive and finds its tables. The signal aborts all reading. Throws ContainerError. */
export async function openContainer(
  source: ByteSource,
  limits: ContainerLimits,
  signal?: AbortSignal,
): Promise<Container> {
  const container = await openFile(source, limits, createInflateBudget(limits, signal));
  return { ...container, read: (n, options) => endAtRepeats((own) => container.read(n, own), options) };
}

async function openFile(source: ByteSource, limits: ContainerLimits, budget: InflateBudget) {
  const kind = detectContainerKind(await readRange(source, 0, kindHeadBytes));
  if (kind === 'cfb') throw await compoundFileError(source);
  if (kind === 'gzip') {
    refuseLargeFile(source.bytes, limits.fileBytesMax);
    return (await import('./archive/open-gzip.ts')).openGzip(source, limits, budget);
  }
  const entries = await readDirectory(source);
  const workbook = await openSheets(source, entries, limits, budget);
  if (workbook) return workbook;
  refuseLargeFile(source.bytes, limits.archiveBytesMax);
  return (await import('./archive/open-archive.ts')).openArchive(source, entries, limits, budget);
}

/** Maximum number of equal rows in sequence. If there are more, the rows are not products. */
const repeatsMax = 1000;
/** Longer lines are not compared, because a thousand of them exceed a table's maximum size anyway. */
const comparedBytesMax = 256 * 1024;

const [lf, cr] = [10, 13];
/** Bytes of empty rows: NUL (of UTF-16), tab, CR, space, '"', ',', ';' and '|'. */
const emptyBytes = new Set([0, 9, cr, 32, 34, 44, 59, 124]);

/** Ends a table after too many equal rows: a few packed bytes could unpack to millions of rows. Allows any encoding. */
export async function* endAtRepeats(
  read: (options: ReadOptions) => TableText,
  { headBytes, onNotices }: ReadOptions = {},
): TableText {
  const rows = new RepeatedRows();
  let notices: TableNotices = noNotices;
  let rest = new Uint8Array(0);
  const pieces = read({ headBytes, onNotices: (found) => (notices = found) });
  for await (const piece of pieces) {
    const text = rest.length > 0 ? joinBytes([rest, piece]) : piece;
    const length = rows.wholeRows(text);
    if (length > 0) yield text.subarray(0, length);
    rest = text.subarray(length);
    if (rows.isOver) break;
  }
  if (rows.isOver) notices = { ...notices, endedAtRepeats: true };
  else if (rest.length > 0) yield rest;
  onNotices?.(notices);
}

class RepeatedRows {
  isOver = false;
  private last: Uint8Array = new Uint8Array(0);
  private times = 0;
  private lineEnd: number | undefined;

  /** Returns the length of the whole lines up to the repeat limit. A line too long to compare need not be whole. */
  wholeRows(text: Uint8Array): number {
    this.lineEnd ??= [lf, cr].find((end) => text.includes(end));
    const lineEnd = this.lineEnd ?? lf;
    let from = 0;
    for (let to = text.indexOf(lineEnd); to >= 0; to = text.indexOf(lineEnd, from)) {
      this.count(text.subarray(from, to));
      if (this.isOver) return from;
      from = to + 1;
    }
    return text.length - from > comparedBytesMax ? text.length : from;
  }

  private count(line: Uint8Array): void {
    if (this.times > 0 && isSameBytes(line, this.last, 0, this.last.length)) this.times += 1;
    else if (line.some((byte) => !emptyBytes.has(byte))) [this.last, this.times] = [line, 1];
    this.isOver = this.times > repeatsMax;
  }
}
