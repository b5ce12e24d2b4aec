import { refusedByName } from '@draftshelf/csv/detect/other-workbooks';
import { archiveBytesMaxDefault, fileBytesMaxDefault } from '@draftshelf/csv/limits';
import { fileSize } from '@draftshelf/domain/base/format';
import { isArchiveName, isListFile } from '@draftshelf/domain/reading/list-files';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { chosenFilesMax, type RefusedFile } from './chosen-files.ts';

type Refusal = { title: string; text: string };

type Limits = {
  room: number;
  bytesMax: number;
};

type Accepted = {
  accepted: File[];
  /** These get a row with the reason, next to the accepted files. */
  refused: RefusedFile[];
  /** Null: all files get a row. */
  refusal: Refusal | null;
};

export function acceptedFiles(files: readonly File[], { room, bytesMax }: Limits): Accepted {
  const accepted: File[] = [];
  const refused: { file: File; refusal: Refusal }[] = [];
  for (const file of files) {
    const refusal = refusalOf(file, bytesMax);
    if (refusal === null) accepted.push(file);
    else refused.push({ file, refusal });
  }
  const [first] = refused;
  if (accepted.length === 0) {
    return { accepted, refused: [], refusal: first === undefined ? null : inNotification(first, refused) };
  }
  const rows = refused.map(({ file, refusal }) => ({ file, message: `${refusal.title}: ${refusal.text}` }));
  if (files.length <= room) return { accepted, refused: rows, refusal: null };
  const text = `Only ${countOf(chosenFilesMax, 'file')} can be chosen at once. Upload these first.`;
  return {
    accepted: accepted.slice(0, room),
    refused: rows.slice(0, Math.max(0, room - accepted.length)),
    refusal: { title: 'Too many files', text },
  };
}

/** Names the first of the refused files. */
function inNotification(
  { file, refusal }: { file: File; refusal: Refusal },
  refused: readonly unknown[],
): Refusal {
  if (refused.length === 1) return refusal;
  const others = ` and ${formatCount(refused.length - 1)} more`;
  return { title: refusal.title, text: `${file.name}${others} can’t be uploaded. ${refusal.text}` };
}

/** Null: the file is accepted. */
function refusalOf(file: File, bytesMax: number): Refusal | null {
  const other = refusedByName(file.name) ?? (isListFile(file) ? null : 'Please select a CSV file');
  if (other !== null) return { title: 'Invalid File Type', text: other };
  // The server knows its limit of archives, and refuses larger ones.
  const max = isArchiveName(file.name) ? Math.max(bytesMax, archiveBytesMaxDefault) : bytesMax;
  if (file.size <= max) return null;
  return {
    title: 'File too large',
    text: `${file.name} is larger than the ${limitWords(max)} limit. Split it into smaller files.`,
  };
}

/** The default is written as in the specification. */
export function limitWords(fileBytesMax: number): string {
  return fileBytesMax === fileBytesMaxDefault ? '50MB' : fileSize(fileBytesMax);
}

/** Null: the specification's '50MB' applies. */
export const limitNote = (fileBytesMax: number): string | null =>
  fileBytesMax === fileBytesMaxDefault ? null : `This server accepts files up to ${fileSize(fileBytesMax)}.`;
