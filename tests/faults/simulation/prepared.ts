import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { createObjectStorage, type ObjectStorage } from '@draftshelf/object-storage/connect';
import { ensureBucket } from '@draftshelf/object-storage/objects';
import pg from 'pg';
import { csvOf, storedImport } from '../../support/fixture.ts';
import type { TestServices } from '../../support/services.ts';
import { type BaseName, beginPush, type Imports, listed } from './model.ts';
import { readAndEnrich } from './read-and-enrich.ts';
import { runInSimulation, type Start } from './run-in-simulation.ts';
import { startMs } from './scheduler.ts';

/** A database and a store from which runs begin, each with a copy. */
type Base = { template: string; storeDir: string | null; atMs: number };

export type Prepared = {
  imports: Imports;
  /** Runs `use` with a copy of a base, which is dropped afterwards. */
  withCopy<T>(base: BaseName, use: (start: Start) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Schema `sim`, which goes before pg_catalog: clock and ids of Postgres repeat with the seed. */
const simulatedClock = `
  create schema sim;
  create sequence sim.clock minvalue 0;
  create sequence sim.ids;
  create function sim.clock_timestamp() returns timestamptz language sql volatile as
    'select pg_catalog.to_timestamp(last_value / 1000.0) from sim.clock';
  create function sim.now() returns timestamptz language sql volatile as 'select sim.clock_timestamp()';
  create function sim.gen_random_uuid() returns uuid language sql volatile as
    $$select (pg_catalog.lpad('', 20, '0') || pg_catalog.lpad(pg_catalog.to_hex(nextval('sim.ids')), 12, '0'))::uuid$$;
  select setval('sim.clock', ${startMs});`;

/** Column defaults name the functions that they were made with. */
const simulatedDefaults = `
  do $$ declare def record; begin
    for def in select adrelid::regclass as owner, attname, pg_get_expr(adbin, adrelid) as value
      from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
      where pg_get_expr(adbin, adrelid) ~ 'pg_catalog\\.(now|clock_timestamp|gen_random_uuid)\\(' and attgenerated = ''
    loop
      execute format('alter table %s alter %I set default %s', def.owner, def.attname, replace(def.value, 'pg_catalog.', 'sim.'));
    end loop;
  end $$`;

/** As if the worker had been killed between its writes and their read-back. */
const forgetBaselines = `
  update listings set baseline = null, baseline_read_at = null;
  update pushed_states set after = null, after_read_at = null;`;

const searchPath = 'public, sim, pg_catalog';

/** Makes the bases, which differ by the database and the store. */
export async function prepare(services: TestServices): Promise<Prepared> {
  const name = `simulation_${randomBytes(6).toString('hex')}`;
  const storage = createObjectStorage({ ...services.s3, bucket: name.replace('_', '-') });
  await ensureBucket(storage);
  const folder = await mkdtemp(join(tmpdir(), 'simulation-'));
  const imports = await readImports(services, name, storage);
  const bases: Partial<Record<BaseName, Base>> = { read: { template: name, storeDir: null, atMs: startMs } };
  const startOf = ({ template, ...base }: Base): Start => ({
    ...{ ...base, storage, databaseUrl: urlOf(services, template) },
  });
  const baseOf = (base: BaseName): Base => {
    const found = bases[base];
    if (!found) throw new Error(`${base} has not been made`);
    return found;
  };
  const push = async (from: BaseName, to: BaseName, id: string) => {
    const before = baseOf(from);
    const after = { ...before, template: `${name}_${to}`, storeDir: join(folder, to) };
    await copyDatabase(services, before.template, after.template);
    const start = { ...startOf(after), storeDir: before.storeDir };
    const { wrong, scheduler } = await runInSimulation(
      start,
      { seed: 1, isCalm: true, keepStore: after.storeDir },
      async (run) => {
        await beginPush(run.database, id);
        await run.settle(async () => true);
        await readAndEnrich(run.database, storage);
        return [];
      },
    );
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    bases[to] = { ...after, atMs: scheduler.now() + 60_000 };
  };
  await push('read', 'pushed', imports.earlier);
  await push('pushed', 'updated', imports.list);
  const unread = `${name}_unread`;
  await copyDatabase(services, baseOf('updated').template, unread);
  await query(urlOf(services, unread), forgetBaselines);
  bases.unread = { ...baseOf('updated'), template: unread };
  return {
    imports,
    async withCopy(base, use) {
      const copy = `run_${randomBytes(6).toString('hex')}`;
      await copyDatabase(services, baseOf(base).template, copy);
      try {
        return await use({ ...startOf(baseOf(base)), databaseUrl: urlOf(services, copy) });
      } finally {
        await asAdmin(services, `drop database ${copy} with (force)`);
      }
    },
    close: () => rm(folder, { recursive: true }),
  };
}

async function readImports(services: TestServices, name: string, storage: ObjectStorage): Promise<Imports> {
  await copyDatabase(services, services.templateDatabase, name);
  await query(urlOf(services, name), simulatedClock);
  await query(urlOf(services, name), simulatedDefaults);
  const database = openDatabase({ connectionString: urlOf(services, name), applicationName: 'prepare' });
  try {
    return {
      earlier: await readImport(database, storage, 'earlier', 'a'),
      list: await readImport(database, storage, 'list', 'a'),
      other: await readImport(database, storage, 'other', 'b'),
    };
  } finally {
    await database.close();
  }
}

async function readImport(
  database: OpenDatabase,
  storage: ObjectStorage,
  name: keyof Imports,
  hash: string,
): Promise<string> {
  const rows = listed[name].map(({ title, price, sku }) => [title, price, sku]);
  const set = { sha256: hash.repeat(64), started_at: new Date(startMs) };
  const csv = csvOf([['Title', 'Price', 'SKU'], ...rows]);
  const { id } = await storedImport({ database, storage }, { csv, filename: `${name}.csv`, set });
  await readAndEnrich(database, storage);
  const {
    rows: [made],
  } = await database.pool.query('select status from imports where id = $1', [id]);
  if (made?.status !== 'processed') throw new Error(`${name} is ${made?.status}`);
  return id;
}

/** Copies a database as it is now; nothing may be connected to it. */
async function copyDatabase(services: TestServices, from: string, to: string): Promise<void> {
  await asAdmin(services, `create database ${to} template ${from} strategy file_copy`);
  await asAdmin(services, `alter database ${to} set search_path = ${searchPath}`);
}

function urlOf(services: TestServices, name: string): string {
  const url = new URL(services.postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

const asAdmin = ({ postgresUrl }: TestServices, statement: string) => query(postgresUrl, statement);

async function query(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
