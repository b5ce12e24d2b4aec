import { ReadLimitError } from '@draftshelf/csv/limits';
import { tooMuch } from './container-error.ts';

/** Set by CSV_BYTES_MAX, ARCHIVE_BYTES_MAX, COLUMNS_MAX and CELL_BYTES_MAX. */
export type ContainerLimits = Record<
  'fileBytesMax' | 'archiveBytesMax' | 'columnsMax' | 'cellBytesMax',
  number
>;

/** Text of a table, as a multiple of `fileBytesMax`: a workbook of 127 MB became 242 MB of CSV. */
const tableFactor = 4;
/** Inflated bytes of all parts, as a multiple of the text: 778 MB of XML gave 242 MB of CSV. */
const inflatedFactor = 20;

export const tableBytesMax = ({ fileBytesMax }: ContainerLimits): number => tableFactor * fileBytesMax;

/** Bytes that may still be unpacked, however often parts are read, and characters of names and the like to keep. */
export type InflateBudget = { left: number; keptLeft: number; signal?: AbortSignal | undefined };

export const inflateBudget = (limits: ContainerLimits, signal?: AbortSignal): InflateBudget => ({
  left: inflatedFactor * tableBytesMax(limits),
  keptLeft: keptCharsMax,
  signal,
});

/** Counts unpacked bytes. Throws ContainerError if there are too many, and the reason of the signal. */
export function spend(budget: Pick<InflateBudget, 'left' | 'signal'>, bytes: number): void {
  budget.signal?.throwIfAborted();
  budget.left -= bytes;
  if (budget.left >= 0) return;
  throw tooMuch('The file holds more data than can be read. Save the list as CSV and upload that.');
}

const keptOverhead = 32;
/** 65,530 links, Excel's maximum per sheet, with addresses of 400 characters. */
const keptCharsMax = 32 * 2 ** 20;

/** Counts a text that is kept while the file is open. Throws ContainerError if it is too much. */
export function keep(budget: InflateBudget, text: string): void {
  budget.keptLeft -= text.length + keptOverhead;
  if (budget.keptLeft < 0) {
    throw tooMuch(
      'The workbook has more names and links than can be read. Save the list as CSV and upload that.',
    );
  }
}

export const entriesMax = 65_536;
export const directoryBytesMax = 16 * 2 ** 20;
export const nameLengthMax = 1000;
/** The longest code of a number format in Excel. */
export const formatLengthMax = 255;
export const referenceLengthMax = 64;
/** Excel allows 31. */
export const sheetNameLengthMax = 255;
/** Real style parts reach 134 : 1 and pictures 142 : 1. Only large parts are bombs. */
const ratioMax = 200;
const ratioFromBytes = 16 * 2 ** 20;
export const tagBytesMax = 2 ** 20;
export const depthMax = 64;
export const attributesMax = 64;
export const elementNamesMax = 4096;
/** Element names with neighboring hashes; only forged names collide more often. */
export const collisionsMax = 8;
export const textBytesMax = 64 * 2 ** 20;
export const textsMax = 16_000_000;
export const rowsMax = 1_048_576;
export const sheetColumnsMax = 16_384;
export const sheetsMax = 256;
export const candidatesMax = 32;
/** Files whose first bytes are read. */
export const examinedMax = 1000;
export const picturesMax = 20_000;
/** Relations of a part, or values that cells may show: Excel has at most 65,530 links in a sheet. */
export const recordsMax = 100_000;
/** The longest address in Excel. */
export const addressLengthMax = 8192;
export const mergesMax = 100_000;
export const mergedCellsMax = 5_000_000;
/** The rows of a column, because a link may cover a whole column. */
export const linksMax = 1_048_576;
export const stylesMax = 65_536;
export const rowBytesMax = 16 * 2 ** 20;

/** Throws for content that unpacks to far more than it was packed into. */
export function refuseBomb(packedBytes: number, bytes: number): void {
  if (bytes <= ratioFromBytes || bytes <= packedBytes * ratioMax) return;
  throw tooMuch('The file unpacks to far more than it should hold. Save the list as CSV and upload that.');
}

export function refuseManyRecords(records: number): void {
  if (records < recordsMax) return;
  throw tooMuch('The workbook has too many links or pictures to read. Save the list as CSV and upload that.');
}

export function refuseLargeFile(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw tooMuch(new ReadLimitError('fileBytesMax', bytesMax, 1).message);
}
