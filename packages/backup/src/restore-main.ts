import path from 'node:path';
import { sealingKeyOf } from '@draftshelf/database/credentials/sealing';
import { restore } from './restore.ts';
import { readArguments, runCommand } from './run-command.ts';

const withoutKey = '--without-key';

await runCommand(async (work, { CREDENTIALS_KEY, CREDENTIALS_KEY_OLD }) => {
  const { directory, has } = readArguments('Name the folder of a backup: npm run restore -- DIR', [
    withoutKey,
  ]);
  const keys = [CREDENTIALS_KEY, CREDENTIALS_KEY_OLD].flatMap((key) => (key ? [sealingKeyOf(key).id] : []));
  const sealingKeys = has(withoutKey) ? null : keys;
  const { takenAt } = await restore(path.resolve(directory), { ...work, sealingKeys });
  return `The backup of ${takenAt} is restored. Start Draftshelf; everybody has to sign in again.`;
});
