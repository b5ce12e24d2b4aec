import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { saveSettings } from '@draftshelf/core/access/settings';
import { findWatchSource, requestLook } from '@draftshelf/core/folders/sources';
import { type Fixture, until } from './fixture.ts';

type Database = Pick<Fixture, 'database'>;

/** Puts a file into a watched folder at once, as a program does that knows that somebody reads there. */
export async function dropFile(folder: string, name: string, text: string | Uint8Array): Promise<void> {
  const unfinished = join(folder, `.${name}.tmp`);
  await writeFile(unfinished, text);
  await rename(unfinished, join(folder, name));
}

/** Turns monitoring on and waits until the folder worker has looked at its folder. */
export async function beginWatching({ database: { db } }: Database): Promise<void> {
  await saveSettings(db, { oneDriveEnabled: true });
  await until('the first look', async () => {
    await askForLook({ database: { db } });
    return ((await findWatchSource(db, 'local'))?.looked_at ?? null) !== null;
  });
}

/** Asks for a look, because the shortest pause between two looks is minutes. */
export async function askForLook({ database: { db } }: { database: Pick<Fixture['database'], 'db'> }) {
  await requestLook(db, 'local', 0);
}
