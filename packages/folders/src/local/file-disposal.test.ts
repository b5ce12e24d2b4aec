import fs, {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { FolderUnreadable, hashFileVersion, type KnownFile } from '../file-source.ts';
import { asideFolder } from './file-disposal.ts';
import { createLocalFolder } from './local-folder.ts';
import { deepFolder } from './testing/deep-folder.ts';

const { signal } = new AbortController();
const archived = 'prices (2026-11-21 031405).csv';
const read = 'Title\nVase\n';
const newer = 'Title,Price\nVase,9\nCup,3\n';

let folder: string;
let file: KnownFile;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'draftshelf-options-'));
  await writeFile(join(folder, 'prices.csv'), read);
  file = await onlyFile();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const source = () => createLocalFolder({ folder, settleMs: 10_000 });

async function onlyFile(): Promise<KnownFile> {
  const { files } = await source().look(await source().resolve(null, signal), null, signal);
  if (!files[0] || files.length > 1) throw new Error('There is not exactly one file');
  return files[0];
}

const archive = async () => source().archive(await source().resolve(null, signal), file, archived, signal);
const remove = async () => source().remove(await source().resolve(null, signal), file, signal);

/** All files below the folder with their contents. */
async function contents(): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const;
    }),
  );
  return Object.fromEntries(read);
}

const path = (...parts: string[]) => join(folder, ...parts);
const aside = () => path(asideFolder, `${hashFileVersion(file)}-000000000000`);

/** What an interrupted call leaves behind, in the order of its steps. */
const points: Record<string, () => Promise<void>> = {
  'nothing was done': async () => {},
  'the folder for files that are put aside was made': async () => void (await mkdir(path(asideFolder))),
  'the file was put aside': async () => {
    await mkdir(path(asideFolder));
    await rename(path('prices.csv'), aside());
  },
};
const archivePoints: typeof points = {
  ...points,
  'the archive was made': async () => {
    await points['the file was put aside']?.();
    await mkdir(path('Archive'));
  },
  'the file has both names': async () => {
    await archivePoints['the archive was made']?.();
    await link(aside(), path('Archive', archived));
  },
  'the file is in the archive': async () => {
    await archivePoints['the file has both names']?.();
    await unlink(aside());
  },
};
const deletePoints: typeof points = {
  ...points,
  'the file was deleted': async () => {
    await points['the file was put aside']?.();
    await unlink(aside());
  },
};

test.each(Object.entries(archivePoints))('a move is completed after: %s', async (_name, interrupt) => {
  await interrupt();
  expect(await archive()).toEqual({ is: 'done', newKey: `Archive/${archived}` });
  expect(await contents()).toEqual({ [`Archive/${archived}`]: read });
  expect(await archive()).toEqual({ is: 'done', newKey: `Archive/${archived}` });
  expect(await contents()).toEqual({ [`Archive/${archived}`]: read });
});

test.each(Object.entries(archivePoints))('a newer file stays after: %s', async (_name, interrupt) => {
  await interrupt();
  await writeFile(path('prices.csv'), newer);
  const moved = (await archive()).is === 'done';
  expect(await contents()).toEqual({
    'prices.csv': newer,
    ...(moved ? { [`Archive/${archived}`]: read } : {}),
  });
});

test.each(Object.entries(deletePoints))('a deletion is completed after: %s', async (name, interrupt) => {
  await interrupt();
  expect(await remove()).toEqual({ is: name === 'the file was deleted' ? 'gone' : 'done' });
  expect(await contents()).toEqual({});
  expect(await remove()).toEqual({ is: 'gone' });
});

test.each(Object.entries(deletePoints))('a newer file is not deleted after: %s', async (_name, interrupt) => {
  await interrupt();
  await writeFile(path('prices.csv'), newer);
  await remove();
  expect(await contents()).toEqual({ 'prices.csv': newer });
});

test('what was written in the last moment goes back, also if its name is used again', async () => {
  await mkdir(path(asideFolder));
  await rename(path('prices.csv'), aside());
  await writeFile(aside(), newer);
  expect(await archive()).toEqual({ is: 'changed' });
  expect(await contents()).toEqual({ 'prices.csv': newer });
  await rename(path('prices.csv'), aside()).catch(async () => {
    await mkdir(path(asideFolder));
    await rename(path('prices.csv'), aside());
  });
  await writeFile(path('prices.csv'), 'Title\nThird\n');
  expect(await remove()).toEqual({ is: 'changed' });
  expect(await contents()).toEqual({ 'prices.csv': 'Title\nThird\n', 'prices (2).csv': newer });
});

test('nothing in the archive is replaced', async () => {
  await mkdir(path('Archive'));
  await writeFile(path('Archive', archived), 'of somebody else');
  const second = 'prices (2026-11-21 031405) (2).csv';
  expect(await archive()).toEqual({ is: 'done', newKey: `Archive/${second}` });
  expect(await contents()).toEqual({
    [`Archive/${archived}`]: 'of somebody else',
    [`Archive/${second}`]: read,
  });
});

test('a file stays if Archive is not a folder', async () => {
  await writeFile(path('Archive'), '');
  expect(await archive()).toEqual({ is: 'kept', sentence: 'Archive is not a folder, so the file stayed.' });
  expect(await contents()).toEqual({ Archive: '', 'prices.csv': read });
});

