import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '@draftshelf/runtime/env';
import { watchAncestors } from './ancestors.ts';
import { startProduct } from './start.ts';
import { startBanner } from './start-banner.ts';
import { StartError } from './start-error.ts';
import { ProgramError } from './supervisor.ts';

/** A second Ctrl-C after this long kills what still runs. A sooner one is npm passing on the first. */
const forceQuitAfterMs = 1000;

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
// Writing to a closed terminal fails; that must not prevent an orderly stop.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
const report = (text: string) => console.error(text);

const isDev = process.argv.includes('--dev');
const product = startProduct({ root, source: process.env, report, isDev });
let stoppingSince: number | undefined;

async function stop(cause: string, exitCode: number): Promise<void> {
  if (stoppingSince !== undefined) {
    if (cause === 'SIGINT' && performance.now() - stoppingSince > forceQuitAfterMs) process.exit(1);
    return;
  }
  stoppingSince = performance.now();
  report(`Stopping (${cause}) …`);
  await product.stop();
  process.exit(exitCode);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal, 0));
watchAncestors((command) => void stop(`"${command}" is gone`, 1));

try {
  const started = await product.started;
  console.log(startBanner(started, { isTerminal: process.stdout.isTTY === true }));
  console.log(`ready http://localhost:${started.config.PORT}`);
} catch (error) {
  if (stoppingSince === undefined) {
    report(isExplained(error) ? error.message : String(error instanceof Error ? error.stack : error));
    await product.stop();
    process.exit(1);
  }
}

function isExplained(error: unknown): error is Error {
  return error instanceof ConfigurationError || error instanceof StartError || error instanceof ProgramError;
}
