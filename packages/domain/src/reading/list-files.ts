import { formatFileSize } from '../base/format.ts';

/** File name extensions of workbooks and archives. A .xls file may also be text. */
const containerEnds = ['.xlsx', '.xlsm', '.xls', '.ods', '.zip', '.gz'] as const;
/** File name extensions that are accepted: texts, workbooks and archives. */
export const listFileExtensions = ['.csv', '.tsv', '.txt', ...containerEnds] as const;

/** Largest size of a list or workbook, and of an archive, in bytes. */
export type SizeLimits = { csvBytesMax: number; archiveBytesMax: number };

/** Returns the message for a file above its limit, else null. Archives may hold pictures, so their limit is higher. */
export function tooLargeSentence(
  { isArchive, bytes }: { isArchive: boolean; bytes: number },
  { csvBytesMax, archiveBytesMax }: SizeLimits,
): string | null {
  const [max, name] = isArchive ? [archiveBytesMax, 'ARCHIVE_BYTES_MAX'] : [csvBytesMax, 'CSV_BYTES_MAX'];
  if (bytes <= max) return null;
  return `The file is larger than the ${formatFileSize(max)} limit. Split it into smaller files, or raise ${name}.`;
}

const endsWithOneOf = (name: string, ends: readonly string[]): boolean =>
  ends.some((end) => name.toLowerCase().endsWith(end));

export const isContainerName = (name: string): boolean => endsWithOneOf(name, containerEnds);

/** Whether a file is an archive by its name. */
export const isArchiveName = (name: string): boolean => name.toLowerCase().endsWith('.zip');

/** Whether a file's type or name suggests a list of products. Later, the file's bytes show whether it is one. */
export function isListFile({ name, type = '' }: { name: string; type?: string }): boolean {
  return type.toLowerCase() === 'text/csv' || endsWithOneOf(name, listFileExtensions);
}
