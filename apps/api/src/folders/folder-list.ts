import type { Folder } from '@draftshelf/contract/folders/folders';
import { readSettings } from '@draftshelf/core/access/settings';
import type { Db } from '@draftshelf/core/connection/database';
import {
  noFiles,
  readFolders,
  type StoredFolder,
  type StoredFolders,
} from '@draftshelf/core/folders/shown-files';
import type { Settings } from '@draftshelf/domain/access/settings';
import { type FolderFacts, shownStateOf } from '@draftshelf/domain/folders/folder-state';
import { type FolderKind, folderTroubles, troubleActionOf } from '@draftshelf/domain/folders/folders';

/** Lists OneDrive always, the local folder only if the server has one. */
export async function listedFolders(db: Db): Promise<Folder[]> {
  const [stored, settings] = [await readFolders(db), await readSettings(db)];
  const known = stored.folders.some(({ kind }) => kind === 'onedrive') ? [] : [neverConnected];
  return [...stored.folders, ...known].filter(isShown).map((folder) => toFolder(folder, stored, settings));
}

/** A local folder of an earlier environment is stored, but no worker serves it. */
const isShown = ({ kind, place, state, trouble }: ShownFolder) =>
  kind === 'onedrive' || (state !== 'setup' && (place !== null || (trouble !== null && state !== 'off')));

export const listedFolder = async (db: Db, kind: FolderKind): Promise<Folder | undefined> =>
  (await listedFolders(db)).find(({ source }) => source === kind);

const neverConnected = {
  kind: 'onedrive',
  state: 'setup',
  place: null,
  trouble: null,
  trouble_kind: null,
  trouble_cause: null,
  trouble_since: null,
  can_write: null,
  account: null,
  simulated: false,
  baseline: 'asked',
  looked_at: null,
  next_look_at: null,
  blocked_until: null,
  changed_at: new Date(0),
  isLooking: false,
  counts: noFiles,
} satisfies Partial<StoredFolder>;

type ShownFolder = Pick<StoredFolder, keyof typeof neverConnected>;

function toFolder(stored: ShownFolder, { isSignedIn, workers }: StoredFolders, settings: Settings): Folder {
  const isLocal = stored.kind === 'local';
  const kind = folderTroubles.find((one) => one === stored.trouble_kind) ?? null;
  // A single failure of the network is stored, and shown only if it lasts.
  const isTold = stored.state === 'trouble' || stored.state === 'waiting' || kind === 'sign in';
  const facts: FolderFacts = {
    kind: stored.kind,
    isEnabled: settings.oneDriveEnabled,
    path: isLocal ? (stored.place?.path ?? null) : settings.oneDriveFolder.trim() || null,
    isSignedIn: isLocal || isSignedIn,
    state: stored.state,
    trouble: stored.trouble === null || !isTold ? null : { kind, sentence: stored.trouble },
    hasLooked: stored.looked_at !== null,
    workers,
  };
  const { state, badge, sentence } = shownStateOf(facts);
  const { counts } = stored;
  const isWatched = state === 'ok' || state === 'waiting' || state === 'trouble';
  return {
    source: stored.kind,
    ...{ state, badge, sentence },
    place: facts.path,
    isSignedIn: facts.isSignedIn,
    account: facts.isSignedIn ? stored.account : null,
    simulated: stored.simulated,
    canWrite: stored.can_write,
    lastLook: timestamp(stored.looked_at),
    nextLook: isWatched ? timestamp(stored.next_look_at) : null,
    isLooking: stored.isLooking,
    trouble: troubleOf(stored, facts, sentence),
    files: counts.present,
    counts: { ...counts, waiting: counts.settling + counts.waiting + counts.taking },
    existing: stored.baseline === 'asked' && counts.existing > 0 ? { files: counts.existing } : null,
    held: counts.held > 0 ? { files: counts.held } : null,
    workers,
  };
}

/** Null if the settings or a missing worker hide the trouble. */
function troubleOf(stored: ShownFolder, facts: FolderFacts, sentence: string): Folder['trouble'] {
  if (facts.trouble === null || facts.trouble.sentence !== sentence) return null;
  return {
    sentence,
    cause: stored.trouble_cause,
    since: (stored.trouble_since ?? stored.changed_at).toISOString(),
    action: troubleActionOf(facts.trouble.kind),
    until: timestamp(stored.blocked_until),
  };
}

const timestamp = (date: Date | null): string | null => date?.toISOString() ?? null;
