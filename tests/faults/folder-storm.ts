import { createHash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { saveSettings } from '@draftshelf/core/access/settings';
import { findWatchSource, requestLook } from '@draftshelf/core/folders/sources';
import type { AppProcess } from '../support/app-process.ts';
import { until } from '../support/fixture.ts';
import type { Stack } from '../support/stack.ts';
import { fileOf } from '../support/watched-folder.ts';

type StormSizes = {
  files: number;
  /** Kills of one of the two workers. */
  kills: number;
  /** How long the other one is frozen, in ms. */
  frozenMs: number;
};

/** Longest time until the next file is taken, whatever was killed. */
const progressMsMax = 300_000;

/**
 * Two folder workers take files and move them to Archive, while one is killed with -9 again and again, and the other
 * one is frozen for long enough to lose its tasks. Some files are replaced after they were taken. Returns everything
 * that is wrong: each version must be imported once, whole, and lie in Archive.
 */
export async function runFolderStorm(stack: Stack, sizes: StormSizes): Promise<string[]> {
  const { database, watchFolder } = stack;
  const { db } = database;
  await saveSettings(db, { oneDriveEnabled: true, watchFrequency: '5', moveToArchive: true });
  await until('the empty folder was looked at', async () => {
    await requestLook(db, 'local', 1_000);
    return (await findWatchSource(db, 'local'))?.looked_at != null;
  });
  const expected = new Map<string, string>();
  const write = async (name: string, version: number) => {
    const text = fileOf(`${name} v${version}`, 3 + version);
    expected.set(`${name} ${hashOf(text)}`, text);
    await writeFile(join(watchFolder, '.sending'), text);
    await rename(join(watchFolder, '.sending'), join(watchFolder, name));
  };
  for (let nth = 1; nth <= sizes.files; nth += 1) await write(`file-${nth}.csv`, 1);

  const frozen = await stack.startAnother('folder-worker');
  const count = async () => {
    await requestLook(db, 'local', 1_000);
    const { rows } = await database.pool.query<{ taken: number; settled: number }>(
      `select (count(*) filter (where state = 'taken'))::int as taken,
         (count(*) filter (where state = 'taken' and option <> 'due'))::int as settled from watched_files`,
    );
    return rows[0] ?? { taken: 0, settled: 0 };
  };
  await until('a file is taken', async () => (await count()).taken > 0, progressMsMax);
  const thawing = freeze(frozen, sizes.frozenMs);
  for (let nth = 1; nth <= sizes.kills; nth += 1) {
    const reached = Math.floor((sizes.files * nth) / (sizes.kills + 1));
    await until(`${reached} files are taken`, async () => (await count()).taken >= reached, progressMsMax);
    const killed = stack.process('folder-worker');
    killed.kill('SIGKILL');
    await killed.ended;
    // A supplier sends a file again that may be about to be moved.
    await write(await takenOnce(stack), 2);
    await stack.start('folder-worker');
  }
  await thawing;
  await until(
    'all versions are taken, and moved or left',
    async () => {
      const { taken, settled } = await count();
      return taken >= expected.size && settled >= expected.size;
    },
    progressMsMax,
  ).catch(() => {});
  const wrong = await differences(stack, expected);
  if (wrong.length > 0) await explain(stack, wrong, frozen);
  return wrong;
}

/** The name of a file of which one version was taken, and no other one is there. */
async function takenOnce({ database }: Stack): Promise<string> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select name from watched_files group by name
     having count(*) = 1 and bool_and(state = 'taken') order by max(changed_at) desc limit 1`,
  );
  if (!rows[0]) throw new Error('No file was taken');
  return rows[0].name;
}

/** Stops a process like a virtual machine that is suspended. */
async function freeze(process: AppProcess, ms: number): Promise<void> {
  process.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, ms));
  process.kill('SIGCONT');
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Prints the rows of the files that something is wrong with, their place, and what the running workers have logged. */
async function explain({ database, ...stack }: Stack, wrong: readonly string[], frozen: AppProcess) {
  const { rows: files } = await database.pool.query(
    `select file.id, name, file.version, file.state, option, file.reason, attempts, claim, not_before,
       file.changed_at, imports.status as import from watched_files file left join imports on imports.id = import_id
     where name = any($1) order by file.id`,
    [wrong.map((sentence) => sentence.split(' ')[0])],
  );
  const { rows: places } = await database.pool.query(
    'select state, trouble, failures, blocked_until, look, look_until, next_look_at, now() from watch_sources',
  );
  const logs = [stack.process('folder-worker'), frozen].map((worker) => worker.output());
  console.log([...files, ...places].map((row) => JSON.stringify(row)).join('\n'), ...logs);
}

async function differences(stack: Stack, expected: ReadonlyMap<string, string>): Promise<string[]> {
  const { database, watchFolder } = stack;
  const wrong: string[] = [];
  const { rows: imports } = await database.pool.query<{ filename: string; sha256: string; products: number }>(
    'select filename, sha256, total_products as products from import_records',
  );
  const times = new Map<string, number>();
  for (const { filename, sha256 } of imports) {
    const key = `${filename} ${sha256}`;
    times.set(key, (times.get(key) ?? 0) + 1);
    if (!expected.has(key)) wrong.push(`${filename} was imported with other bytes`);
  }
  const { rows: files } = await database.pool.query<{
    name: string;
    state: string;
    option: string;
    sha256: string;
  }>('select name, state, option, sha256 from watched_files');
  for (const [key, text] of expected) {
    const imported = times.get(key) ?? 0;
    if (imported === 1) continue;
    const [name] = key.split(' ');
    const seen = files.filter((file) => file.name === name).map(({ state, option }) => `${state} ${option}`);
    wrong.push(`${name} with ${text.length} bytes has ${imported} imports: ${seen.join(', ')}`);
  }
  const entries = await readdir(watchFolder, { recursive: true, withFileTypes: true });
  const moved = new Set<string>();
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const text = await readFile(join(parentPath, name), 'utf8');
    moved.add(hashOf(text));
    if (parentPath !== join(watchFolder, 'Archive')) wrong.push(`${name} was not moved`);
  }
  for (const { name, option, sha256 } of files) {
    if (option === 'archived' && !moved.has(sha256)) wrong.push(`${name} is not in Archive`);
    if (option === 'due') wrong.push(`${name} is still to be moved`);
    if (option === 'kept') wrong.push(`${name} was kept`);
  }
  return wrong;
}
