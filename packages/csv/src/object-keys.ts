import type { Dialect, ScannedTable } from './dialect.ts';
import { isTranscribed, type TranscribedEncoding } from './encoding/encodings.ts';

type TableNumbers = Pick<ScannedTable, 'n' | 'converter'>;
/** What says which bytes of a file are scanned. */
export type Scanned = Pick<Dialect, 'encoding'> & { table?: TableNumbers };

/** The key of the text of a table in a file: one for each table, and for each version of the converter. */
export function tableKey(fileKey: string, { n, converter }: TableNumbers): string {
  return `${fileKey}.t${n}v${converter}`;
}

/** The key of the text that is read: the file itself, or that of a table in it. */
export const textKey = (fileKey: string, table: TableNumbers | undefined): string =>
  table ? tableKey(fileKey, table) : fileKey;

/** The key of the transcript of a file or table: its key with a suffix, one for each encoding that it was read in. */
export function transcriptKey(key: string, encoding: TranscribedEncoding): string {
  return `${key}.${encoding}.utf8`;
}

/** The key of the object to scan for a file stored under `fileKey`: its own, that of a table, or of a transcript. */
export function scannedKey(fileKey: string, { encoding, table }: Scanned): string {
  const key = textKey(fileKey, table);
  return isTranscribed(encoding) ? transcriptKey(key, encoding) : key;
}

/** The keys of a file and of all objects made from it when it was read in these dialects. */
export function objectsOf(fileKey: string, dialects: readonly Scanned[]): string[] {
  const made = dialects.flatMap((dialect) => [textKey(fileKey, dialect.table), scannedKey(fileKey, dialect)]);
  return [...new Set([fileKey, ...made])];
}

const suffixes = /(?:\.t\d+v\d+)?(?:\.[^./]+\.utf8)?$/;

/** The key of the file that an object belongs to: the file, a table in it, or a transcript of either. */
export function fileKeyOf(objectKey: string): string {
  return objectKey.replace(suffixes, '');
}
