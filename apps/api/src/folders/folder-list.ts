import { Folder } from '@draftshelf/contract/folders/folders';
import { readSettings } from '@draftshelf/core/access/settings';
import type { Db } from '@draftshelf/core/connection/database';
import { readFolders, type StoredFolder } from '@draftshelf/core/folders/shown-files';
import type { Settings } from '@draftshelf/domain/access/settings';
import { type FolderFacts, folderStateOf } from '@draftshelf/domain/folders/folder-state';
import { type FolderKind, folderTroubles, troubleActionOf } from '@draftshelf/domain/folders/folders';
import { createWireMapper } from '../http/wire-fields.ts';

/** Returns OneDrive's folder, and the local folder if the server has one. */
export async function listShownFolders(db: Db): Promise<Folder[]> {
  const folders = await readFolders(db);
  const settings = await readSettings(db);
  return folders.filter(isShown).map((folder) => toFolder(folder, settings));
}

/** Returns false for a stored local folder that the environment no longer sets, because no worker serves the folder. */
const isShown = ({ kind, place, state, trouble }: StoredFolder) =>
  kind === 'onedrive' || (state !== 'setup' && (place !== null || (trouble !== null && state !== 'off')));

export const findShownFolder = async (db: Db, kind: FolderKind): Promise<Folder | undefined> =>
  (await listShownFolders(db)).find(({ source }) => source === kind);

const folderFields = createWireMapper(Folder);

function toFolder(stored: StoredFolder, settings: Settings): Folder {
  const isLocal = stored.kind === 'local';
  const kind = folderTroubles.find((one) => one === stored.trouble_kind) ?? null;
  // A single network failure is stored as trouble, but shown only if it lasts.
  const isTold = stored.state === 'trouble' || stored.state === 'waiting' || kind === 'sign in';
  const facts: FolderFacts = {
    kind: stored.kind,
    isEnabled: settings.oneDriveEnabled,
    path: isLocal ? (stored.place?.path ?? null) : settings.oneDriveFolder.trim() || null,
    isSignedIn: stored.isSignedIn,
    state: stored.state,
    trouble: stored.trouble === null || !isTold ? null : { kind, sentence: stored.trouble },
    hasLooked: stored.looked_at !== null,
    workers: stored.workers,
  };
  const { state, badge, sentence } = folderStateOf(facts);
  const { counts } = stored;
  const isWatched = state === 'ok' || state === 'waiting' || state === 'trouble';
  return {
    ...folderFields(stored),
    ...{ source: stored.kind, state, badge, sentence, place: facts.path },
    account: stored.isSignedIn ? stored.account : null,
    lastLook: timestamp(stored.looked_at),
    nextLook: isWatched ? timestamp(stored.next_look_at) : null,
    trouble: troubleOf(stored, facts, sentence),
    files: counts.present,
    counts: { ...counts, waiting: counts.settling + counts.waiting + counts.taking },
    existing: stored.baseline === 'asked' && counts.existing > 0 ? { files: counts.existing } : null,
    held: counts.held > 0 ? { files: counts.held } : null,
  };
}

/** Returns the trouble to show. Null if there is none, or if the settings or the lack of a worker hide it. */
function troubleOf(stored: StoredFolder, facts: FolderFacts, sentence: string): Folder['trouble'] {
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
