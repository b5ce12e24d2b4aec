import type { SealingKeys } from '@draftshelf/core/access/sealing';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { createLocalFolder } from '@draftshelf/folders/local/local-folder';
import type { readConfig } from './config.ts';
import { driveEnvOf, openOneDrive } from './one-drive.ts';
import type { FileSources } from './parts.ts';

/** The folders that this process watches: the one that its environment names, and OneDrive once it is connected. */
export function fileSourcesOf(
  env: ReturnType<typeof readConfig>,
  { db, keys }: { db: OpenDatabase['db']; keys: SealingKeys | null },
): FileSources {
  const { WATCH_FOLDER: folder, FOLDER_SETTLE_MS: settleMs } = env;
  const onedrive = openOneDrive({ db, keys, env: driveEnvOf(env) });
  return folder === undefined ? { onedrive } : { local: createLocalFolder({ folder, settleMs }), onedrive };
}
