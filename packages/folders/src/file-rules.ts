import { findRefusalByName } from '@draftshelf/csv/detect/other-workbooks';
import {
  isArchiveName,
  isListFile,
  type SizeLimits,
  tooLargeSentence,
} from '@draftshelf/domain/reading/list-files';

const passedOver = [
  /^\./,
  /^~\$/,
  /\.(?:tmp|part|partial|filepart|crdownload|download)$/i,
  /^(?:Thumbs\.db|desktop\.ini)$/i,
];

const otherArchive = /\.(?:7z|rar|bz2|zst)$/i;

export type FileDecision = { is: 'taken' } | { is: 'refused' | 'ignored'; because: string };

/** Returns whether a file is never shown or read, because it is an unfinished download, a lock or a system file. */
export function isIgnoredName(name: string): boolean {
  return passedOver.some((pattern) => pattern.test(name));
}

/** Decides by name and size whether a file is read. */
export function decideOnFile(
  { name, bytes }: { name: string; bytes: number },
  limits: SizeLimits,
): FileDecision {
  const other = findRefusalByName(name);
  if (other !== null) return { is: 'refused', because: toFolderSentence(other) };
  if (otherArchive.test(name)) return { is: 'refused', because: 'Unpack the file, or pack it as ZIP.' };
  if (!isListFile({ name })) return { is: 'ignored', because: 'Not a CSV file.' };
  const because = tooLargeSentence({ isArchive: isArchiveName(name), bytes }, limits);
  if (because !== null) return { is: 'refused', because };
  return { is: 'taken' };
}

/** Rewords the sentence of a refused upload for a file in a watched folder. */
export function toFolderSentence(sentence: string): string {
  return sentence
    .replace(/\bupload (that|the CSV file in it)\.$/, 'put $1 into the folder.')
    .replace(/Choose a CSV file instead\.$/, 'Put a CSV file into the folder instead.');
}

/** Returns a file's name in Archive, which is its name with the time, in UTC, at which the file was first seen. */
export function toArchiveName(name: string, seenAt: Date): string {
  const time = seenAt.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '');
  return insertBeforeExtension(name, ` (${time})`);
}

/** Inserts a text before the extension of a name: `price list.csv` becomes `price list 2.csv`. */
export function insertBeforeExtension(name: string, text: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}${text}${name.slice(dot)}` : `${name}${text}`;
}
