import { setTimeout as pause } from 'node:timers/promises';
import { getSettings } from '@draftshelf/contract/access/settings';
import { type Folder, listFolders, listWatchedFiles } from '@draftshelf/contract/folders/folders';
import { dropFile } from '../support/folder-steps.ts';
import type { Operator } from './operator.ts';

const askEveryMs = 500;
const waitMsMax = 120_000;

/**
 * Leaves imports behind that arrived by the watched folder, one of them with rows that need a review, and a file that
 * was refused. Monitoring is on meanwhile, and then as it was before.
 */
export async function fromFolder(operator: Operator, folder: string): Promise<void> {
  const { call } = operator;
  const { oneDriveEnabled, autoProcessMode } = getSettings.reply.parse(await call('GET', '/api/settings'));
  await call('POST', '/api/settings', { oneDriveEnabled: true, autoProcessMode: 'validate-only' });
  try {
    await watched(operator);
    // Other names and values at each run: a file of the same content begins no second import.
    const run = String(Date.now());
    const cents = run.slice(-2);
    const files: Record<string, string> = {
      [`monday-${run}.csv`]: `Title,Price,SKU\nTray,12.${cents},SEED-F1\nJug,9.90,SEED-F${run}\n`,
      [`tuesday-${run}.csv`]: `Title,Price,SKU\nBowl,7.${cents},SEED-F2\nCup,,SEED-F${run}\n`,
      [`hours-${run}.csv`]: `Opening hours ${run}\n`,
    };
    for (const [name, text] of Object.entries(files)) await dropFile(folder, name, text);
    await until('the files in the watched folder are read', () => areRead(operator, Object.keys(files)));
  } finally {
    await call('POST', '/api/settings', { oneDriveEnabled, autoProcessMode });
  }
}

/** Waits until the folder was looked at; files that were there before stay where they are. */
async function watched({ call }: Operator): Promise<void> {
  let folder: Folder | undefined;
  await until('the watched folder is read', async () => {
    folder = listFolders.reply
      .parse(await call('GET', '/api/folders'))
      .find(({ source }) => source === 'local');
    return folder?.state === 'ok' && folder.lastLook !== null;
  });
  if (folder?.existing) await call('POST', '/api/folders/local/existing', { action: 'ignore' });
}

/** Whether all files were read. Asks for looks until they are seen, which is refused right after a look. */
async function areRead({ call }: Operator, names: readonly string[]): Promise<boolean> {
  const { files } = listWatchedFiles.reply.parse(await call('GET', '/api/folders/local/files'));
  const dropped = files.filter(({ name }) => names.includes(name));
  if (dropped.length < names.length) {
    await call('POST', '/api/folders/local/look').catch(() => {});
    return false;
  }
  return dropped.every(({ state }) => !['settling', 'waiting', 'taking'].includes(state));
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + waitMsMax;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${waitMsMax / 1000} s: ${what}.`);
    await pause(askEveryMs);
  }
}
