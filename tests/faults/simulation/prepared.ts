import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { refreshDefinitions } from '@draftshelf/core/push/store/metafield-definitions';
import { createObjectStorage, type ObjectStorage } from '@draftshelf/object-storage/connect';
import { ensureBucket } from '@draftshelf/object-storage/objects';
import pg from 'pg';
import { startStore, type TestStore } from '../../store/start-store.ts';
import { csvOf, storageEnvOf, storedImport } from '../../support/fixture.ts';
import { memoryDirFor, type TestServices } from '../../support/services.ts';
import { createBackends } from './backends.ts';
import {
  type BaseName,
  beginPush,
  countComplete,
  type Imports,
  linesOf,
  listed,
  rated,
  withMaterial,
} from './model.ts';
import { changeGone } from './operator.ts';
import { readAndEnrich } from './read-and-enrich.ts';
import { type Run, runInSimulation, type Start } from './run-in-simulation.ts';
import { startMs } from './scheduler.ts';
import { searchPath, simulatedDefaults, simulatedFunctions } from './simulated-functions.ts';
import { createStates } from './states.ts';
import { editOf, materialDefinition, skuOf, valuesOf } from './stored-values.ts';

/** A store and a time from which runs begin. */
type Base = Pick<Start, 'storeDir' | 'atMs'>;

export type Prepared = {
  imports: Imports;
  /** Brings the database back to a base. Until the next call, a run may begin from there. */
  startFrom(base: BaseName): Promise<Start>;
  close(): Promise<void>;
};

/** As if the worker had been killed between its writes and their read-back. */
const forgetBaselines = `
  update listings set baseline = null, baseline_read_at = null;
  update pushed_states set after = null, after_read_at = null;`;

/** Makes the bases, which differ by the content of the database and of the store. */
export async function prepare(services: TestServices): Promise<Prepared> {
  const name = `simulation_${randomBytes(6).toString('hex')}`;
  const storage = createObjectStorage(storageEnvOf(services.s3, name.replace('_', '-')));
  await ensureBucket(storage);
  const folder = await mkdtemp(await memoryDirFor('simulation-'));
  await query(services.postgresUrl, `create database ${name} template ${services.templateDatabase}`);
  await query(services.postgresUrl, `alter database ${name} set search_path = ${searchPath}`);
  await query(services.postgresUrl, `alter database ${name} set plan_cache_mode = force_generic_plan`);
  const url = new URL(services.postgresUrl);
  url.pathname = `/${name}`;
  const connectionString = url.href;
  await query(connectionString, simulatedFunctions);
  await query(connectionString, simulatedDefaults);
  const admin = new pg.Client({ connectionString });
  admin.on('error', () => {});
  await admin.connect();
  // Its number: see simulatedFunctions.
  const database = openDatabase({
    ...{ connectionString, applicationName: 'judge#0', poolMax: 2, keepIdle: true, lockMsMax: 50 },
  });
  const backends = createBackends(connectionString);
  const parts = { databaseUrl: connectionString, admin, database, backends, storage, folder };
  const imports = await readImports(database, storage);
  const states = await createStates(admin);
  await states.save('read');
  const bases: Partial<Record<BaseName, Base>> = {
    read: { storeDir: await emptyStore(folder), atMs: startMs },
  };
  const startFrom = async (name: BaseName): Promise<Start> => {
    const base = bases[name];
    if (!base) throw new Error(`${name} has not been made`);
    await states.restore(name);
    return { ...parts, ...base };
  };
  const make = async (from: BaseName, to: BaseName, work: (run: Run) => Promise<void>) => {
    const storeDir = join(folder, to);
    const { wrong, scheduler } = await runInSimulation(
      await startFrom(from),
      { seed: 1, isCalm: true, keepStore: storeDir },
      async (run) => {
        await work(run);
        await readAndEnrich(run.database, storage);
        await rate(run.store);
        return [];
      },
    );
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    await states.save(to);
    bases[to] = { storeDir, atMs: scheduler.now() + 60_000 };
  };
  const push = (id: string) => async (run: Run) => {
    await beginPush(run.database, id);
    await run.settle(async () => true);
  };
  await make('read', 'pushed', push(imports.earlier));
  await make('pushed', 'updated', push(imports.list));
  await states.restore('updated');
  await admin.query(forgetBaselines);
  await states.save('unread');
  bases.unread = bases.updated;
  await states.restore('updated');
  for (const [name, hash] of [
    ['shorter', 'c'],
    ['shortest', 'd'],
  ] as const) {
    imports[name] = await readImport(database, storage, name, hash);
    await countComplete(database, imports[name]);
    await readAndEnrich(database, storage);
  }
  const atMs = Number((await database.pool.query('select last_value from sim.clock')).rows[0].last_value);
  await states.save('gone');
  if (bases.updated) bases.gone = { ...bases.updated, atMs: atMs + 60_000 };
  await make('gone', 'emptied', (run) => changeGone(run, imports.shortest, 'quantity'));
  return {
    imports,
    startFrom,
    async close() {
      await Promise.all([backends.close(), database.close(), admin.end()]);
      await rm(folder, { recursive: true });
    },
  };
}

/** A store that knows the metafield of the files. Returns its folder. */
async function emptyStore(folder: string): Promise<string> {
  const dataDir = await mkdtemp(join(folder, 'empty-'));
  const store = await startStore({ dataDir });
  await store.define(materialDefinition);
  await store.stop();
  return dataDir;
}

/** As another app does it. */
async function rate(store: TestStore): Promise<void> {
  for (const product of await store.products())
    if (rated.has(skuOf(product)) && valuesOf(product).rating === null)
      await store.edit(String(product.id), editOf({ rating: '5' }));
}

async function readImports(database: OpenDatabase, storage: ObjectStorage): Promise<Imports> {
  const definition = { ...materialDefinition, description: null, validations: [] };
  await refreshDefinitions(database.db, 'store', [definition]);
  return {
    earlier: await readImport(database, storage, 'earlier', 'a'),
    list: await readImport(database, storage, 'list', 'a'),
    other: await readImport(database, storage, 'other', 'b'),
    ...{ shorter: '', shortest: '' },
  };
}

async function readImport(
  database: OpenDatabase,
  storage: ObjectStorage,
  name: keyof Imports,
  hash: string,
): Promise<string> {
  const set = { sha256: hash.repeat(64), started_at: new Date(startMs) };
  const csv = csvOf(linesOf(listed[name]));
  const file = { csv, filename: `${name}.csv`, set, map: withMaterial };
  const { id } = await storedImport({ database, storage }, file);
  await readAndEnrich(database, storage);
  const {
    rows: [made],
  } = await database.pool.query('select status from imports where id = $1', [id]);
  if (made?.status !== 'processed') throw new Error(`${name} is ${made?.status}`);
  return id;
}

async function query(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
