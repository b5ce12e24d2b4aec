import { join } from 'node:path';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { readCoverage } from '@draftshelf/core/enrich/coverage';
import { findImport } from '@draftshelf/core/imports/imports';
import { readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import { addProposals } from '@draftshelf/core/review/proposals/proposals';
import { currentRows } from '@draftshelf/core/work/runs';
import { ruleSource } from '@draftshelf/domain/enrich/sources';
import { writeProductFile } from '../../scripts/product-file.ts';
import { startBenchStack } from './bench-stack.ts';
import { callApi } from './call-api.ts';
import { describeMachine, median, timed } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { waitForTasks, waitUntil } from './import-waits.ts';
import { uploadFile } from './upload-file.ts';

// As many proposals as one decision may have are taken and taken back through the api: those of products all over the
// file, and those of neighbors. Then another client edits a row again and again meanwhile.
const { rows, rounds } = givenNumbers({ rows: 600_000, rounds: 5 });
/** The maximum of one decision. */
const proposals = 2_000;

const stack = await startBenchStack(['api', 'parse-worker', 'enrich-worker']);
const call = callApi(stack);
const { db, pool } = stack.database;
try {
  console.log(await describeMachine(stack.database));
  const record = await imported();
  const isLookedUp = (await readCoverage(db, currentRows(record))).length > 0;
  console.log(`${rows} rows, ${isLookedUp ? 'with' : 'without'} look-ups; ${rounds} rounds`);
  const apart = Math.floor(rows / proposals);
  await propose(record, 'All over the file', (nth) => 1 + nth * apart);
  await propose(record, 'Neighbors', (nth) => 2 + nth + Math.floor(nth / (apart - 1)));
  await pool.query('vacuum analyze');
  for (const group of ['All over the file', 'Neighbors']) {
    const [taken, undone]: [Figures, Figures] = [noFigures(), noFigures()];
    for (let round = 0; round < rounds; round += 1) {
      let command = '';
      await measure(taken, async () => {
        command = await take(record.id, group);
      });
      await measure(undone, () => undo(record.id, command));
    }
    report(`${group}: taken`, taken);
    report(`${group}: taken back`, undone);
  }
  const edits = await editMeanwhile(record.id);
  console.log(`an edit meanwhile: median ${seconds(median(edits))}, longest ${seconds(Math.max(...edits))}`);
} finally {
  await stack.close();
}

/** Milliseconds, and seconds of processor time of Postgres and the product. */
type Figures = { ms: number[]; processor: number[] };

function noFigures(): Figures {
  return { ms: [], processor: [] };
}

async function measure(figures: Figures, work: () => Promise<void>): Promise<void> {
  const before = stack.processor();
  figures.ms.push(await timed(work));
  const after = stack.processor();
  figures.processor.push(after.postgres + after.product - before.postgres - before.product);
}

function report(what: string, { ms, processor }: Figures): void {
  const longest = seconds(Math.max(...ms));
  const used = `${median(processor).toFixed(2)} s of processor time`;
  console.log(`${what.padEnd(32)} median ${seconds(median(ms))}, longest ${longest}, ${used}`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** Uploads a file and waits until it is ready for review and nothing is done in the background. */
async function imported(): Promise<ImportRecord> {
  const csv = join(stack.dir, 'products.csv');
  writeProductFile(csv, rows, 'ascii');
  const id = await uploadFile(stack, csv);
  await waitUntil(async () => (await findImport(db, id))?.status !== 'processing');
  await waitForTasks(stack.database, id);
  const record = await findImport(db, id);
  if (!record || record.status === 'failed') throw new Error('The import has failed');
  return record;
}

/** Adds the proposals of a group: a type for each of these rows. */
async function propose(
  record: ImportRecord,
  groupKey: string,
  rowOf: (nth: number) => number,
): Promise<void> {
  const numbers = Array.from({ length: proposals }, (_, nth) => rowOf(nth));
  const found = await readRowsByNumber(db, currentRows(record), numbers);
  if (found.length !== proposals) throw new Error(`${found.length} rows, not ${proposals}`);
  await addProposals(
    db,
    record.id,
    found.map(({ row, byte_from, values }) => ({
      ...{ row, byteFrom: byte_from, field: 'type', before: values.type ?? null, value: 'Wall Art' },
      ...{ source: ruleSource, reason: 'By the rule “Bench”.', groupKey },
    })),
  );
}

async function take(id: string, group: string): Promise<string> {
  const filter = { field: 'type', source: ruleSource, group };
  const body = { action: 'take', filter, expectedCount: proposals };
  const { decided, command } = await call<{ decided: number; command: string }>(
    'POST',
    `/api/queue/${id}/proposals/decide`,
    body,
  );
  if (decided !== proposals) throw new Error(`${decided} were taken`);
  return command;
}

/** So many values are taken back by a task. */
async function undo(id: string, command: string): Promise<void> {
  await call('POST', `/api/queue/${id}/edits/${command}/undo`, {});
  await waitForTasks(stack.database, id, 'command is not null');
}

/** The milliseconds of edits while proposals are taken. While they are taken back, edits are refused. */
async function editMeanwhile(id: string): Promise<number[]> {
  const ms: number[] = [];
  let isDone = false;
  const decided = take(id, 'All over the file').finally(() => {
    isDone = true;
  });
  for (let nth = 0; !isDone; nth += 1) {
    const values = { title: `Edited ${nth}` };
    ms.push(await timed(() => call('PATCH', `/api/queue/${id}/rows/${rows}`, { values })));
  }
  await decided;
  return ms;
}
