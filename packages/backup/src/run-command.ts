import { describeConnectError } from '@draftshelf/core/connection/connect-problem';
import { openDatabase } from '@draftshelf/core/connection/database';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { ConfigurationError, readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import type { z } from 'zod';
import type { BackupContext } from './back-up.ts';
import { BackupError } from './manifest.ts';

const BackupEnv = createEnvSchema('backup');

const interruptedCode = 130;

/** Runs a command, then exits with code 0, 1, or 130 if stopped. Stops when the parent of its IPC channel is gone. */
export async function runBackupCommand(
  command: (work: BackupContext, env: z.infer<typeof BackupEnv>) => Promise<string>,
): Promise<never> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new BackupError('Stopped. Nothing is left half done.'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  if (process.channel) process.on('disconnect', stop);
  const { signal } = stopping;
  try {
    const env = readEnv(BackupEnv, process.env);
    const database = openDatabase({
      connectionString: env.DATABASE_URL,
      applicationName: 'draftshelf-backup',
      poolMax: 2,
    });
    const report = (sentence: string) => console.log(sentence);
    const work = { database, storage: createObjectStorage(env), signal, report };
    report(await command(work, env).finally(() => database.close()));
    process.exit(0);
  } catch (error) {
    console.error(sentenceOf(signal.aborted ? signal.reason : error));
    process.exit(signal.aborted ? interruptedCode : 1);
  }
}

/** Returns an error's message, and for unexpected errors the stack, which helps to find the cause. */
function sentenceOf(error: unknown): string {
  if (error instanceof BackupError || error instanceof ConfigurationError) return error.message;
  const problem = describeConnectError(error);
  if (problem !== undefined) return problem;
  return `It failed: ${error instanceof Error ? error.stack : String(error)}`;
}

/** Returns the arguments of the command. Throws BackupError with `usage` if the folder is missing. */
export function readArguments(usage: string, options: readonly string[]) {
  const given = process.argv.slice(2);
  const folders = given.filter((one) => !one.startsWith('-'));
  const unknown = given.filter((one) => one.startsWith('-') && !options.includes(one));
  const [directory] = folders;
  if (directory === undefined || folders.length > 1 || unknown.length > 0) throw new BackupError(usage);
  return { directory, has: (option: string) => given.includes(option) };
}
