import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { backUp } from '@draftshelf/backup/back-up';
import { formatTotalSize } from '@draftshelf/backup/manifest';
import { restore } from '@draftshelf/backup/restore';
import { openDatabase } from '@draftshelf/core/connection/database';
import { findImport } from '@draftshelf/core/imports/imports';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { startBenchStack } from './bench-stack.ts';
import { describeMachine, timed } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { writeMixedProductFile } from './mixed-product-file.ts';
import { uploadFile } from './upload-file.ts';

// A backup of one large import while the product runs, and its restore into an empty database of the same Postgres.
const { rows } = givenNumbers({ rows: 1_000_000 });
const lookEveryMs = 100;

const stack = await startBenchStack(['api', 'parse-worker', 'enrich-worker']);
try {
  const csv = join(stack.dir, 'bench.csv');
  writeMixedProductFile(csv, rows);
  const id = await uploadFile(stack, csv);
  while ((await findImport(stack.database.db, id))?.status === 'processing') await pause(lookEveryMs);
  console.log(await describeMachine(stack.database));

  const directory = join(stack.dir, 'backup');
  const work = {
    signal: new AbortController().signal,
    report: (sentence: string) => console.log(`  ${sentence}`),
  };
  const storage = createObjectStorage(stack.storage);
  let size = '';
  const backupMs = await timed(async () => {
    const { tables, objects } = await backUp(directory, { ...work, storage, database: stack.database });
    size = formatTotalSize([...tables, ...objects]);
  });
  console.log(`backup of ${rows} rows: ${(backupMs / 1000).toFixed(1)} s, ${size}`);

  await stack.database.pool.query('create database restored');
  const url = new URL(stack.database.pool.options.connectionString ?? '');
  url.pathname = '/restored';
  const database = openDatabase({ connectionString: url.href, applicationName: 'draftshelf-bench' });
  const restored = createObjectStorage({ ...stack.storage, S3_BUCKET: 'restored' });
  const restoreMs = await timed(() =>
    restore(directory, { ...work, storage: restored, database, sealingKeys: null }),
  );
  await database.close();
  console.log(`restore of ${rows} rows: ${(restoreMs / 1000).toFixed(1)} s`);
} finally {
  await stack.close();
}
