import { ReadLimitError } from '@draftshelf/csv/limits';
import { tooLargeError } from './container-error.ts';

/** Limits set by CSV_BYTES_MAX, ARCHIVE_BYTES_MAX, COLUMNS_MAX and CELL_BYTES_MAX. */
export type ContainerLimits = Record<
  'fileBytesMax' | 'archiveBytesMax' | 'columnsMax' | 'cellBytesMax',
  number
>;

/** Maximum size of a table's text, as a multiple of `fileBytesMax`. Example: 127 MB of workbook gave 242 MB of CSV. */
const tableFactor = 4;
/** Maximum size of all unpacked parts, as a multiple of a table's maximum. Example: 778 MB of XML for 242 MB of CSV. */
const inflatedFactor = 20;

export const toTableBytesMax = ({ fileBytesMax }: ContainerLimits): number => tableFactor * fileBytesMax;

/** `left`: bytes that may still be unpacked, counting repeated reads. `keptLeft`: characters that may still be kept. */
export type InflateBudget = { left: number; keptLeft: number; signal?: AbortSignal | undefined };

export const createInflateBudget = (limits: ContainerLimits, signal?: AbortSignal): InflateBudget => ({
  left: inflatedFactor * toTableBytesMax(limits),
  keptLeft: keptCharsMax,
  signal,
});

/** Counts unpacked bytes. Throws ContainerError if there are too many, and the signal's reason if it is aborted. */
export function countUnpackedBytes(budget: Pick<InflateBudget, 'left' | 'signal'>, bytes: number): void {
  budget.signal?.throwIfAborted();
  budget.left -= bytes;
  if (budget.left >= 0) return;
  throw tooLargeError('The file holds more data than can be read. Save the list as CSV and upload that.');
}

const keptOverhead = 32;
/** Maximum number of characters kept: room for 65,530 links, Excel's maximum per sheet, with 400 characters each. */
const keptCharsMax = 32 * 2 ** 20;

/** Counts a text that stays in memory while the file is open. Throws ContainerError if there is too much text. */
export function countKeptText(budget: InflateBudget, text: string): void {
  budget.keptLeft -= text.length + keptOverhead;
  if (budget.keptLeft < 0) {
    throw tooLargeError(
      'The workbook has more names and links than can be read. Save the list as CSV and upload that.',
    );
  }
}

export const entriesMax = 65_536;
export const directoryBytesMax = 16 * 2 ** 20;
export const nameLengthMax = 1000;
/** Excel's maximum length of a number format's code. */
export const formatLengthMax = 255;
export const referenceLengthMax = 64;
/** Maximum length of a sheet's name. Excel allows 31 characters. */
export const sheetNameLengthMax = 255;
/** Maximum ratio of unpacked to packed bytes, checked for large parts only. Real parts reach 142 : 1. */
const ratioMax = 200;
const ratioFromBytes = 16 * 2 ** 20;
export const tagBytesMax = 2 ** 20;
export const depthMax = 64;
export const attributesMax = 64;
export const elementNamesMax = 4096;
/** Maximum number of hashes tried for an element name. Only forged names collide more often. */
export const collisionsMax = 8;
export const textBytesMax = 64 * 2 ** 20;
export const textsMax = 16_000_000;
export const rowsMax = 1_048_576;
export const sheetColumnsMax = 16_384;
export const sheetsMax = 256;
export const archiveListsMax = 32;
/** Maximum number of files whose first bytes are read. */
export const examinedFilesMax = 1000;
export const picturesMax = 20_000;
/** Maximum number of relations in a part, and of rich values. Excel allows 65,530 links in a sheet. */
export const recordsMax = 100_000;
/** Excel's maximum length of an address. */
export const addressLengthMax = 8192;
export const mergesMax = 100_000;
export const mergedCellsMax = 5_000_000;
/** Maximum number of cells with a link. Equals the rows of a sheet, because a link may cover a whole column. */
export const linksMax = 1_048_576;
export const stylesMax = 65_536;
export const rowBytesMax = 16 * 2 ** 20;

/** Throws ContainerError if content unpacks to far more bytes than it was packed into. */
export function refuseZipBomb(packedBytes: number, bytes: number): void {
  if (bytes <= ratioFromBytes || bytes <= packedBytes * ratioMax) return;
  throw tooLargeError(
    'The file unpacks to far more than it should hold. Save the list as CSV and upload that.',
  );
}

export function refuseManyRecords(records: number): void {
  if (records < recordsMax) return;
  throw tooLargeError(
    'The workbook has too many links or pictures to read. Save the list as CSV and upload that.',
  );
}

export function refuseLargeFile(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw tooLargeError(new ReadLimitError('fileBytesMax', bytesMax, 1).message);
}
