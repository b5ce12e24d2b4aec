import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '@draftshelf/runtime/env';
import { openDataServices } from './data-services.ts';
import { launchNode } from './launch.ts';
import { StartError } from './start-error.ts';
import { ProgramError } from './supervisor.ts';

// npm run backup and npm run restore: opens the services and runs the command on them.

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const report = (text: string) => console.error(text);
const [first, ...rest] = process.argv.slice(2);
const command = first === 'restore' ? 'restore' : 'backup';
// npm runs scripts in the root; a folder is named from where the operator is.
const from = process.env.INIT_CWD ?? process.cwd();
const args = rest.map((one) => (one.startsWith('-') ? one : path.resolve(from, one)));

const interruptedCode = 130;
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

async function run(): Promise<number> {
  const services = await openDataServices({ root, source: process.env, report, command });
  try {
    if (stopping.signal.aborted) return interruptedCode;
    return await runOn(services.env);
  } finally {
    await services.stop();
  }
}

/** Runs the command in a process group of its own: a Ctrl-C in the terminal reaches only this process. */
async function runOn(env: Record<string, string | undefined>): Promise<number> {
  const launch = launchNode(path.join(root, `packages/backup/src/${command}-main.ts`), args);
  const child = spawn(launch.command, launch.args, {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  stopping.signal.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  const isExplained =
    error instanceof ConfigurationError || error instanceof StartError || error instanceof ProgramError;
  report(isExplained ? error.message : String(error instanceof Error ? error.stack : error));
  process.exitCode = 1;
}
// What is left, such as a channel, must not keep it running.
process.exit();
