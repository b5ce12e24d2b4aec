import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Db } from '@draftshelf/database/connection/database';
import { findImport, lockImport } from '@draftshelf/database/imports/imports';
import { lockRows } from '@draftshelf/database/rows/rows-lock';
import type { Operation } from '@draftshelf/domain/operations/operation';
import { writeProductFile } from '../../scripts/product-file.ts';
import { startBenchStack } from './bench-stack.ts';
import { describeMachine, percentile } from './figures.ts';
import { uploadFile } from './upload-file.ts';

// One command on all rows of an import, its undo and its redo, while others look at the import and want its locks.
const { values: given } = parseArgs({ options: { rows: { type: 'string', default: '250000' } } });
const rows = Number(given.rows);
const lookEveryMs = 20;

const operations: Operation[] = [
  { kind: 'calculate', field: 'price', by: 'percent', amount: '10' },
  { kind: 'round', field: 'price', to: { ending: '.99' }, direction: 'nearest' },
];

const stack = await startBenchStack(['api', 'parse-worker']);
try {
  console.log(await describeMachine(stack.database));
  const csv = join(stack.dir, `products-${rows}.csv`);
  writeProductFile(csv, rows, 'ascii');
  const id = await uploadFile(stack, csv);
  await until(async () => (await findImport(stack.database.db, id))?.status !== 'processing');
  console.log(`\n${rows} rows × 12 columns, ${operations.length} operations on all of them`);
  await measure(id);
} finally {
  await stack.close();
}

async function measure(id: string): Promise<void> {
  const preview = await timed(() =>
    call('POST', `/api/queue/${id}/edits/preview`, { target: {}, operations }),
  );
  console.log(`preview        ${preview.ms.toFixed(0)} ms`);
  const applied = await whileWatched('applied', id, () =>
    call('POST', `/api/queue/${id}/edits`, { target: {}, operations }),
  );
  const undone = await whileWatched('undone', id, () => undo(id, applied));
  await whileWatched('applied again', id, () => undo(id, undone));
}

function undo(id: string, command: string): Promise<Begun> {
  return call('POST', `/api/queue/${id}/edits/${command}/undo`);
}

type Begun = { command: string };

/** Begins a command and prints how long it took, and what others waited for until it ended. Returns its id. */
async function whileWatched(what: string, id: string, begin: () => Promise<Begun>): Promise<string> {
  const begun = performance.now();
  const { result, ms } = await timed(begin);
  let isRunning = true;
  const repeat = async (work: () => Promise<unknown>): Promise<number[]> => {
    const took: number[] = [];
    while (isRunning) {
      took.push((await timed(work)).ms);
      await pause();
    }
    return took;
  };
  const inTransaction = (lock: (db: Db, id: string) => Promise<unknown>) => () =>
    stack.database.db.transaction().execute((trx) => lock(trx, id));
  const watched = Promise.all([
    repeat(inTransaction(lockImport)),
    repeat(inTransaction(lockRows)),
    repeat(() => call('GET', `/api/queue/${id}?rows=0`)),
    repeat(() => call('GET', `/api/queue/${id}/rows?limit=50&after=1000`)),
  ]);
  await until(async () => {
    const { rows: open } = await stack.database.pool.query(
      `select 1 from chunks where import_id = $1 and command is not null and state in ('pending', 'published')`,
      [id],
    );
    return open.length === 0;
  });
  const seconds = (performance.now() - begun) / 1000;
  isRunning = false;
  const [ofImport, ofRows, ofJob, ofPage] = await watched;
  const longest = (took: readonly number[]) => `${Math.max(...took).toFixed(0)} ms`;
  const p99 = (took: readonly number[]) => `${percentile(took, 99).toFixed(0)} ms`;
  console.log(`${what.padEnd(15)}${seconds.toFixed(1)} s, accepted in ${ms.toFixed(0)} ms
  longest wait for the import's lock ${longest(ofImport)}, for its rows' ${longest(ofRows)}
  p99 of the job ${p99(ofJob)}, of a page of rows ${p99(ofPage)}`);
  return result.command;
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const begun = performance.now();
  const result = await work();
  return { result, ms: performance.now() - begun };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lookEveryMs));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause();
}

async function call(method: string, path: string, body?: object): Promise<Begun> {
  const answer = await fetch(stack.apiUrl + path, {
    method,
    headers: { cookie: stack.cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Begun;
}
