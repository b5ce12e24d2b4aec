import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Corrections } from '@draftshelf/contract/review/corrections';
import { findImport } from '@draftshelf/core/imports/imports';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { writeProductFile } from '../../scripts/product-file.ts';
import { begunCorrections } from '../support/corrected-file.ts';
import { startBenchStack } from './bench-stack.ts';
import { callApi } from './call-api.ts';
import { describeMachine } from './figures.ts';
import { waitForTasks, waitUntil } from './import-waits.ts';
import { uploadFile } from './upload-file.ts';

// Corrections of many rows of an import: compared and applied. The reference is one command that sets the prices of the
// rows of a search, which changes rows in the same way, but compares nothing.
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '60000' },
    corrected: { type: 'string', default: '10000' },
    // A value that a product has once is compared with the one of its first row.
    column: { type: 'string', default: 'Price' },
    shuffled: { type: 'boolean', default: false },
  },
});
const [rows, corrected] = [Number(given.rows), Number(given.corrected)];

const stack = await startBenchStack(['api', 'parse-worker']);
const call = callApi(stack);
const { database } = stack;
const storage = createObjectStorage(stack.storage);
try {
  console.log(await describeMachine(database));
  const csv = join(stack.dir, `products-${rows}.csv`);
  writeProductFile(csv, rows, 'ascii');
  const id = await uploadFile(stack, csv);
  await waitUntil(async () => (await findImport(database.db, id))?.status !== 'processing');
  await waitForTasks(database, id, "kind = 'task'");
  console.log(`\n${corrected} corrections in a list of ${rows} rows`);
  await measured('22 % of prices set (reference)', async () => {
    // The filter finds 22 of 100 rows: 13,200 of 60,000.
    const target = { q: 'acme 1' };
    await call('POST', `/api/queue/${id}/edits`, {
      target,
      operations: [{ kind: 'set', field: 'price', value: '5.55' }],
    });
    await waitForTasks(database, id, "kind = 'task'");
  });
  let corrections = '';
  await measured('compared', async () => {
    const value = (row: number) => (given.column === 'Price' ? `${row % 90}.01` : `Corrected ${row}`);
    const change = { rows: corrected, column: given.column, value, isShuffled: given.shuffled };
    corrections = await begunCorrections({ ...stack, storage }, id, change);
    await waitForTasks(database, id, "kind = 'task'");
  });
  const found = await call<Corrections>('GET', `/api/queue/${id}/corrections/${corrections}`);
  console.log(`${found.lines.change} changes in ${found.rows} rows`);
  await measured('applied', async () => {
    await call('POST', `/api/queue/${id}/corrections/${corrections}/apply`);
    await waitForTasks(database, id, "kind = 'task'");
  });
} finally {
  await stack.close();
}

async function measured(what: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  await work();
  console.log(`${what.padEnd(32)}${((performance.now() - begun) / 1000).toFixed(2)} s`);
}
