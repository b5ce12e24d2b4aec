import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Manifest } from '@draftshelf/backup/manifest';
import { streamUncompressed } from '@draftshelf/backup/stored-files';
import { findImport } from '@draftshelf/core/imports/imports';
import { to as copyTo } from 'pg-copy-streams';
import { expect, onTestFinished } from 'vitest';
import { describeMachine, timed } from '../../bench/figures.ts';
import { writeMixedProductFile } from '../../bench/mixed-product-file.ts';
import { fixtureEnv, productCsv, storedImport, until } from '../../support/fixture.ts';
import { testOnStack } from '../../support/test.ts';

const test = testOnStack({ names: ['api', 'parse-worker', 'enrich-worker'] });
const rows = 1_000_000;
const processedMsMax = 900_000;
const testMsMax = 2_400_000;

const main = fileURLToPath(new URL('../../../infra/backup-main.ts', import.meta.url));
const run = promisify(execFile);

/** A restore publishes chunks again and fills search texts again, and a backup is noted after it was made. */
const changed = ['chunks', 'runs', 'backups'];

/** Counts lines and adds up their hashes, so that their order does not matter. */
async function digestOf(content: Readable, isCounted = (_line: string) => true): Promise<string> {
  let [count, sum, rest] = [0, 0n, ''];
  const add = (line: string) => {
    if (!isCounted(line)) return;
    count += 1;
    sum = BigInt.asUintN(64, sum + hash('md5', line, 'buffer').readBigUInt64LE());
  };
  content.setEncoding('utf8');
  for await (const piece of content) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(add);
  }
  return `${count} lines, ${sum.toString(16)}`;
}

test('a million rows come back from a backup that was made while the product worked', {
  timeout: testMsMax,
}, async ({ stack, client }) => {
  const { database } = stack;
  const directory = await mkdtemp(path.join(tmpdir(), 'draftshelf-million-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const folder = (name: string) => path.join(directory, name);
  const work = async (args: string[], env: Record<string, string>) => {
    const own = { PATH: process.env.PATH, INIT_CWD: directory, ...env };
    const ms = await timed(() => run(process.execPath, [main, ...args], { env: own }));
    return `${args[0]} ${Math.round(ms / 1000)} s`;
  };
  const manifestOf = async (name: string): Promise<Manifest> =>
    JSON.parse(await readFile(path.join(folder(name), 'manifest.json'), 'utf8'));
  const statusOf = async (id: string) => (await findImport(database.db, id))?.status;

  writeMixedProductFile(folder('million.csv'), rows);
  const csv = await readFile(folder('million.csv'), 'utf8');
  const { id } = await storedImport(stack, { csv, rowsMax: 20_000 });
  await until(
    'a million rows are processed',
    async () => (await statusOf(id)) !== 'processing',
    processedMsMax,
  );
  expect(await statusOf(id)).toBe('queued');

  // Another import is under way, and screens are open, while the backup is made.
  let isMade = false;
  const second = await storedImport(stack, { csv: productCsv(50_000), rowsMax: 1_000 });
  const polls = (async () => {
    const statuses = new Set<number>();
    while (!isMade) statuses.add((await client.call('GET', `/api/jobs/${second.id}?rows=0`)).status);
    return [...statuses];
  })();
  const figures = [
    await work(['backup', 'one'], fixtureEnv(stack)).finally(() => {
      isMade = true;
    }),
  ];
  expect(await polls).toEqual([200]);
  const embedded = { DATA_DIR: folder('data') };
  figures.push(await work(['restore', 'one'], embedded));
  await work(['backup', 'two'], embedded);

  const [one, two] = [await manifestOf('one'), await manifestOf('two')];
  const countsOf = ({ tables }: Manifest) =>
    tables.map(({ name, rows: count }) => [name, changed.includes(name) || count]);
  expect(countsOf(two)).toEqual(countsOf(one));
  for (const table of one.tables) {
    const again = two.tables.find(({ name }) => name === table.name);
    if (!again || changed.includes(table.name) || again.file.sha256 === table.file.sha256) continue;
    expect(await digestOf(streamUncompressed(folder('two'), again.file)), table.name).toBe(
      await digestOf(streamUncompressed(folder('one'), table.file)),
    );
  }
  const objectsOf = ({ objects }: Manifest) => objects.map(({ key, file }) => [key, file.sha256]);
  expect(objectsOf(two)).toEqual(objectsOf(one));

  // The backup has what the database has: the rows of the first import do not change.
  const ofRows = one.tables.find(({ name }) => name === 'rows');
  if (!ofRows) throw new Error('The backup has no rows');
  const at = ofRows.columns.indexOf('import_id');
  const stored = await database.pool.connect();
  const copied = stored.query(
    copyTo(`copy (select ${ofRows.columns.join(', ')} from rows where import_id = '${id}') to stdout`),
  );
  const inDatabase = await digestOf(copied).finally(() => stored.release(true));
  const isOfImport = (line: string) => line.split('\t', at + 1)[at] === id;
  expect(inDatabase).toMatch(new RegExp(`^${rows} lines`));
  expect(await digestOf(streamUncompressed(folder('one'), ofRows.file), isOfImport)).toBe(inDatabase);

  const bytes = [...one.tables, ...one.objects].reduce((sum, { file }) => sum + file.bytes, 0);
  const { rows: sizes } = await database.pool.query(
    'select pg_database_size(current_database())::float8 / 1e6 as mb',
  );
  figures.push(`folder ${Math.round(bytes / 1e6)} MB, database ${Math.round(sizes[0].mb)} MB`);
  console.log(`${rows} rows: ${figures.join(', ')}; ${await describeMachine(database)}`);
});
