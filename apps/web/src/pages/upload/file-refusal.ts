import { isCsvFile } from '../../api/upload.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { chosenFilesMax } from './chosen-files.ts';
import { limitWords } from './file-limit.ts';

type Refusal = { title: string; text: string };

type Limits = {
  /** Number of further files that can be chosen. */
  room: number;
  /** Size of the largest file. */
  bytesMax: number;
};

/** Divides files into those that can be chosen and the reason why others cannot; null if all can. */
export function acceptedFiles(
  files: readonly File[],
  { room, bytesMax }: Limits,
): { accepted: File[]; refusal: Refusal | null } {
  const accepted: File[] = [];
  const refused: { file: File; refusal: Refusal }[] = [];
  for (const file of files) {
    const refusal = refusalOf(file, bytesMax);
    if (refusal === null) accepted.push(file);
    else refused.push({ file, refusal });
  }
  const [first] = refused;
  if (first === undefined) {
    if (accepted.length <= room) return { accepted, refusal: null };
    const text = `Only ${countOf(chosenFilesMax, 'file')} can be chosen at once. Upload these first.`;
    return { accepted: accepted.slice(0, room), refusal: { title: 'Too Many Files', text } };
  }
  if (files.length === 1) return { accepted, refusal: first.refusal };
  const others = refused.length === 1 ? '' : ` and ${formatCount(refused.length - 1)} more`;
  const text = `${first.file.name}${others} can’t be uploaded. ${first.refusal.text}`;
  return { accepted: accepted.slice(0, room), refusal: { title: first.refusal.title, text } };
}

/** Reason for refusing a file; null if it is accepted. */
function refusalOf(file: File, bytesMax: number): Refusal | null {
  if (!isCsvFile(file)) return { title: 'Invalid File Type', text: 'Please select a CSV file' };
  if (file.size <= bytesMax) return null;
  return {
    title: 'File Too Large',
    text: `${file.name} is larger than the ${limitWords(bytesMax)} limit. Split it into smaller files.`,
  };
}
