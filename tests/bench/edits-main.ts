import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findImport } from '@draftshelf/core/imports/imports';
import { editRows } from '@draftshelf/core/review/edits';
import { writeProductFile } from '../../scripts/product-file.ts';
import { startBenchStack } from './bench-stack.ts';
import { callApi } from './call-api.ts';
import { describeMachine, median, percentile } from './figures.ts';
import { waitUntil } from './import-waits.ts';
import { uploadFile } from './upload-file.ts';

// Files with edits, uploaded again and re-read, compared with the same files without edits, in the same run.
const { values: given } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, 'small-only': { type: 'boolean', default: false } },
});
const rounds = Number(given.rounds);
/** The maximum of one command. */
const rowsPerCommand = 2_000;

const stack = await startBenchStack(['api', 'parse-worker']);
const call = callApi(stack);
try {
  console.log(await describeMachine(stack.database));
  await measure({ rows: 60_000, edits: 1_000 });
  if (!given['small-only']) await measure({ rows: 600_000, edits: 20_000 });
} finally {
  await stack.close();
}

async function measure({ rows, edits }: { rows: number; edits: number }): Promise<void> {
  const csv = join(stack.dir, `products-${rows}.csv`);
  writeProductFile(csv, rows, 'ascii');
  console.log(`\n${rows} rows × 12 columns, ${edits} edits; medians of ${rounds}`);
  const plain = await timesOf(() => importFile(csv));
  const id = plain.ids.at(-1) ?? '';
  const reread = await timesOf(() => rereadFile(id));
  report('ready for review, no edits', plain.ms, plain.ms);
  report('read again, no edits', reread.ms, reread.ms);

  const patches = await patchRows(id, rows, Math.min(edits, 200));
  console.log(
    `one edit by PATCH                 median ${median(patches).toFixed(1)} ms, p99 ${percentile(patches, 99).toFixed(1)} ms`,
  );
  const begun = performance.now();
  await editMany(id, rows, edits);
  console.log(
    `edits in sets of ${rowsPerCommand}            ${(((performance.now() - begun) / edits) * 1000).toFixed(0)} µs an edit`,
  );
  const second = await importFile(csv);
  report('uploaded again', second.ms, plain.ms);
  report('a third time', (await importFile(csv)).ms, plain.ms);
  report('read again, with the edits', (await timesOf(() => rereadFile(second.id))).ms, reread.ms);
  await expectEdits(second.id, edits);
}

function report(what: string, ms: number, reference: number): void {
  console.log(`${what.padEnd(34)}${(ms / 1000).toFixed(2)} s (${(ms / reference).toFixed(2)} ×)`);
}

async function timesOf(once: () => Promise<{ id: string; ms: number }>) {
  const all: { id: string; ms: number }[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await once());
  return { ids: all.map(({ id }) => id), ms: median(all.map(({ ms }) => ms)) };
}

/** Uploads a file and waits until it is ready for review. */
async function importFile(csv: string): Promise<{ id: string; ms: number }> {
  await stack.database.pool.query('checkpoint');
  const begun = performance.now();
  const id = await uploadFile(stack, csv);
  await ended(id);
  return { id, ms: performance.now() - begun };
}

/** Re-reads the stored file in the same dialect. */
async function rereadFile(id: string): Promise<{ id: string; ms: number }> {
  await stack.database.pool.query('checkpoint');
  const begun = performance.now();
  await call('POST', `/api/queue/${id}/dialect`, { delimiter: ',' });
  await ended(id);
  return { id, ms: performance.now() - begun };
}

async function ended(id: string): Promise<void> {
  await waitUntil(async () => (await findImport(stack.database.db, id))?.status !== 'processing');
  const status = (await findImport(stack.database.db, id))?.status ?? 'gone';
  if (!['processed', 'queued'].includes(status)) throw new Error(`The import is ${status}`);
}

/** Edits single rows across the file; returns the milliseconds of each edit. */
async function patchRows(id: string, rows: number, count: number): Promise<number[]> {
  const took: number[] = [];
  for (const row of spread(rows, count)) {
    const begun = performance.now();
    await call('PATCH', `/api/queue/${id}/rows/${row}`, { values: { title: `Edited ${row}` } });
    took.push(performance.now() - begun);
  }
  return took;
}

async function editMany(id: string, rows: number, count: number): Promise<void> {
  const numbers = spread(rows, count);
  for (let from = 0; from < numbers.length; from += rowsPerCommand) {
    const changes = numbers
      .slice(from, from + rowsPerCommand)
      .map((row) => ({ row, values: { title: `Edited ${row}`, price: '7.50' } }));
    const edited = await stack.database.db
      .transaction()
      .execute((trx) => editRows(trx, id, { kind: 'single' }, changes));
    if (!edited.ok) throw new Error(edited.reason);
  }
}

function spread(rows: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => 1 + Math.floor((at * rows) / count));
}

async function expectEdits(id: string, edits: number): Promise<void> {
  const { rows } = await stack.database.pool.query<{ edited: number }>(
    `select count(*)::int as edited from rows join imports on imports.id = rows.import_id and rows_run = run
     where import_id = $1 and title like 'Edited %' and price = '7.50'`,
    [id],
  );
  if (rows[0]?.edited !== edits) throw new Error(`${rows[0]?.edited} of ${edits} edits are in the rows`);
}
