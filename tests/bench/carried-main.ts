import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetRowsMax } from '@draftshelf/contract/wire';
import { findImport } from '@draftshelf/core/imports/imports';
import { listCarriedCommands } from '@draftshelf/core/suppliers/carried-values';
import { writeProductFile } from '../../scripts/product-file.ts';
import { startBenchStack } from './bench-stack.ts';
import { callApi } from './call-api.ts';
import { describeMachine, median } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { waitForTasks, waitUntil } from './import-waits.ts';
import { uploadFile } from './upload-file.ts';

// A supplier's next lists, each as long as the first, with and without values that follow products into them. The
// values are prices, in commands on ticked rows of the first list. The second list also keeps them.
const { rows, values, rounds } = givenNumbers({ rows: 60_000, values: 20_000, rounds: 5 });

type Times = { seconds: number; finalize: number; processor: number };
const lists = ['second list', 'third list'] as const;
const figures = new Map<string, Times[]>();

const stack = await startBenchStack(['api', 'parse-worker']);
const call = callApi(stack);
const { database } = stack;
try {
  console.log(await describeMachine(database));
  const csv = join(stack.dir, 'products.csv');
  writeProductFile(csv, rows, 'ascii');
  const upload = async (supplier: number) => {
    // So that it is not known by its bytes.
    appendFileSync(csv, '\n');
    return measured(() => uploadFile(stack, csv, { supplier: String(supplier) }));
  };
  for (let round = 0; round < rounds; round += 1) {
    const suppliers = [await newSupplier(`with ${round}`), await newSupplier(`without ${round}`)] as const;
    for (const supplier of suppliers) {
      const { id } = await upload(supplier);
      if (supplier === suppliers[0]) await edit(id);
    }
    for (const list of lists) {
      for (const supplier of round % 2 === 0 ? suppliers : suppliers.toReversed()) {
        const { id, times } = await upload(supplier);
        const [command] = await listCarriedCommands(database.db, id, supplier);
        const carried = command?.edits ?? 0;
        if (carried !== (supplier === suppliers[0] ? values : 0))
          throw new Error(`${carried} values carried`);
        const label = `${list}, ${supplier === suppliers[0] ? 'with' : 'without'}`;
        figures.set(label, [...(figures.get(label) ?? []), times]);
      }
    }
  }
  report();
} finally {
  await stack.close();
}

function report(): void {
  console.log(`${values} values in ${rows} rows × 12 columns; medians of ${rounds}, upload begun → review`);
  const of = (label: string, part: keyof Times) =>
    median((figures.get(label) ?? []).map((times) => times[part]));
  for (const list of lists) {
    for (const part of ['seconds', 'finalize', 'processor'] as const) {
      const [having, without] = [of(`${list}, with`, part), of(`${list}, without`, part)];
      const ratio = `${having.toFixed(2)} s, ${(having / without).toFixed(2)} × ${without.toFixed(2)} s without`;
      console.log(`${`${list}, ${part}`.padEnd(24)} ${ratio}`);
    }
  }
}

async function measured(upload: () => Promise<string>): Promise<{ id: string; times: Times }> {
  await database.pool.query('checkpoint');
  const processor = () => stack.processor().postgres + stack.processor().product;
  const [begun, before] = [performance.now(), processor()];
  const since = () => (performance.now() - begun) / 1000;
  const id = await upload();
  let stored = 0;
  await waitUntil(async () => {
    const record = await findImport(database.db, id);
    if (record?.parsed_rows === record?.total_rows && stored === 0) stored = since();
    return record !== undefined && ['processed', 'queued'].includes(record.status);
  });
  const times = { seconds: since(), finalize: since() - stored, processor: processor() - before };
  await waitForTasks(database, id);
  return { id, times };
}

async function edit(id: string): Promise<void> {
  const chosen = Array.from({ length: values }, (_, at) => 1 + Math.floor((at * rows) / values));
  for (let at = 0; at < values; at += targetRowsMax) await editRows(id, chosen.slice(at, at + targetRowsMax));
}

async function editRows(id: string, chosen: readonly number[]): Promise<void> {
  const run = (await findImport(database.db, id))?.rows_run;
  await call('POST', `/api/queue/${id}/edits`, {
    operations: [{ kind: 'set', field: 'price', value: '4711.00' }],
    target: { rows: chosen, run },
  });
  await waitForTasks(database, id);
}

async function newSupplier(name: string): Promise<number> {
  const { rows: made } = await database.pool.query<{ id: number }>(
    'insert into suppliers (name) values ($1) returning id',
    [name],
  );
  return made[0]?.id ?? 0;
}
