import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { EnvSource } from '@draftshelf/runtime/env';
import { backupsDir } from './data-layout.ts';
import { readIfThere, writeDurably } from './durable-file.ts';
import { launchNode } from './launch.ts';
import { runToEnd } from './run-to-end.ts';
import { systemEnv } from './system-env.ts';

type Options = { root: string; source: EnvSource; report: (text: string) => void };

/**
 * Brings the schema of a database up to date as its owner, lets the role of the apps' address use it, and seals
 * credentials of earlier versions again. Throws StartError with its output if that fails.
 */
export function migrateDatabase(
  options: Options,
  { owner, app, keys }: { owner: string; app: string | undefined; keys: EnvSource },
): Promise<string> {
  return runOn(options, owner, {
    what: 'the migration of the database',
    script: 'packages/queues/src/migrate-main.ts',
    env: { ...keys, APP_DATABASE_URL: app },
  });
}

/**
 * Copies an embedded database into `backups` of its data directory before migrations are applied to its data, and keeps
 * the newest copies (docs/why/operate.md). Throws StartError if that fails; the database is not migrated then.
 */
export async function copyBeforeMigration(
  options: Options,
  { url, dataDir }: { url: string; dataDir: string },
): Promise<void> {
  if ((await readIfThere(noteFile(dataDir))) === (await migrationFiles(options.root))) return;
  const output = await runOn(options, url, {
    what: 'the copy of the database before its migration',
    script: 'packages/backup/src/before-migration-main.ts',
    args: [backupsDir(dataDir)],
  });
  if (output !== '') options.report(output);
}

/** Notes the migrations that are applied, so that the next start need not ask the database. */
export async function noteMigrations(root: string, dataDir: string): Promise<void> {
  const names = await migrationFiles(root);
  if ((await readIfThere(noteFile(dataDir))) !== names) await writeDurably(noteFile(dataDir), names);
}

const noteFile = (dataDir: string) => path.join(dataDir, 'migrations');

async function migrationFiles(root: string): Promise<string> {
  const names = await readdir(path.join(root, 'packages/core/src/migrations'));
  return `${names.toSorted().join('\n')}\n`;
}

async function runOn(
  { root, source }: Options,
  url: string,
  { what, script, args, env }: { what: string; script: string; args?: readonly string[]; env?: EnvSource },
): Promise<string> {
  return runToEnd({
    what,
    launch: launchNode(path.join(root, script), args),
    cwd: root,
    env: { ...systemEnv(source), ...env, DATABASE_URL: url },
  });
}
