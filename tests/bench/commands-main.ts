import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { EditTarget } from '@draftshelf/contract/review/commands';
import { findImport } from '@draftshelf/core/imports/imports';
import { findCommand } from '@draftshelf/core/review/commands/edit-commands';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { writeProductFile } from '../../scripts/product-file.ts';
import { memoryOf } from '../support/process-memory.ts';
import { startBenchStack } from './bench-stack.ts';
import { callApi } from './call-api.ts';
import { counterDifferences, digestPrices } from './command-exactness.ts';
import { describeMachine, percentile } from './figures.ts';
import { waitForTasks, waitUntil } from './import-waits.ts';
import { addLockClocks, type LockName, waitForLock } from './lock-waits.ts';
import { uploadFile } from './upload-file.ts';

// One command on the rows of an import, its undo and its redo, while others look at the import and want its locks.
// `search`: only on the rows that it finds; 'acme 1' finds 22 of 100. `recipes`: instead, as two recipes of an earlier
// list, which are done as one command.
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '250000' },
    search: { type: 'string' },
    recipes: { type: 'boolean' },
  },
});
const rows = Number(given.rows);
const lookEveryMs = 20;
const previews = 10;

const operations: Operation[] = [
  { kind: 'calculate', field: 'price', by: 'percent', amount: '10' },
  { kind: 'round', field: 'price', to: { ending: '.99' }, direction: 'nearest' },
];

const stack = await startBenchStack(['api', 'parse-worker']);
const call = callApi(stack);
const { database } = stack;
try {
  console.log(await describeMachine(database));
  const csv = join(stack.dir, `products-${rows}.csv`);
  writeProductFile(csv, rows, 'ascii');
  const id = await uploadFile(stack, csv);
  await waitUntil(async () => (await findImport(database.db, id))?.status !== 'processing');
  // The search is filled after that.
  await waitForTasks(database, id, "stage = 'parse'");
  await addLockClocks(database);
  await (given.recipes ? measureRecipes(id) : measure(id));
} finally {
  await stack.close();
}

async function measure(id: string): Promise<void> {
  const target: EditTarget = given.search === undefined ? {} : { q: given.search };
  const which = given.search === undefined ? 'all of them' : `those that hold “${given.search}”`;
  console.log(`\n${rows} rows × 12 columns, ${operations.length} operations on ${which}`);
  const preview = await repeated(() =>
    call('POST', `/api/queue/${id}/edits/preview`, { target, operations }),
  );
  console.log(`preview        ${preview}`);
  const filter = new URLSearchParams(target as Record<string, string>);
  for (const field of ['vendor', 'price']) {
    const took = await repeated(() => call('GET', `/api/queue/${id}/values?field=${field}&${filter}`));
    console.log(`values         ${took} (${field})`);
  }
  const before = await digestPrices(database, id);
  const applied = await whileWatched('applied', id, () =>
    call<Begun>('POST', `/api/queue/${id}/edits`, { target, operations }),
  );
  const changed = await digestPrices(database, id);
  const undone = await whileWatched('undone', id, () => undo(id, applied));
  await expectExact('undone', id, before);
  await whileWatched('applied again', id, () => undo(id, undone));
  await expectExact('applied again', id, changed);
}

async function measureRecipes(id: string): Promise<void> {
  console.log(`\n${rows} rows × 12 columns, ${operations.length} recipes on all of them`);
  await addRecipes(id);
  const { recipes } = await call<{ recipes: { id: string }[] }>('GET', `/api/queue/${id}/recipes`);
  for (const recipe of recipes) {
    const path = `/api/queue/${id}/recipes/${recipe.id}/preview`;
    console.log(`preview        ${await repeated(() => call('POST', path, {}))}`);
  }
  const before = await digestPrices(database, id);
  const chosen = { do: recipes.map((recipe) => ({ id: recipe.id })) };
  const begin = () => call<Begun>('POST', `/api/queue/${id}/recipes`, chosen);
  const repeatedAs = await whileWatched('done again', id, begin);
  await whileWatched('undone', id, () => undo(id, repeatedAs));
  await expectExact('undone', id, before);
}

