import { createHash } from 'node:crypto';
import { saveCredential } from '@draftshelf/core/access/credentials';
import { deriveAllSealingKeys } from '@draftshelf/core/access/sealing';
import { saveSettings } from '@draftshelf/core/access/settings';
import { oneDriveService } from '@draftshelf/core/folders/sign-ins';
import { findWatchSource, requestLook } from '@draftshelf/core/folders/sources';
import { until } from '../support/fixture.ts';
import type { TestGraph } from '../support/graph.ts';
import type { Stack } from '../support/stack.ts';
import { fileOf } from '../support/watched-folder.ts';

const path = '/SCD CSV Processing';
/** Longest time until the next file is taken, whatever was killed and refused. */
const progressMsMax = 120_000;

const soon = { seconds: 1, as: 'seconds' } as const;
/** What Graph and the login server answer between two kills. A wait is named, so that no pause grows. */
const faults = [
  { on: 'delta', status: 429, retryAfter: soon },
  { on: 'delta', status: 410, location: true },
  { on: 'delta', status: 503, retryAfter: soon },
  { on: 'content', status: 404 },
  { on: 'content', status: 429, retryAfter: soon },
  { on: 'download', status: 401 },
  { on: 'download', status: 503 },
  { on: 'item', status: 404 },
  { on: 'item', status: 401 },
  { on: 'move', status: 404 },
  { on: 'move', status: 412 },
  { on: 'move', status: 503, retryAfter: soon },
  { on: 'make-folder', status: 503, retryAfter: soon },
] as const;

/**
 * A folder worker takes files of the simulated OneDrive and moves them to Archive, while it is killed with -9 again and
 * again, downloads are slow, and Graph refuses calls of every kind. Returns everything that is wrong: each file must be
 * imported once, whole, and lie in Archive once.
 */
export async function runDriveStorm(
  stack: Stack,
  graph: TestGraph,
  sizes: { files: number; kills: number; credentialsKey: string },
): Promise<string[]> {
  const { db } = stack.database;
  await signIn(stack, sizes.credentialsKey);
  await saveSettings(db, {
    ...{ oneDriveEnabled: true, watchFrequency: '5', oneDriveFolder: path, moveToArchive: true },
  });
  await until('the empty folder was looked at', async () => {
    await requestLook(db, 'onedrive', 1_000);
    return (await findWatchSource(db, 'onedrive'))?.looked_at != null;
  });
  const expected = new Map<string, string>();
  for (let nth = 1; nth <= sizes.files; nth += 1) {
    expected.set(`file-${nth}.csv`, fileOf(`drive ${nth}`, 20));
  }
  await graph.change([...expected].map(([name, text]) => ({ path: `${path}/${name}`, text })));
  for (let nth = 1; nth <= sizes.kills; nth += 1) {
    await graph.behave({ pageItems: 7, pieceBytes: 200, pieceDelayMs: 20, faults: [...faults] });
    const reached = Math.floor((sizes.files * nth) / (sizes.kills + 1));
    await until(
      `${reached} files are taken`,
      async () => (await progress(stack)).taken >= reached,
      progressMsMax,
    );
    const killed = stack.process('folder-worker');
    killed.kill('SIGKILL');
    await killed.ended;
    await stack.start('folder-worker');
  }
  const isDone = async () => (await progress(stack)).archived >= expected.size;
  await until('all files are moved', isDone, progressMsMax).catch(() => {});
  return differences(stack, graph, expected);
}

async function signIn({ database: { db } }: Stack, credentialsKey: string): Promise<void> {
  const keys = deriveAllSealingKeys({ CREDENTIALS_KEY: credentialsKey });
  if (!keys) throw new Error('no keys');
  const value = {
    ...{ way: 'app', simulated: true, cloud: 'global', tenant: 'contoso', clientId: 'an-app' },
    ...{ clientSecret: 'a-secret', drive: { user: 'ada@example.com' } },
  };
  await db
    .transaction()
    .execute((trx) =>
      saveCredential(trx, keys, { service: oneDriveService, value, shop: null, origin: 'operator' }),
    );
}

/** Numbers of files that are taken and moved. Asks for a look, and ends the pauses of minutes after a refusal. */
async function progress({ database }: Stack): Promise<{ taken: number; archived: number }> {
  await requestLook(database.db, 'onedrive', 1_000);
  await database.pool.query(
    `update watched_files set not_before = null where state <> 'taking' and not_before is not null`,
  );
  const { rows } = await database.pool.query<{ taken: number; archived: number }>(
    `select (count(*) filter (where state = 'taken'))::int as taken,
       (count(*) filter (where option = 'archived'))::int as archived from watched_files`,
  );
  return rows[0] ?? { taken: 0, archived: 0 };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function differences(
  { database }: Stack,
  graph: TestGraph,
  expected: ReadonlyMap<string, string>,
): Promise<string[]> {
  const wrong: string[] = [];
  const { rows: imports } = await database.pool.query<{ filename: string; sha256: string }>(
    `select filename, sha256 from imports where source = 'onedrive'`,
  );
  const { rows: files } = await database.pool.query<{
    name: string;
    state: string;
    option: string;
    reason: string;
  }>('select name, state, option, reason from watched_files order by id');
  const drive = await graph.files();
  for (const [name, text] of expected) {
    const own = imports.filter(({ filename }) => filename === name);
    const versions = files.filter((file) => file.name === name);
    const told = versions.map(({ state, option, reason }) => `${state} ${option} ${reason ?? ''}`).join(', ');
    if (own.length !== 1) wrong.push(`${name} has ${own.length} imports: ${told}`);
    if (own.some(({ sha256 }) => sha256 !== hashOf(text)))
      wrong.push(`${name} was imported with other bytes`);
    const there = drive.filter((file) => file.text === text).map((file) => file.path);
    if (there.length !== 1 || !there[0]?.startsWith(`${path}/Archive/`))
      wrong.push(`${name} lies at ${there.join(' and ') || 'no place'}: ${told}`);
  }
  if (imports.length !== expected.size) wrong.push(`${imports.length} imports of ${expected.size} files`);
  return wrong;
}
