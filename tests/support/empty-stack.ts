import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { requestTask } from '@draftshelf/core/work/background-tasks';
import { backgroundKinds, backgroundTaskOf } from '@draftshelf/domain/work/task-catalog';
import type { AppName } from '@draftshelf/infra/app-mains';
import { remove } from '@draftshelf/object-storage/objects';
import { runThroughDeadlocks } from './empty-tables.ts';
import { type Fixture, storedUnder } from './fixture.ts';
import { demoShop } from './merchant-product.ts';
import type { Stack } from './stack.ts';

/** Tables with rows that the processes store when they start or share while they run. */
const startTables = [
  'kysely_migration',
  'kysely_migration_lock',
  'processes',
  'sources',
  'shops',
  'store_budgets',
];

/**
 * Brings a stack into the state after its start, so that another test file can use it: the database, the bucket, the
 * queue, the store and the watched folder are empty, and of its processes those of `names` run, all by default. A store
 * keeps running.
 */
export async function emptyStack(
  stack: Stack,
  names: readonly AppName[] = [...stack.processes.keys()],
): Promise<void> {
  const isRunning = (name: AppName) => stack.processes.get(name)?.isRunning() === true;
  for (const process of stack.processes.values()) process.kill('SIGCONT');
  for (const [name, process] of stack.processes) {
    if (name === 'store-simulator') {
      if (!isRunning(name)) await stack.start(name);
      await emptyStore(stack);
    } else if (!names.includes(name)) await process.stop();
  }
  // It stores its folders when it starts, and must not read files of the test file before.
  await stack.processes.get('folder-worker')?.stop();
  await emptyFolder(stack);
  await Promise.all([emptyDatabase(stack), emptyBucket(stack)]);
  await stack.emptyQueue();
  await Promise.all(names.filter((name) => !isRunning(name)).map(stack.start));
}

/** The push worker knows the definitions that it has created, so they stay. */
async function emptyStore({ store }: Stack): Promise<void> {
  await store.clearFaults();
  for (const { id } of await store.products()) await store.edit(id, { deleted: true });
}

async function emptyDatabase({ database }: Fixture): Promise<void> {
  const { rows } = await database.pool.query<{ tables: string }>(
    `select string_agg(quote_ident(relname), ', ') as tables from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all($1)
       and pg_relation_size(oid) > 0`,
    [startTables],
  );
  // With the rows that the migrations insert, and without other stores that the file before has connected. A worker
  // that ends its last chunk may lock the same tables. All of them, also those without pages, would take three times as
  // long.
  const empty = `truncate ${rows[0]?.tables} restart identity cascade;
    insert into settings (value) values ('{}');
    insert into hourly_counts (hour, import_id) values ('-infinity', '00000000-0000-0000-0000-000000000000');
    insert into ai_service default values;
    delete from shops where shop <> '${demoShop}'`;
  await runThroughDeadlocks(database, empty);
  // Workers that keep running add them only when they start. Those of folders start again, and no keeper runs.
  const ofInstallation = backgroundKinds.filter(
    (kind) => backgroundTaskOf(kind).subject === undefined && backgroundTaskOf(kind).place !== 'keeper',
  );
  for (const kind of ofInstallation) await requestTask(database.db, kind);
}

async function emptyBucket({ storage }: Fixture): Promise<void> {
  const objects = await storedUnder(storage, '');
  await Promise.all(objects.map(({ key }) => remove(storage, key)));
}

async function emptyFolder({ watchFolder }: Stack): Promise<void> {
  const names = await readdir(watchFolder);
  await Promise.all(names.map((name) => rm(join(watchFolder, name), { recursive: true })));
}
