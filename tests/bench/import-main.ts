import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { writeProductFile } from '../../scripts/product-file.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { describeMachine, median } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { waitForTasks, waitUntil } from './import-waits.ts';
import { peakMemoryMb } from './processor.ts';
import { uploadFile } from './upload-file.ts';

// An import of many rows through the real processes, alternating with a bare COPY of the same finished rows.
const { rows, rounds, workers: workersCount } = givenNumbers({ rows: 1_000_000, rounds: 5, workers: 2 });

/** Seconds since the upload began, and processor seconds until the last row was stored. */
type ImportTimes = { id: string; upload: number; stored: number; ready: number; processor: number };
type CopyTimes = { took: number; processor: number };

const workers = Array<'parse-worker'>(workersCount).fill('parse-worker');
const stack = await startBenchStack(['api', ...workers]);
try {
  const csv = join(stack.dir, 'products.csv');
  writeProductFile(csv, rows, 'ascii');
  const { size } = await stat(csv);
  console.log(await describeMachine(stack.database));
  console.log(`${rows} rows × 12 columns, ${Math.round(size / 1e6)} MB; ${rounds} rounds, in turns\n`);

  const ready = join(stack.dir, 'finished-rows.txt');
  const imports: ImportTimes[] = [];
  const copies: CopyTimes[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await writeDown(stack);
    const times = await measureImport(stack, csv);
    imports.push(times);
    if (round === 1) await exportRows(stack, ready);
    // The products of an import that is ready are still being kept.
    await waitForTasks(stack.database, times.id);
    await writeDown(stack);
    const copy = await measureCopy(stack, ready);
    copies.push(copy);
    console.log(
      `round ${round}: upload ${seconds(times.upload)}, all rows stored ${seconds(times.stored)}, ready for review ${seconds(times.ready)}; COPY ${seconds(copy.took)}`,
    );
  }
  report(imports, copies);
} finally {
  await stack.close();
}

function report(imports: readonly ImportTimes[], copies: readonly CopyTimes[]): void {
  const copy = median(copies.map(({ took }) => took));
  const copyProcessor = median(copies.map(({ processor }) => processor));
  const importProcessor = median(imports.map(({ processor }) => processor));
  const of = (pick: (times: ImportTimes) => number) => {
    const middle = median(imports.map(pick));
    return `${seconds(middle)} (${(middle / copy).toFixed(2)} × the COPY)`;
  };
  console.log(`
Medians
  COPY of the finished rows            ${seconds(copy)}
  upload answered                      ${of((times) => times.upload)}
  upload begun → last row stored       ${of((times) => times.stored)}
  upload begun → ready for review      ${of((times) => times.ready)}
  upload answered → last row stored    ${of((times) => times.stored - times.upload)}
  last row stored → ready for review   ${of((times) => times.ready - times.stored)}
Processor, all processes together
  COPY of the finished rows            ${seconds(copyProcessor)}
  upload begun → last row stored       ${seconds(importProcessor)} (${(importProcessor / copyProcessor).toFixed(2)} × the COPY)
Peak memory
  api           ${peakMemoryMb(stack.app('api').pid) ?? '?'} MB
  parse worker  ${peakMemoryMb(stack.app('parse-worker').pid) ?? '?'} MB`);
}

/** Uploads the file and waits until the import has been processed. */
async function measureImport(stack: BenchStack, csv: string): Promise<ImportTimes> {
  const begun = performance.now();
  const since = () => (performance.now() - begun) / 1000;
  const processorSince = processorClock(stack);
  const id = await uploadFile(stack, csv);
  const times: ImportTimes = { id, upload: since(), stored: 0, ready: 0, processor: 0 };
  let record: ImportRecord | undefined;
  await waitUntil(async () => {
    record = await findImport(stack.database.db, id);
    if (record?.parsed_rows === rows && times.stored === 0) {
      times.stored = since();
      times.processor = processorSince().product + processorSince().postgres;
    }
    return record?.status !== 'processing';
  });
  times.ready = since();
  if (record?.status !== 'processed' || record.valid_products !== rows) {
    throw new Error(
      `The import ended ${record?.status}, ${record?.valid_products} of ${rows} products valid`,
    );
  }
  return times;
}

/** Writes pending data of the previous round to disk, so that it does not slow down the next one. */
async function writeDown({ database }: BenchStack): Promise<void> {
  await database.pool.query('checkpoint');
}

async function exportRows({ database }: BenchStack, path: string): Promise<void> {
  const client = await database.pool.connect();
  try {
    await pipeline(client.query(copyTo('copy rows to stdout')), createWriteStream(path));
  } finally {
    client.release();
  }
}

/**
 * One COPY of the prepared text in one transaction into an empty table with the same columns, primary key and partial
 * indexes, because the product maintains those too.
 */
async function measureCopy(stack: BenchStack, path: string): Promise<CopyTimes> {
  const { database } = stack;
  await database.pool.query('create table bench_rows (like rows including all)');
  const client = await database.pool.connect();
  try {
    const begun = performance.now();
    const processorSince = processorClock(stack);
    const clientBefore = process.cpuUsage();
    await pipeline(
      createReadStream(path, { highWaterMark: 64 * 1024 }),
      client.query(copyFrom('copy bench_rows from stdin')),
    );
    const took = (performance.now() - begun) / 1000;
    const own = process.cpuUsage(clientBefore);
    const processor = processorSince().postgres + (own.user + own.system) / 1e6;
    const { rows: counted } = await client.query<{ count: number }>(
      'select count(*)::int as count from bench_rows',
    );
    if (counted[0]?.count !== rows) throw new Error(`The COPY stored ${counted[0]?.count} of ${rows} rows`);
    return { took, processor };
  } finally {
    client.release();
    await database.pool.query('drop table bench_rows');
  }
}

/** Returns a function that returns the processor time used since now. */
function processorClock(stack: BenchStack) {
  const before = stack.processor();
  return () => {
    const now = stack.processor();
    return { postgres: now.postgres - before.postgres, product: now.product - before.product };
  };
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}
