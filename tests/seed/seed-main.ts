import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listConnections } from '@draftshelf/contract/access/connections';
import { listImports } from '@draftshelf/contract/imports/imports';
import { readStartConfig } from '@draftshelf/infra/start-config';
import { watchFolderOf } from '@draftshelf/infra/watch-folder';
import { everyOutcome } from './every-outcome.ts';
import { everyStatus } from './every-status.ts';
import { fillShop } from './fill-shop.ts';
import { fromFolder } from './from-folder.ts';
import { type Operator, signIn } from './operator.ts';

// npm run seed: imports for every screen, through the api of npm run dev or npm start, which has to be running.
const root = fileURLToPath(new URL('../..', import.meta.url));
const config = readStartConfig(process.env);
const { PORT, ACCESS_KEY } = config;
const dataDir = resolve(root, config.DATA_DIR);
const origin = `http://localhost:${PORT}`;

try {
  await requireProduct();
  const key = ACCESS_KEY ?? (await readFile(join(dataDir, 'access-key'), 'utf8')).trim();
  const operator = await signIn(origin, key);
  await requireDemoStore(operator);
  await fillShop(operator);
  await everyOutcome(operator);
  await everyStatus(operator);
  await fromFolder(operator, watchFolderOf(root, config, dataDir));
  for (const job of listImports.reply.parse(await operator.call('GET', '/api/queue'))) {
    console.log(`${job.status.padEnd(10)} ${job.filename}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function requireProduct(): Promise<void> {
  await fetch(`${origin}/api/health`).catch(() => {
    throw new Error(
      `Nothing runs at ${origin}. Start npm run dev or npm start first, with the same PORT and DATA_DIR.`,
    );
  });
}

/** The seed pushes products, which nobody wants in a real store. */
async function requireDemoStore({ call }: Operator): Promise<void> {
  const connections = listConnections.reply.parse(await call('GET', '/api/connections'));
  const store = connections.find(({ service }) => service === 'shopify');
  if (store?.details.credentials?.isDemo) return;
  throw new Error(
    'The seed pushes products. It runs with the demo store only, and another one is connected.',
  );
}