/** Makes the import a list of a supplier to whose last list each operation was done. */
async function addRecipes(id: string): Promise<void> {
  await database.pool.query('delete from supplier_lists where import_id = $1', [id]);
  const made = await database.pool.query(`insert into suppliers (name) values ('Bench') returning id`);
  const supplier: number = made.rows[0].id;
  await database.pool.query('update imports set supplier = $1 where id = $2', [supplier, id]);
  await database.pool.query(
    `insert into supplier_lists (supplier, number, import_id, filename) values ($1, 1, $2, 'list.csv')`,
    [supplier, id],
  );
  for (const [position, operation] of operations.entries()) {
    await database.pool.query(
      `insert into supplier_recipes (supplier, operations, target, takes, position, rows_last, rows_then, done_in,
         made_in, made_at, done_at)
       values ($1, $2, '{}', '{"columns":[],"fields":[]}', $3, $4, $4, 'list.csv', gen_random_uuid(), 'epoch', 'epoch')`,
      [supplier, JSON.stringify([operation]), position, rows],
    );
  }
}

async function expectExact(what: string, id: string, digest: string): Promise<void> {
  const differences = await counterDifferences(database, id);
  if ((await digestPrices(database, id)) !== digest) differences.push('prices');
  console.log(`${what}: ${differences.length === 0 ? 'exact' : differences.join('; ')}`);
}

function undo(id: string, command: string): Promise<Begun> {
  return call('POST', `/api/queue/${id}/edits/${command}/undo`);
}

type Begun = { command: string };

/**
 * Begins a command and prints how long it took, what others waited for until it ended, and how much the worker grew.
 * Returns its id.
 */
async function whileWatched(what: string, id: string, begin: () => Promise<Begun>): Promise<string> {
  const memory = memoryOf(stack.app('parse-worker').pid);
  const idleBytes = await memory.residentBytes();
  await memory.forgetPeak();
  const tableBytes = await rowsBytes();
  const begun = performance.now();
  const { result, ms } = await timed(begin);
  let isRunning = true;
  const repeat = async (work: () => Promise<number>): Promise<number[]> => {
    const took: number[] = [];
    while (isRunning) {
      took.push(await work());
      await pause(lookEveryMs);
    }
    return took;
  };
  const lock = (name: LockName) => repeat(() => waitForLock(database, name, id));
  const look = (path: string) => repeat(async () => (await timed(() => call('GET', path))).ms);
  const watched = Promise.all([
    lock('import'),
    lock('rows'),
    look(`/api/queue/${id}?rows=0`),
    look(`/api/queue/${id}/rows?limit=50&after=1000`),
  ]);
  await waitForTasks(database, id, "stage = 'parse' and command is not null");
  const seconds = (performance.now() - begun) / 1000;
  isRunning = false;
  const [ofImport, ofRows, ofJob, ofPage] = await watched;
  const grownBytes = (await memory.peakBytes()) - idleBytes;
  const waits = (took: readonly number[]) => `${p99(took)}, longest ${Math.max(...took).toFixed(0)} ms`;
  const command = await findCommand(database.db, id, result.command);
  console.log(`${what.padEnd(15)}${seconds.toFixed(1)} s, accepted in ${ms.toFixed(0)} ms, ${command?.rows} rows
  p99 of the wait for the import's lock ${waits(ofImport)}; for its rows' ${waits(ofRows)}
  p99 of the job ${p99(ofJob)}, of a page of rows ${p99(ofPage)}
  parse worker: ${Math.round(idleBytes / 1e6)} MB before, at most ${Math.round(grownBytes / 1e6)} MB more
  rows: ${Math.round(tableBytes / 1e6)} MB before, ${((await rowsBytes()) / tableBytes).toFixed(2)} × afterwards`);
  return result.command;
}

/** Bytes of the table of rows, with old versions and free space. */
async function rowsBytes(): Promise<number> {
  const { rows: sizes } = await database.pool.query<{ bytes: string }>(
    `select pg_table_size('rows') as bytes`,
  );
  return Number(sizes[0]?.bytes);
}

function p99(took: readonly number[]): string {
  return `${percentile(took, 99).toFixed(0)} ms`;
}

/** 'Median 120 ms, longest 180 ms of 10' */
async function repeated(work: () => Promise<unknown>): Promise<string> {
  const took: number[] = [];
  while (took.length < previews) took.push((await timed(work)).ms);
  return `median ${percentile(took, 50).toFixed(0)} ms, longest ${Math.max(...took).toFixed(0)} ms of ${previews}`;
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const begun = performance.now();
  const result = await work();
  return { result, ms: performance.now() - begun };
}