test('two calls at once move a file once', async () => {
  const results = await Promise.all([archive(), archive(), archive()]);
  expect(results.map(({ is }) => is)).toContain('done');
  expect(await contents()).toEqual({ [`Archive/${archived}`]: read });
});

/** Does `then` each time that a call has made the folder `name`, or has found that it exists. */
function whenMade(name: string, then: () => Promise<void>): void {
  const make = fs.mkdir.bind(fs);
  const spy = vi.spyOn(fs, 'mkdir').mockImplementation(async (made, options) => {
    try {
      return await make(made, options);
    } finally {
      if (String(made) === path(name)) await then();
    }
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

const ownFolders = [
  { name: asideFolder, exists: false },
  { name: asideFolder, exists: true },
  { name: 'Archive', exists: false },
  { name: 'Archive', exists: true },
];

test.each(ownFolders)('a file is moved although others remove $name (before: $exists)', async (own) => {
  if (own.exists) await mkdir(path(own.name));
  let removals = 0;
  whenMade(own.name, async () => {
    removals += 1;
    if (removals <= 5) await rmdir(path(own.name));
  });
  expect(await archive()).toEqual({ is: 'done', newKey: `Archive/${archived}` });
  expect(await contents()).toEqual({ [`Archive/${archived}`]: read });
  expect(removals).toBe(6);
});

test.each([asideFolder, 'Archive'])('a file stays if others remove %s every time', async (name) => {
  whenMade(name, () => rmdir(path(name)));
  await expect(archive()).rejects.toThrow(FolderUnreadable);
  expect(await contents()).toEqual({ 'prices.csv': read });
});

test('a file whose drive is gone while it is moved is moved once the drive is back', async () => {
  let isAway = false;
  whenMade('Archive', async () => {
    if (!isAway) await rename(folder, `${folder}-away`);
    isAway = true;
  });
  await expect(archive()).rejects.toThrow(FolderUnreadable);
  await rename(`${folder}-away`, folder);
  expect(await archive()).toEqual({ is: 'done', newKey: `Archive/${archived}` });
  expect(await contents()).toEqual({ [`Archive/${archived}`]: read });
});

test('a file whose name is too long for Archive stays under its name', async () => {
  const long = `${'x'.repeat(240)}.csv`;
  await rename(path('prices.csv'), path(long));
  const place = await source().resolve(null, signal);
  const tooLong = `${'x'.repeat(240)} (2026-11-21 031405).csv`;
  const disposal = await source().archive(place, await onlyFile(), tooLong, signal);
  expect(disposal).toEqual({
    is: 'kept',
    sentence: 'Its path would be too long, so the file stayed.',
  });
  expect(await contents()).toEqual({ [long]: read });
});

/** Puts back what `found` of the marks of files left aside. */
const restore = async (found: KnownFile[]) => {
  const seen: string[] = [];
  await source().restore(await source().resolve(null, signal), async (marks) => {
    seen.push(...marks);
    return found;
  });
  return seen;
};

test.each(Object.entries(points))('a file goes back under its name after: %s', async (name, interrupt) => {
  await interrupt();
  const isAside = name === 'the file was put aside';
  expect(await restore([])).toEqual(isAside ? [hashFileVersion(file)] : []);
  expect(Object.values(await contents())).toEqual([read]);
  for (let times = 0; times < 2; times += 1) await restore([file]);
  expect(await contents()).toEqual({ 'prices.csv': read });
  expect(await onlyFile()).toEqual(file);
  expect(await readdir(folder)).toEqual(['prices.csv']);
});

test('a way back that was interrupted is completed, and nothing of the same name is replaced', async () => {
  await points['the file was put aside']?.();
  await link(aside(), path('prices.csv'));
  await restore([file]);
  expect(await contents()).toEqual({ 'prices.csv': read });

  await points['the file was put aside']?.();
  await writeFile(path('prices.csv'), newer);
  await restore([file]);
  expect(await contents()).toEqual({ 'prices.csv': newer, 'prices (2).csv': read });
});

test('a file stays if a supplier’s file has the name of the folder for files that are put aside', async () => {
  await writeFile(path(asideFolder), 'of a supplier');
  const kept = { is: 'kept', sentence: '.draftshelf is not a folder, so the file stayed.' };
  expect(await archive()).toEqual(kept);
  expect(await remove()).toEqual(kept);
  expect(await restore([file])).toEqual([]);
  expect(await contents()).toEqual({ '.draftshelf': 'of a supplier', 'prices.csv': read });
});

test('a file whose path in Archive would be too long stays under its name', async () => {
  const root = folder;
  folder = await deepFolder(root, 4_000);
  try {
    const long = `${'x'.repeat(70)}.csv`;
    await writeFile(path(long), read);
    const place = await source().resolve(null, signal);
    const archived = `${'x'.repeat(70)} (2026-11-21 031405).csv`;
    const disposal = await source().archive(place, await onlyFile(), archived, signal);
    expect(disposal).toEqual({ is: 'kept', sentence: 'Its path would be too long, so the file stayed.' });
    expect(await contents()).toEqual({ [long]: read });
    await source().remove(place, await onlyFile(), signal);
    expect(await contents()).toEqual({});
  } finally {
    folder = root;
  }
});
