import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { toChunkColumns } from '@draftshelf/core/reading/parse-chunks';
import { insertWorkChunks } from '@draftshelf/core/work/chunks';
import { type ChosenSupplier, insertImport } from '@draftshelf/core/work/runs';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { createObjectStorage, type ObjectStorage, type StorageEnv } from '@draftshelf/object-storage/connect';
import { ensureBucket, list, type StoredObject } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { splitStream } from '@draftshelf/reading/split-stream';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestServices } from './services.ts';

/** A database and a bucket for one test file. Close it after the tests. */
export type Fixture = {
  databaseUrl: string;
  database: OpenDatabase;
  storageEnv: StorageEnv;
  storage: ObjectStorage;
  /** Throws if the tests have left connections open. */
  close(): Promise<void>;
};

/** Creates a database from the migrated template, and a bucket, in the services of services.ts or in others. */
export async function openFixture(services: TestServices = inject('services')): Promise<Fixture> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const { templateDatabase } = services;
  await asAdmin(services.postgresUrl, (admin) =>
    admin.query(`create database ${name} template ${templateDatabase} strategy file_copy`),
  );
  const url = new URL(services.postgresUrl);
  url.pathname = `/${name}`;
  const storageEnv = storageEnvOf(services.s3, name.replace('_', '-'));
  const storage = createObjectStorage(storageEnv);
  await ensureBucket(storage);
  const database = openDatabase({ connectionString: url.href, applicationName: 'draftshelf-test' });
  return {
    databaseUrl: url.href,
    database,
    storageEnv,
    storage,
    close: async () => {
      await database.close();
      const left = await asAdmin(services.postgresUrl, async (admin) => {
        const names = await connectionsTo(admin, name);
        await admin.query(`drop database ${name} with (force)`);
        return names;
      });
      if (left.length > 0) throw new Error(`Connections left open: ${left.join(', ')}`);
    },
  };
}

/** The environment variables that lead a process to a fixture's database and bucket. */
export function fixtureEnv({ databaseUrl, storageEnv }: Fixture): Record<string, string> {
  return { DATABASE_URL: databaseUrl, ...storageEnv };
}

/** The environment variables of an object storage. */
export const storageEnvOf = (
  { endpoint, accessKey, secretKey, region }: TestServices['s3'],
  bucket: string,
): StorageEnv => ({
  S3_ENDPOINT: endpoint,
  S3_ACCESS_KEY: accessKey,
  S3_SECRET_KEY: secretKey,
  S3_REGION: region,
  S3_BUCKET: bucket,
});

async function asAdmin<T>(postgresUrl: string, act: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
  try {
    return await act(admin);
  } finally {
    await admin.end();
  }
}

/** Names of connected applications; a backend needs a moment to notice that its client has disconnected. */
async function connectionsTo(admin: pg.Client, database: string): Promise<string[]> {
  let names: string[] = [];
  await until('all connections closed', async () => {
    const { rows } = await admin.query(
      `select application_name from pg_stat_activity where datname = '${database}'`,
    );
    names = rows.map((row) => row.application_name);
    return names.length === 0;
  }).catch(() => {});
  return names;
}

/** The pause between two looks grows, because each of them may be a call that costs more than what is waited for. */
const pauseMsMin = 20;
const pauseMsMax = 100;
const pauseGrowth = 1.2;

/** Waits until a condition is true; throws if it is not within `msMax`, which a machine with a load of 20 needs. */
export async function until(
  condition: string,
  holds: () => Promise<boolean> | boolean,
  msMax = 100_000,
): Promise<void> {
  const deadline = performance.now() + msMax;
  let pauseMs = pauseMsMin;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${msMax} ms: ${condition}`);
    await pause(pauseMs);
    pauseMs = Math.min(pauseMsMax, pauseMs * pauseGrowth);
  }
}

/** The keys in a bucket with a prefix. */
export function storedUnder(storage: ObjectStorage, prefix: string): Promise<StoredObject[]> {
  return Array.fromAsync(list(storage, prefix));
}

/**
 * How many connections wait for a row or table lock in a fixture's database: how a test knows that a concurrent
 * transaction is blocked. Waits for advisory locks do not count: BullMQ has some while it creates its tables.
 */
export async function lockWaiters({ database }: Pick<Fixture, 'database'>): Promise<number> {
  const { rows } = await database.pool.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'advisory'`,
  );
  return rows.length;
}

/** A CSV text from lists of cells, quoted where necessary. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A simple product file: header, then `rows` different valid rows. */
export function productCsv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, i) => [`Vase ${i + 1}`, `${i + 1}.50`, `V-${i + 1}`]);
  return csvOf([['Title', 'Price', 'SKU'], ...lines]);
}

/**
 * Stores a file and its import in `processing` with its parse chunks, as an upload does, without an api. `set`
 * overrides columns of the import; `rowsMax` makes small chunks.
 */
export async function storedImport(
  fixture: Pick<Fixture, 'database' | 'storage'>,
  options: {
    csv: string;
    filename?: string;
    rowsMax?: number;
    set?: Partial<ImportRecord>;
    /** Changes the mapping that the headers suggest. */
    map?: (mapping: HeaderMapping) => HeaderMapping;
    /** Whose list it is; undefined: by evidence. */
    chosen?: ChosenSupplier | undefined;
  },
): Promise<ImportRecord> {
  const bytes = Buffer.from(options.csv);
  const objectKey = `imports/${randomBytes(8).toString('hex')}.csv`;
  await putStream(fixture.storage, objectKey, Readable.from([bytes]));
  const splitter = splitStream({ limits: readLimitsDefault, chunkRowsMax: options.rowsMax });
  splitter.push(bytes);
  const split = splitter.end();
  if (!split) throw new Error('The file has no header');
  const { dialect, headers, whole } = split;
  const mapping = options.map?.(split.mapping) ?? split.mapping;
  return fixture.database.db.transaction().execute(async (db) => {
    const values = {
      filename: options.filename ?? 'test.csv',
      file_bytes: bytes.length,
      sha256: randomBytes(32).toString('hex'),
      object_key: objectKey,
      same_as: null,
      status: 'processing',
      failed_in: null,
      paused_from: null,
      paused_by: null,
      test_mode: false,
      enable_upc: false,
      enable_ai: true,
      open_chunks: whole.cuts.length,
      total_rows: whole.rows,
      total_products: whole.products,
      product_numbers: whole.productNumbers,
      waiting_for: null,
      error_message: null,
      started_at: new Date(),
      ...options.set,
    } as const;
    const record = await insertImport(db, values, { dialect, headers, mapping, chosen: options.chosen });
    await insertWorkChunks(
      db,
      { import_id: record.id, stage: 'parse', run: 1 },
      whole.cuts.map(toChunkColumns),
    );
    return record;
  });
}
