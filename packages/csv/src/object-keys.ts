import type { Dialect, ScannedTable } from './dialect.ts';
import { isTranscribed, type TranscribedEncoding } from './encoding/encodings.ts';

type TableNumbers = Pick<ScannedTable, 'n' | 'converter'>;
export type ScannedText = Pick<Dialect, 'encoding'> & { table?: TableNumbers };

/** Returns the storage key of a table's text. Each table and each version of the converter has its own key. */
export function tableKey(fileKey: string, { n, converter }: TableNumbers): string {
  return `${fileKey}.t${n}v${converter}`;
}

/** Returns the key of the text to read: the file itself or a table in the file. */
export const fileOrTableKey = (fileKey: string, table: TableNumbers | undefined): string =>
  table ? tableKey(fileKey, table) : fileKey;

/** Returns the key of the UTF-8 transcript of a file or table in this encoding. */
export function transcriptKey(key: string, encoding: TranscribedEncoding): string {
  return `${key}.${encoding}.utf8`;
}

/** Returns the key of the object to scan: a file, a table in it, or a transcript. */
export function scannedKey(fileKey: string, { encoding, table }: ScannedText): string {
  const key = fileOrTableKey(fileKey, table);
  return isTranscribed(encoding) ? transcriptKey(key, encoding) : key;
}

/** Returns the storage keys of a file and of all objects that were derived from it in these dialects. */
export function objectKeysOf(fileKey: string, dialects: readonly ScannedText[]): string[] {
  const made = dialects.flatMap((dialect) => [
    fileOrTableKey(fileKey, dialect.table),
    scannedKey(fileKey, dialect),
  ]);
  return [...new Set([fileKey, ...made])];
}

const suffixes = /(?:\.t\d+v\d+)?(?:\.[^./]+\.utf8)?$/;

/** Returns the key of the file that a table or transcript belongs to. */
export function fileKeyOf(objectKey: string): string {
  return objectKey.replace(suffixes, '');
}
