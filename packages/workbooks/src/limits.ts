import { ReadLimitError } from '@draftshelf/csv/limits';
import { tooMuch } from './container-error.ts';

/** The limits that the environment sets: CSV_BYTES_MAX, ARCHIVE_BYTES_MAX, COLUMNS_MAX and CELL_BYTES_MAX. */
export type ContainerLimits = {
  /** Size of a list or workbook. */
  fileBytesMax: number;
  /** Size of an archive, with its pictures. */
  archiveBytesMax: number;
  columnsMax: number;
  cellBytesMax: number;
};

/** Text of a table, as a multiple of `fileBytesMax`: a workbook of 127 MB became 242 MB of CSV. */
const tableFactor = 4;
/** Inflated bytes of all parts that are read, as a multiple of the text: 778 MB of XML gave 242 MB of CSV. */
const inflatedFactor = 20;

export const tableBytesMax = ({ fileBytesMax }: ContainerLimits): number => tableFactor * fileBytesMax;

/**
 * What may still be unpacked of a file, however often its parts are read, and kept of names, addresses and the like;
 * and what ends the reading before.
 */
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

/** A text that is kept takes at least this much beside its characters. */
const keptOverhead = 32;
/** 65,530 links, as many as Excel has in a sheet, with addresses of 400 characters. */
const keptCharsMax = 32 * 2 ** 20;

/** Counts a text that is kept while the file is open. */
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
/** Excel has no longer codes of number formats. */
export const formatLengthMax = 255;
export const referenceLengthMax = 64;
/** Names of sheets have 31 characters in Excel. */
export const sheetNameLengthMax = 255;
/** Real style parts reach 134 : 1 and pictures 142 : 1. Only large parts are bombs. */
const ratioMax = 200;
const ratioFromBytes = 16 * 2 ** 20;
export const tagBytesMax = 2 ** 20;
export const depthMax = 64;
export const attributesMax = 64;
export const elementNamesMax = 4096;
/** Element names whose hashes are neighbours. Only names that were made for it collide. */
export const collisionsMax = 8;
export const textBytesMax = 64 * 2 ** 20;
export const textsMax = 16_000_000;
export const rowsMax = 1_048_576;
export const sheetColumnsMax = 16_384;
export const sheetsMax = 256;
export const candidatesMax = 32;
/** Files of an archive whose first bytes are read. */
export const examinedMax = 1000;
/** Further ones are left out. */
export const picturesMax = 20_000;
/** Relations of a part, or values that cells may show: Excel has at most 65,530 links in a sheet. */
export const recordsMax = 100_000;
/** Excel has no longer addresses. */
export const addressLengthMax = 8192;
export const mergesMax = 100_000;
export const mergedCellsMax = 5_000_000;
/** As many as a column has rows, because a link may be that of a whole column. */
export const linksMax = 1_048_576;
export const stylesMax = 65_536;
export const rowBytesMax = 16 * 2 ** 20;

/** Refuses what unpacks to far more than it was packed into. */
export function refuseBomb(packedBytes: number, bytes: number): void {
  if (bytes <= ratioFromBytes || bytes <= packedBytes * ratioMax) return;
  throw tooMuch('The file unpacks to far more than it should hold. Save the list as CSV and upload that.');
}

/** Refuses one more record than a part may have. */
export function refuseManyRecords(records: number): void {
  if (records < recordsMax) return;
  throw tooMuch('The workbook has too many links or pictures to read. Save the list as CSV and upload that.');
}

export function refuseLargeFile(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw tooMuch(new ReadLimitError('fileBytesMax', bytesMax, 1).message);
}
