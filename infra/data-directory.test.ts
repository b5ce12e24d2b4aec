import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from './data-directory.ts';
import { tryKernelLock } from './kernel-lock.ts';

async function emptyDirectory(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'draftshelf-data-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
}

test.each(['', '{"pid":', '\0\0\0\0', '{"pid":"1"}', 'null'])(
  'a lock that contains %j is stale',
  async (text) => {
    const dir = await emptyDirectory();
    await writeFile(path.join(dir, 'lock'), text);
    const held = await openDataDirectory(dir, () => {});
    expect(JSON.parse(await readFile(path.join(dir, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
    await held.release();
  },
);

test('a lock of a running process holds', async () => {
  const dir = await emptyDirectory();
  const held = await openDataDirectory(dir, () => {});
  await expect(openDataDirectory(dir, () => {})).rejects.toThrow(
    `in use by another instance (process ${process.pid})`,
  );
  await held.release();
  await (await openDataDirectory(dir, () => {})).release();
});

test('a lock of another container holds while its process runs, whatever runs here under its pid', async () => {
  const dir = await emptyDirectory();
  const lock = path.join(dir, 'lock');
  // As a container writes it in which this process has the same pid.
  const elsewhere = JSON.stringify({ pid: process.pid, startedAt: '1', place: 'elsewhere', stopping: false });
  await writeFile(lock, elsewhere);
  const other = await tryKernelLock(`${lock}.kernel`);
  if (typeof other !== 'object') return expect(process.platform).not.toBe('linux');
  await expect(openDataDirectory(dir, () => {})).rejects.toThrow('in another container or machine');
  other.release();
  await (await openDataDirectory(dir, () => {})).release();
});
