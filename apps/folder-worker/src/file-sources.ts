import { createLocalFolder } from '@draftshelf/folders/local/local-folder';
import type { readConfig } from './config.ts';
import type { FileSources } from './parts.ts';

/** The folders that this process watches, as its environment names them. A further kind is added here. */
export function fileSourcesOf(env: ReturnType<typeof readConfig>): FileSources {
  const { WATCH_FOLDER: folder, FOLDER_SETTLE_MS: settleMs } = env;
  return folder === undefined ? {} : { local: createLocalFolder({ folder, settleMs }) };
}
