import { randomBytes } from 'node:crypto';
import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { findInImports } from '@draftshelf/core/review/row-matches';
import { checkGuards } from '@draftshelf/core/suppliers/check-guards';
import { countList } from '@draftshelf/core/suppliers/count-list';
import { keepItems } from '@draftshelf/core/suppliers/keep-items';
import { keepAndRetire } from '@draftshelf/core/suppliers/keep-values';
import { finalizeEnrich } from '@draftshelf/core/work/finalize/finalize-enrich';
import { finalizeParse } from '@draftshelf/core/work/finalize/finalize-parse';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import { createObjectStorage, type ObjectStorage } from '@draftshelf/object-storage/connect';
import { ensureBucket } from '@draftshelf/object-storage/objects';
import type { ChunkQueue } from '@draftshelf/queues/connection';
import { ChunkPayload } from '@draftshelf/queues/pipeline';
import { relayOnce } from '@draftshelf/queues/relay';
import { runChunk, type StageWork } from '@draftshelf/queues/run-chunk';
import { createLogger } from '@draftshelf/runtime/logger';
import pg from 'pg';
import { enrichChunk } from '../../../apps/enrich-worker/src/enrich-chunk.ts';
import { chunkMemory } from '../../../apps/parse-worker/src/chunk-memory.ts';
import { parseChunk } from '../../../apps/parse-worker/src/parse-chunk.ts';
import { csvOf, storedImport } from '../../support/fixture.ts';
import type { TestServices } from '../../support/services.ts';
import { startMs } from './scheduler.ts';

/** A database from which each run of a scenario gets a copy, with an import that is ready to be pushed. */
export type Prepared = {
  services: TestServices;
  template: string;
  importId: string;
  products: number;
  storage: ObjectStorage;
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

const searchPath = 'public, sim, pg_catalog';

/** The products of the import: title, price and SKU. */
export const productsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    title: `Vase ${at + 1}`,
    price: `${at + 1}.50`,
    sku: `V-${at + 1}`,
  }));

/** Makes the database of an import with so many products, read and enriched. */
export async function prepareImport(services: TestServices, count: number): Promise<Prepared> {
  const template = `simulation_${randomBytes(6).toString('hex')}`;
  await copyDatabase(services, services.templateDatabase, template);
  const client = new pg.Client({ connectionString: urlOf(services, template) });
  await client.connect();
  await client.query(simulatedClock);
  await client.query(simulatedDefaults);
  await client.end();
  const storage = createObjectStorage({ ...services.s3, bucket: template.replace('_', '-') });
  await ensureBucket(storage);
  const database = openDatabase({ connectionString: urlOf(services, template), applicationName: 'prepare' });
  try {
    const rows = productsOf(count).map(({ title, price, sku }) => [title, price, sku]);
    const csv = csvOf([['Title', 'Price', 'SKU'], ...rows]);
    const set = { sha256: 'a'.repeat(64), started_at: new Date(startMs) };
    const { id } = await storedImport({ database, storage }, { csv, set });
    await readAndEnrich(database, storage);
    return { services, template, importId: id, products: count, storage };
  } finally {
    await database.close();
  }
}

/** Does what the parse and the enrich worker have to do, with no faults. */
export async function readAndEnrich(database: OpenDatabase, storage: ObjectStorage): Promise<void> {
  const limits = { csvBytesMax: 1e8, archiveBytesMax: 1e8, recordBytesMax: 1e6, cellBytesMax: 1e6 };
  const parts = { storage, limits: { ...limits, columnsMax: 1000, rowsMax: 1e6 }, memory: chunkMemory() };
  const parse: StageWork = {
    stage: 'parse',
    perform: (work) => parseChunk(work, parts),
    finalize: finalizeParse,
    tasks: {
      ...{ 'find-in-imports': findInImports, 'retire-rows': keepAndRetire, 'keep-items': keepItems },
      ...{ 'count-list': countList, 'check-guards': checkGuards },
    },
  };
  const enrich: StageWork = { stage: 'enrich', perform: enrichChunk, finalize: finalizeEnrich, tasks: {} };
  for (let isIdle = false; !isIdle; ) {
    isIdle = !(await doPending(database, parse)) && !(await doPending(database, enrich));
  }
}

async function doPending(database: OpenDatabase, step: StageWork): Promise<boolean> {
  const payloads: unknown[] = [];
  const queue = {
    add: async (_: string, data: unknown) => void payloads.push(data),
  } as unknown as ChunkQueue;
  await relayOnce(database, queue, step.stage);
  const logger = createLogger({ name: 'prepare', level: 'silent', pretty: false });
  const { signal } = new AbortController();
  let done = false;
  for (const payload of payloads) {
    await runChunk(ChunkPayload.parse(payload), step, { database, logger, tallies: createTallies(), signal });
    done = true;
  }
  return done;
}

/** Runs `use` with a copy of a database, which is dropped afterwards. */
export async function withCopy<T>(
  { services, template }: Prepared,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const name = `run_${randomBytes(6).toString('hex')}`;
  await copyDatabase(services, template, name);
  try {
    return await use(urlOf(services, name));
  } finally {
    await asAdmin(services, `drop database ${name} with (force)`);
  }
}

/** Copies a database as it is now; nothing may be connected to it. */
export async function copyDatabase(services: TestServices, from: string, to: string): Promise<void> {
  await asAdmin(services, `create database ${to} template ${from} strategy file_copy`);
  await asAdmin(services, `alter database ${to} set search_path = ${searchPath}`);
}

export function urlOf(services: TestServices, name: string): string {
  const url = new URL(services.postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdmin(services: TestServices, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: services.postgresUrl });
  await admin.connect();
  await admin.query(statement).finally(() => admin.end());
}
