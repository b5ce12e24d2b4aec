import type { Folder, SignIn, WatchedFile } from '@draftshelf/contract/folders/folders';
import { countOf, formatDue, formatMoment, joinWords } from '../../lib/intl.ts';

/** 'Checked at 08:30, 2 files waiting. Checks again at 09:00.' */
export function folderLine(folder: Folder, nowMs: number): string {
  const { state, sentence, lastLook, nextLook, trouble, counts, isLooking } = folder;
  if (trouble !== null) {
    if (trouble.until === null || trouble.action === 'sign in') return sentence;
    return `${sentence.replace(/ It is tried again\.$/, '')} Tries again ${formatDue(trouble.until, nowMs)}.`;
  }
  if (state !== 'ok' || lastLook === null) return isLooking ? `${sentence} Checking now.` : sentence;
  const waiting = counts.waiting === 0 ? '' : `, ${countOf(counts.waiting, 'file')} waiting`;
  return `Checked at ${formatMoment(lastLook, nowMs)}${waiting}. ${nextWords(nextLook, isLooking, nowMs)}`;
}

function nextWords(nextLook: string | null, isLooking: boolean, nowMs: number): string {
  if (isLooking) return 'Checking now.';
  return `Checks again ${nextLook === null ? 'in a moment' : formatDue(nextLook, nowMs)}.`;
}

const readOnlyWords = {
  local: 'It’s read-only: files can’t be deleted or archived.',
  onedrive:
    'The sign-in allows reading only. To delete or archive files, turn that on, save, and sign in again.',
} as const satisfies Record<Folder['source'], string>;

const hasSignInEnded = ({ trouble }: Pick<Folder, 'trouble'>): boolean => trouble?.action === 'sign in';

export function factsLine(folder: Folder): string {
  const { source, account, place, simulated, canWrite, isSignedIn } = folder;
  const names = [isSignedIn ? account : null, place].filter((name) => name !== null);
  const notes = [
    ...(simulated && source === 'onedrive' ? ['This OneDrive is simulated on this machine.'] : []),
    ...(canWrite === false && isSignedIn && !hasSignInEnded(folder) ? [readOnlyWords[source]] : []),
  ].join(' ');
  return joinWords([names.join(' · '), notes], '. ');
}

/** '12 imported · 1 refused'; empty if nothing has arrived. */
export function countsLine({ counts, existing }: Folder): string {
  const parts: [number, string][] = [
    [counts.taken, 'imported'],
    [counts.same, 'with known content'],
    [counts.refused, 'refused'],
    [counts.failed, 'not read'],
    [counts.ignored - (existing?.files ?? 0), 'ignored'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${countOf(count, 'file')} ${words}`)
    .join(' · ');
}

export function minutesLeft(expiresAt: string, nowMs: number): string {
  const minutes = Math.ceil((Date.parse(expiresAt) - nowMs) / 60_000);
  return minutes <= 0 ? 'The code has expired.' : `Valid for another ${countOf(minutes, 'minute')}.`;
}

export const allowedWords = ({
  deleteAfterProcess,
  moveToArchive,
}: {
  deleteAfterProcess: boolean;
  moveToArchive: boolean;
}): string => (deleteAfterProcess || moveToArchive ? 'Read, move and delete files' : 'Read files');

export const takeWords = ({ state }: Pick<WatchedFile, 'state'>): string =>
  state === 'refused' || state === 'failed' ? 'Try Again' : 'Import It';

/** The question about files that were there at first or arrived all at once; null: there is none. */
export function questionWords({
  existing,
  held,
}: Pick<Folder, 'existing' | 'held'>): { text: string; take: string; leave: string } | null {
  const files = (existing?.files ?? 0) + (held?.files ?? 0);
  if (files === 0) return null;
  const them = files === 1 ? 'It' : 'Them';
  const text =
    existing !== null
      ? `${countOf(files, 'file')} ${files === 1 ? 'was' : 'were'} there before watching began.`
      : `${countOf(files, 'new file')} arrived${files === 1 ? '' : ' at once'}. Nothing was imported yet.`;
  return { text, take: `Import ${them}`, leave: `Leave ${them}` };
}

/** An app registration may read a site, so no user is signed in. `way` is unknown after a failed sign-in. */
export function signedInWords(
  { account, trouble }: Pick<Folder, 'account' | 'trouble'>,
  way: SignIn['way'] | undefined,
): string {
  const hasEnded = hasSignInEnded({ trouble });
  if (account === null) return hasEnded ? 'The sign-in has ended.' : 'Signed in.';
  const isApp = way === 'app' || account.startsWith('https://');
  if (hasEnded) return `The ${isApp ? 'connection to' : 'sign-in of'} ${account} has ended.`;
  return `${isApp ? 'Connected to' : 'Signed in as'} ${account}.`;
}
