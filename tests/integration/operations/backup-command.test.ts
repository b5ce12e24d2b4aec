import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { backUp } from '@draftshelf/backup/back-up';
import type { Manifest } from '@draftshelf/backup/manifest';
import { restore } from '@draftshelf/backup/restore';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { openEmptyInstallation, workOn } from '../../support/empty-installation.ts';
import { fixtureEnv, lockWaiters, productCsv, storedImport, until } from '../../support/fixture.ts';
import { test } from '../../support/test.ts';

const main = fileURLToPath(new URL('../../../infra/backup-main.ts', import.meta.url));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'draftshelf-backup-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));
const folder = (name: string) => path.join(directory, name);

/** What `npm run backup` and `npm run restore` run, with this environment only. */
function start(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, INIT_CWD: directory, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(args: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = start(args, env);
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('It has no output');
  const [[code], output, errors] = await Promise.all([once(child, 'exit'), text(stdout), text(stderr)]);
  return { code, output: output + errors };
}

/** What two backups of the same content have in common. */
async function contentOf(name: string): Promise<unknown> {
  const { migrations, tables, objects }: Manifest = JSON.parse(
    await readFile(path.join(folder(name), 'manifest.json'), 'utf8'),
  );
  // A restore publishes chunks again and ends syncs.
  const kept = tables.filter((table) => !['chunks', 'backups'].includes(table.name));
  return {
    migrations,
    tables: kept.map((table) => [table.name, table.rows, table.file.sha256]),
    objects: objects.map((object) => [object.key, object.file.sha256]),
  };
}

test('a backup moves from own services to the embedded ones and back, and is the same', async ({
  fixture,
}) => {
  await storedImport(fixture, { csv: productCsv(3) });
  await backUp(folder('one'), workOn(fixture));
  const embedded = { DATA_DIR: folder('data') };
  const restored = await run(['restore', 'one'], embedded);
  expect(restored.output).toContain('is restored. Start Draftshelf; everybody has to sign in again.');
  expect(restored.code).toBe(0);
  const made = await run(['backup', 'two'], embedded);
  expect(made.output).toMatch(/The backup is complete: .*\/two has \d+ tables and 1 file /);
  expect(made.code).toBe(0);
  expect(await contentOf('two')).toEqual(await contentOf('one'));

  const other = await openEmptyInstallation();
  onTestFinished(other.close);
  await restore(folder('two'), { ...workOn(other), sealingKeys: [] });
  await backUp(folder('three'), workOn(other));
  expect(await contentOf('three')).toEqual(await contentOf('one'));
});

test('Ctrl-C ends a backup with 130 and leaves no folder', async ({ fixture }) => {
  // A table that somebody has locked: the backup waits for it in the middle.
  const holder = await fixture.database.pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query('set idle_in_transaction_session_timeout = 0');
  await holder.query('begin; lock table settings in access exclusive mode');
  const child = start(['backup', 'stopped'], fixtureEnv(fixture));
  const ended = once(child, 'exit');
  await until('the backup waits', async () => (await lockWaiters(fixture)) > 0);
  expect(await readdir(directory)).toContain('stopped');
  child.kill('SIGINT');
  expect((await ended)[0]).toBe(130);
  expect(await readdir(directory)).not.toContain('stopped');
});

test('without data it says what to do', async () => {
  const empty = await run(['backup', 'nothing'], { DATA_DIR: folder('none') });
  expect(empty.output).toContain('has no database, so there is nothing to back up. Set DATA_DIR.');
  expect(empty.code).toBe(1);
});
