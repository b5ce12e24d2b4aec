import {
  findCredential,
  readCredential,
  readCredentialProblem,
  updateCredential,
} from '@draftshelf/core/access/credentials';
import type { SealingKeys } from '@draftshelf/core/access/sealing';
import { readSettings } from '@draftshelf/core/access/settings';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { oneDriveService } from '@draftshelf/core/folders/sign-ins';
import { type FileSource, FolderUnreadable } from '@draftshelf/folders/file-source';
import { type DriveEnv, openDrive } from '@draftshelf/folders/onedrive/open-drive';
import { SavedSignIn } from '@draftshelf/folders/onedrive/saved-sign-in';

const nobody = 'Nothing in OneDrive is watched until it is connected.';
const otherPlace =
  'The sign-in is for the simulated OneDrive and Microsoft’s is used now, or the reverse. Sign in again.';

/** Opens OneDrive. After a new sign-in, its tokens are used. Renewed tokens are saved unless a newer sign-in exists. */
export function openOneDrive(options: {
  db: OpenDatabase['db'];
  keys: SealingKeys | null;
  env: DriveEnv;
}): FileSource {
  let kept: OpenedDrive | undefined;
  const current = async (): Promise<FileSource> => {
    const saved = await findCredential(options.db, oneDriveService);
    if (!saved) throw new FolderUnreadable('setup', nobody);
    if (kept?.version !== saved.version) kept = await openCurrent(options);
    return kept.drive;
  };
  return {
    resolve: async (known, signal) => (await current()).resolve(known, signal),
    look: async (place, cursor, signal) => (await current()).look(place, cursor, signal),
    read: async (place, file, signal) => (await current()).read(place, file, signal),
    recheck: async (place, file, signal) => (await current()).recheck(place, file, signal),
    archive: async (place, file, name, signal) => (await current()).archive(place, file, name, signal),
    remove: async (place, file, signal) => (await current()).remove(place, file, signal),
    restore: async (place, find) => (await current()).restore(place, find),
  };
}

/** `version` is the version of the tokens. */
type OpenedDrive = { version: number; drive: FileSource };

async function openCurrent({ db, keys, env }: Parameters<typeof openOneDrive>[0]): Promise<OpenedDrive> {
  const saved = await readCredential(db, keys, oneDriveService);
  if (!saved || keys === null) {
    const detail = await readCredentialProblem(db, keys, oneDriveService);
    throw new FolderUnreadable('sign in', 'The saved sign-in can’t be read. Sign in again.', { detail });
  }
  const signIn = SavedSignIn.parse(saved.value);
  if (signIn.simulated !== (env.simulatorUrl !== null)) throw new FolderUnreadable('sign in', otherPlace);
  const drive = openDrive(env, signIn, {
    folder: async () => (await readSettings(db)).oneDriveFolder,
    async save(changed) {
      const { version } = opened;
      const after = await updateCredential(db, keys, { service: oneDriveService, value: changed, version });
      if (after !== null) opened.version = after;
      return after !== null;
    },
  });
  const opened = { version: saved.version, drive };
  return opened;
}
