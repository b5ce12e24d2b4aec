import type { Folder, WatchedFile } from '@draftshelf/contract/folders';
import { countOf, formatMoment } from '../../lib/intl.ts';

/** The state of a folder in one line, with times: 'Looked at 08:30, 2 files waiting. Looks again at 09:00.' */
export function folderLine(folder: Folder, nowMs: number): string {
  const { state, sentence, lastLook, nextLook, trouble, counts, isLooking } = folder;
  if (trouble !== null) {
    return trouble.until === null ? sentence : `${sentence} Tries again at ${at(trouble.until, nowMs)}.`;
  }
  if (state !== 'ok' || lastLook === null) return isLooking ? `${sentence} Looking now.` : sentence;
  const waiting = counts.waiting === 0 ? '' : `, ${countOf(counts.waiting, 'file')} waiting`;
  return `Looked at ${at(lastLook, nowMs)}${waiting}. ${nextWords(nextLook, isLooking, nowMs)}`;
}

function nextWords(nextLook: string | null, isLooking: boolean, nowMs: number): string {
  if (isLooking) return 'Looking now.';
  if (nextLook === null || Date.parse(nextLook) <= nowMs) return 'Looks again in a moment.';
  return `Looks again at ${at(nextLook, nowMs)}.`;
}

const at = (time: string, nowMs: number) => formatMoment(time, nowMs);

/** Who is signed in, what is watched, and what to know of it. */
export function factsLine({ source, account, place, simulated, canWrite, isSignedIn }: Folder): string {
  const names = [isSignedIn ? account : null, place].filter((name) => name !== null);
  const notes = [
    ...(simulated && source === 'onedrive' ? ['This OneDrive is simulated on this machine.'] : []),
    ...(canWrite === false ? ['It’s read-only: files can’t be deleted or archived.'] : []),
  ].join(' ');
  return [names.join(' · '), notes].filter((part) => part !== '').join('. ');
}

/** What became of the files so far: '12 imported · 1 refused'. Empty: nothing has arrived. */
export function countsLine({ counts }: Folder): string {
  const parts: [number, string][] = [
    [counts.taken, 'imported'],
    [counts.same, 'with known content'],
    [counts.refused, 'refused'],
    [counts.failed, 'not read'],
    [counts.ignored, 'ignored'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${countOf(count, 'file')} ${words}`)
    .join(' · ');
}

/** The minutes that a code is still valid. */
export function minutesLeft(expiresAt: string, nowMs: number): string {
  const minutes = Math.ceil((Date.parse(expiresAt) - nowMs) / 60_000);
  return minutes <= 0 ? 'The code has expired.' : `Valid for another ${countOf(minutes, 'minute')}.`;
}

/** What Microsoft is asked to allow, by the file options. */
export const allowedWords = ({
  deleteAfterProcess,
  moveToArchive,
}: {
  deleteAfterProcess: boolean;
  moveToArchive: boolean;
}): string => (deleteAfterProcess || moveToArchive ? 'Read, move and delete files' : 'Read files');

/** The label of the button that has a file imported. */
export const takeWords = ({ state }: Pick<WatchedFile, 'state'>): string =>
  state === 'refused' || state === 'failed' ? 'Try Again' : 'Take It Anyway';

/** The question about files that were there at the first look, or that arrived all at once; null: there is none. */
export function questionWords({ existing, held }: Folder): string | null {
  if (existing !== null) {
    const files = existing.files + (held?.files ?? 0);
    return `${countOf(files, 'file')} ${files === 1 ? 'was' : 'were'} already there.`;
  }
  return held === null
    ? null
    : `${countOf(held.files, 'new file')} arrived at once. Nothing was imported yet.`;
}
