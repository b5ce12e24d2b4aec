import path from 'node:path';
import { countOf } from '@draftshelf/domain/base/format';
import { backUp } from './back-up.ts';
import { formatTotalSize } from './manifest.ts';
import { readArguments, runBackupCommand } from './run-command.ts';

await runBackupCommand(async (work) => {
  const { directory } = readArguments('Name a new folder for the backup: npm run backup -- DIR', []);
  const { tables, objects, version } = await backUp(path.resolve(directory), work);
  const size = formatTotalSize([...tables, ...objects]);
  return `The backup is complete: ${directory} has ${countOf(tables.length, 'table')} and ${countOf(objects.length, 'file')} (${size}) of version ${version}. Keep the sealing key elsewhere: it is not in the backup.`;
});
