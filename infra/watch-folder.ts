import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere, writeDurably } from './durable-file.ts';
import type { StartConfig } from './start-config.ts';

/** The folder whose files become imports. `sample`: a file to try it with; null: the operator has set the folder. */
export type WatchFolder = { folder: string; sample: string | null };

/** Another layout than that of the sample on screen, so that both can be tried. */
const sampleText = `Article,Description,Brand,Retail Price,EAN
GL-1001,Watering can 5 l,Gardenline,18.90,9521234510017
GL-1002,Plant pot terracotta 20 cm,Gardenline,9.50,9521234510024
GL-1003,Hand trowel ash wood,Gardenline,12.00,9521234510031
GL-1004,Garden twine 100 m,Gardenline,4.75,9521234510048
GL-1005,Pruning shears,Gardenline,24.90,9521234510055
`;

type Config = Pick<StartConfig, 'WATCH_FOLDER'>;

/** The folder that the configuration names, relative to `root`; else `watched` in the data directory. */
export function watchFolderOf(root: string, { WATCH_FOLDER }: Config, dataDir: string): string {
  return WATCH_FOLDER === undefined ? path.join(dataDir, 'watched') : path.resolve(root, WATCH_FOLDER);
}

/** The folder that is watched. That in the data directory is created, with the sample beside it. */
export async function openWatchFolder(root: string, config: Config, dataDir: string): Promise<WatchFolder> {
  const folder = watchFolderOf(root, config, dataDir);
  if (config.WATCH_FOLDER !== undefined) return { folder, sample: null };
  await mkdir(folder, { recursive: true });
  const sample = path.join(dataDir, 'sample.csv');
  if ((await readIfThere(sample)) === undefined) await writeDurably(sample, sampleText, 0o644);
  return { folder, sample };
}
