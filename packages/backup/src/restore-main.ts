import path from 'node:path';
import { listKeyIds, sealingKeysOf } from '@draftshelf/core/access/sealing';
import { restore } from './restore.ts';
import { readArguments, runCommand } from './run-command.ts';

const withoutKey = '--without-key';

await runCommand(async (work, env) => {
  const { directory, has } = readArguments('Name the folder of a backup: npm run restore -- DIR', [
    withoutKey,
  ]);
  const sealingKeys = has(withoutKey) ? null : listKeyIds(sealingKeysOf(env));
  const { takenAt } = await restore(path.resolve(directory), { ...work, sealingKeys });
  return `The backup of ${takenAt} is restored. Start Draftshelf; everybody has to sign in again.`;
});
