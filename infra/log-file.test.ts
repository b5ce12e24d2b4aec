import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';

const elevenMegabytes = `${'x'.repeat(11 * 1024 * 1024)}\n`;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'log-file-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Megabytes take a while on a busy machine. */
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });
const textOf = (file: string) => readFile(file, 'utf8').catch(() => '');

test('a full file is renamed and a new one is started', async () => {
  const log = openLogFile(path.join(directory, 'api.log'));
  log.write(elevenMegabytes);
  await poll(async () => (await textOf(log.file)).length).toBe(elevenMegabytes.length);
  log.write('after\n');
  await poll(() => textOf(log.file)).toBe('after\n');
  expect((await textOf(`${log.file}.1`)).length).toBe(elevenMegabytes.length);
});

test('a full file that was removed is created again, and so is one whose directory is gone', async () => {
  const log = openLogFile(path.join(directory, 'api.log'));
  log.write(elevenMegabytes);
  await poll(() => existsSync(log.file)).toBe(true);
  await rm(log.file);
  log.write('after\n');
  await poll(() => textOf(log.file)).toBe('after\n');
  log.write(elevenMegabytes);
  await rm(directory, { recursive: true });
  log.write('dropped\n');
  log.write('dropped\n');
});
