import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '@draftshelf/runtime/env';
import { watchAncestors } from './ancestors.ts';
import { accessKeyFile, type Started, startProduct } from './start.ts';
import { StartError } from './start-error.ts';
import { ProgramError } from './supervisor.ts';

/** A second Ctrl-C after this long kills what still runs. A sooner one is npm passing on the first. */
const forceQuitAfterMs = 1000;

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
// Writing to a closed terminal fails; that must not prevent an orderly stop.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
const report = (text: string) => console.error(text);

const product = startProduct(root, process.env, report);
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
  console.log(banner(started));
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

function banner({ config, dataDir, keys, storeUrl }: Started): string {
  const key = {
    made: `${keys.accessKey}   (kept in ${accessKeyFile(dataDir)})`,
    given: 'the one in ACCESS_KEY',
    none: 'none: anyone who can reach this machine’s port may use it',
  };
  const keyLine =
    config.ACCESS_KEY === undefined ? key.made : config.ACCESS_KEY === '' ? key.none : key.given;
  const page = `http://localhost:${config.PORT}`;
  return `
  Draftshelf
    Page        ${config.PUBLIC_URL}
    Access key  ${keyLine}
    Data        ${dataDir}   (logs in ${path.join(dataDir, 'logs')})
    ${config.SHOPIFY_STORE_URL === undefined ? `Demo store  ${storeUrl}   (simulated; connect your own in Settings)` : `Store       ${storeUrl}`}
    Queues      ${page}/admin/queues   (Bull Board${config.ACCESS_KEY === '' ? '' : ', behind the access key'})
`;
}
