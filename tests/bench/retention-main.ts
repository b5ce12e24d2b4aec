import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beginExpiredRemovals } from '@draftshelf/core/operate/remove-old';
import { startBenchStack } from './bench-stack.ts';
import { describeMachine, percentile } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { waitForTasks, waitUntil } from './import-waits.ts';
import { writeMixedProductFile } from './mixed-product-file.ts';
import { uploadFile } from './upload-file.ts';

// What it costs to remove the rows of a large import while screens poll, and whether the database stays as large as it
// is after one import when many are made and deleted.
const {
  rows,
  cycles,
  'cycle-rows': cycleRows,
} = givenNumbers({ rows: 1_000_000, cycles: 50, 'cycle-rows': 20_000 });

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
    await waitUntil(
      async () => (await counted(`select count(*)::int as n from imports where id = '${id}'`)) === 0,
      { msMax: 60_000 },
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
  await beginExpiredRemovals(database, { keepRowsDays: 30, keepFilesDays: null });
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
  await waitUntil(async () => (await counted(ended)) === 1, { msMax: 600_000 });
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
  const id = await uploadFile(stack, csv);
  const unread = `select count(*)::int as n from imports where id = '${id}' and status = 'processing'`;
  await waitUntil(async () => (await counted(unread)) === 0, { msMax: 600_000 });
  await waitForTasks(database, id, "stage = 'parse'");
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
