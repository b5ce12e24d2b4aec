import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeProductFile } from '../../scripts/product-file.ts';
import { startBenchStack } from './bench-stack.ts';
import { fairnessCalls } from './fairness-calls.ts';
import { describeMachine, percentile } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';

// Edits of single cells, one after the other: alone, while another file is imported, and while only the api works on
// files of that size. The last shows what receiving costs others, apart from Postgres and the parse worker.
const { rows, imports, uploads } = givenNumbers({ rows: 250_000, imports: 3, uploads: 10 });

const importMsMax = 10 * 60_000;
const aloneMs = 5_000;
const betweenMs = 15;

const stack = await startBenchStack(['api', 'parse-worker']);
const calls = fairnessCalls(stack);
try {
  console.log(await describeMachine(stack.database));
  const csv = join(stack.dir, 'products.csv');
  writeProductFile(csv, rows, 'ascii');
  const importFile = async () => {
    const id = await calls.uploadFile(csv);
    await calls.reach(id, ['processed', 'queued'], importMsMax);
    return id;
  };
  const id = await importFile();
  await editMeanwhile(id, 'alone', () => pause(aloneMs));
  for (let nth = 0; nth < imports; nth += 1)
    await editMeanwhile(id, `beside an import of ${rows} rows`, importFile);
  await stack.app('parse-worker').stop();
  await editMeanwhile(id, 'alone, without a parse worker', () => pause(aloneMs));
  await editMeanwhile(id, `beside ${uploads} uploads, without a parse worker`, async () => {
    for (let nth = 0; nth < uploads; nth += 1) await calls.uploadFile(csv);
  });
} finally {
  await stack.close();
}

async function editMeanwhile(id: string, what: string, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  const took: number[] = [];
  while (!isDone) {
    const row = 1 + Math.floor(Math.random() * rows);
    const asked = performance.now();
    await calls.mustDo('PATCH', `/api/queue/${id}/rows/${row}`, {
      values: { title: `Edited ${took.length}` },
    });
    took.push(performance.now() - asked);
    await pause(betweenMs);
  }
  await working;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const ms = (percent: number) => `${percentile(took, percent).toFixed(0)} ms`;
  console.log(
    `${what}: ${seconds} s, median ${ms(50)}, p95 ${ms(95)}, p99 ${ms(99)}, longest ${ms(100)} of ${took.length}`,
  );
}
