import { remove } from '@draftshelf/object-storage/objects';
import { type Fixture, storedUnder, until } from './fixture.ts';
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

/** Postgres' code for a transaction that was ended because of a deadlock. */
const deadlock = '40P01';

/**
 * Brings a stack into the state after its start, so that another test file can use it: all processes run, and the
 * database, the bucket, the queue and the store are empty.
 */
export async function emptyStack(stack: Stack): Promise<void> {
  for (const [name, process] of stack.processes) {
    process.kill('SIGCONT');
    if (!process.isRunning()) await stack.start(name);
  }
  await Promise.all([emptyStore(stack), emptyDatabase(stack), emptyBucket(stack)]);
  await stack.emptyQueue();
}

/** The push worker knows the definitions that it has created, so they stay. */
async function emptyStore({ store }: Stack): Promise<void> {
  await store.clearFaults();
  for (const { id } of await store.products()) await store.edit(id, { deleted: true });
}

async function emptyDatabase({ database }: Fixture): Promise<void> {
  const { rows } = await database.pool.query<{ tables: string }>(
    `select string_agg(quote_ident(tablename), ', ') as tables from pg_tables
     where schemaname = 'public' and tablename <> all($1)`,
    [startTables],
  );
  // With the rows that the migrations insert. A worker that ends its last chunk may lock the same tables.
  const empty = `truncate ${rows[0]?.tables} restart identity;
    insert into settings (value) values ('{}');
    insert into count_offsets default values`;
  await until('the tables are empty', () =>
    database.pool.query(empty).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code === deadlock) return false;
        throw error;
      },
    ),
  );
}

async function emptyBucket({ storage }: Fixture): Promise<void> {
  const objects = await storedUnder(storage, '');
  await Promise.all(objects.map(({ key }) => remove(storage, key)));
}
