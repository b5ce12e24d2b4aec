import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { UploadReply } from '@draftshelf/contract/reading/upload';
import { removeOld } from '@draftshelf/core/operate/remove-old';
import { startBenchStack } from './bench-stack.ts';
import { describeMachine, percentile } from './figures.ts';
import { writeMixedProductFile } from './mixed-product-file.ts';

// What it costs to remove the rows of a large import while screens poll, and whether the database stays as large as it
// is after one import when many are made and deleted.
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    cycles: { type: 'string', default: '50' },
    'cycle-rows': { type: 'string', default: '20000' },
  },
});
const rows = Number(given.rows);
const cycles = Number(given.cycles);
const cycleRows = Number(given['cycle-rows']);

const lookEveryMs = 20;
const pollEveryMs = 50;
const megabyte = 1_000_000;

const stack = await startBenchStack(['api', 'parse-worker']);
const { dir, apiUrl, cookie, database } = stack;
try {
  console.log(await describeMachine(database));
  await measureCycles();
  await measureRemoval();
} finally {
  await stack.close();
}

async function measureCycles(): Promise<void> {
  const csv = join(dir, 'small.csv');
  writeMixedProductFile(csv, cycleRows);
  let first = 0;
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const id = await stored(csv);
    if (cycle === 1) first = await databaseBytes();
    const answer = await fetch(`${apiUrl}/api/queue/${id}`, { method: 'DELETE', headers: { cookie } });
    if (!answer.ok) throw new Error(`The deletion answered ${answer.status}: ${await answer.text()}`);
    await until(
      async () => (await counted(`select count(*)::int as n from imports where id = '${id}'`)) === 0,
    );
  }
  const last = await databaseBytes();
  console.log(
    `${cycles} imports of ${cycleRows} rows, each deleted: ${inMegabytes(first)} with the first, ${inMegabytes(last)} after the last, × ${(last / first).toFixed(2)}`,
  );
}

async function measureRemoval(): Promise<void> {
  const csv = join(dir, 'large.csv');
  writeMixedProductFile(csv, rows);
  const id = await stored(csv);
  const before = await databaseBytes();
  await database.pool.query(
    `with changed as (update imports set status = 'completed' where id = $1)
       update runs set completed_at = now() - interval '1 year' where import_id = $1 and stage = 'parse'`,
    [id],
  );
  const begun = performance.now();
  const cpu = stack.processor();
  await removeOld(database, { keepRowsDays: 30, keepFilesDays: null });
  await database.pool.query(
    `update chunks set not_before = null, deferred_at = null where task = 'retire-rows'`,
  );
  const polls: number[] = [];
  let isOver = false;
  const polling = (async () => {
    while (!isOver) {
      const asked = performance.now();
      const answer = await fetch(`${apiUrl}/api/queue`, { headers: { cookie } });
      await answer.text();
      polls.push(performance.now() - asked);
      await pause(pollEveryMs);
    }
  })();
  const ended = `select count(*)::int as n from chunks where task = 'retire-rows' and state = 'done'`;
  await until(async () => (await counted(ended)) === 1, 600_000);
  isOver = true;
  await polling;
  const seconds = (performance.now() - begun) / 1000;
  const now = stack.processor();
  const used = now.postgres - cpu.postgres + now.product - cpu.product;
  const kept = await counted(`select pg_total_relation_size('kept_places')::int as n`);
  console.log(
    `${rows} rows removed in ${seconds.toFixed(1)} s, ${used.toFixed(1)} s of processor; polls p50 ${percentile(polls, 50).toFixed(1)}, p99 ${percentile(polls, 99).toFixed(1)} ms (${polls.length}); database ${inMegabytes(before)} before, ${inMegabytes(await databaseBytes())} after; kept places ${inMegabytes(kept)}`,
  );
  const csvAgain = join(dir, 'again.csv');
  writeMixedProductFile(csvAgain, rows);
  await stored(csvAgain);
  console.log(`With another import of as many rows: ${inMegabytes(await databaseBytes())}`);
}

/** Uploads a file and waits until its rows are stored and searchable. */
async function stored(csv: string): Promise<string> {
  const form = new FormData();
  form.append('csv', await openAsBlob(csv, { type: 'text/csv' }), 'products.csv');
  const answer = await fetch(`${apiUrl}/api/upload`, { method: 'POST', body: form, headers: { cookie } });
  if (!answer.ok) throw new Error(`The upload answered ${answer.status}: ${await answer.text()}`);
  const { id } = (await answer.json()) as UploadReply;
  const filled = `select count(*)::int as n from runs where import_id = '${id}' and searchable`;
  await until(async () => (await counted(filled)) === 1, 600_000);
  return id;
}

async function counted(query: string): Promise<number> {
  const { rows: found } = await database.pool.query<{ n: number }>(query);
  return found[0]?.n ?? 0;
}

async function databaseBytes(): Promise<number> {
  const { rows: found } = await database.pool.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return Number(found[0]?.bytes);
}

function inMegabytes(bytes: number): string {
  return `${(bytes / megabyte).toFixed(0)} MB`;
}

async function until(holds: () => Promise<boolean>, msMax = 60_000): Promise<void> {
  const deadline = performance.now() + msMax;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('It took too long');
    await pause(lookEveryMs);
  }
}
