import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepHealthFile } from './health-file.ts';
import { createLogger } from './logger.ts';

const logger = createLogger({ name: 'test', level: 'silent', pretty: false });
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'draftshelf-health-'));
});
afterEach(() => rm(dir, { recursive: true }));

test('the file exists while all checks succeed, and is removed by stop', async () => {
  const asked: string[] = [];
  const checks = ['a', 'b'].map((name) => ({ asked: name, ask: async () => asked.push(name) }));
  const health = await keepHealthFile({ path: join(dir, 'healthy'), checks, logger });
  expect(asked).toEqual(['a', 'b']);
  expect(await readdir(dir)).toEqual(['healthy']);
  await health.stop();
  expect(await readdir(dir)).toEqual([]);
});

test('one failed check is enough for no file', async () => {
  const checks = [
    { asked: 'a', ask: async () => {} },
    { asked: 'b', ask: () => Promise.reject(new Error('away')) },
  ];
  const health = await keepHealthFile({ path: join(dir, 'healthy'), checks, logger });
  expect(await readdir(dir)).toEqual([]);
  await health.stop();
});

test('a path that cannot be written to fails at the start', async () => {
  const path = join(dir, 'missing', 'healthy');
  await expect(keepHealthFile({ path, checks: [], logger })).rejects.toThrow('ENOENT');
});
