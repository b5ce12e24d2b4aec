import path from 'node:path';
import { deriveAllSealingKeys, listKeyIds } from '@draftshelf/core/access/sealing';
import { restore } from './restore.ts';
import { readArguments, runBackupCommand } from './run-command.ts';

const withoutKey = '--without-key';

await runBackupCommand(async (work, env) => {
  const { directory, has } = readArguments('Name the folder of a backup: npm run restore -- DIR', [
    withoutKey,
  ]);
  const sealingKeys = has(withoutKey) ? null : listKeyIds(deriveAllSealingKeys(env));
  const { takenAt } = await restore(path.resolve(directory), { ...work, sealingKeys });
  return `The backup of ${takenAt} is restored. Start Draftshelf; everybody has to sign in again.`;
});
