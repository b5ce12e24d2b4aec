import { saveSettings } from '@draftshelf/core/access/settings';
import { isDatabaseUnavailable } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { pushImport } from '@draftshelf/core/work/import-actions';
import type { Stage } from '@draftshelf/domain/imports/stages';
import type { AppName } from '@draftshelf/infra/app-mains';
import type { AppProcess } from '../support/app-process.ts';
import { storedImport, until } from '../support/fixture.ts';
import { beginWatching } from '../support/folder-steps.ts';
import type { QueueBackend } from '../support/queue-backend.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { type OwnServices, startOwnServices } from './own-services.ts';
import { type Truth, truthOf } from './true-file.ts';

/** A stack on services that may be killed. */
export type FaultStack = Stack & { backend: QueueBackend; services: OwnServices };

/** The processes of a fault stack. */
export const faultApps: AppName[] = [
  'store-simulator',
  'parse-worker',
  'enrich-worker',
  'push-worker',
  'folder-worker',
  'api',
];

/** Enrich takes 100 ms for a file of this size, too short to meet it in the middle of its work. */
const slowEnrich = `
  create function take_time() returns trigger language plpgsql as
    'begin perform pg_sleep(0.5); return null; end';
  create trigger slow_enrich after insert on found_values for each statement execute function take_time()`;

/** Starts services and processes. One chunk at a time per worker, so that there is work left when a fault occurs. */
export async function startFaultStack(
  backend: QueueBackend,
  env: Record<string, string> = { CONCURRENCY: '1', FOLDER_SETTLE_MS: '500' },
  rootOf?: (name: AppName) => URL,
): Promise<FaultStack> {
  const services = await startOwnServices();
  try {
    const stack = await startStack({
      names: faultApps,
      backend,
      services,
      asApp: true,
      env,
      ...(rootOf && { rootOf }),
    });
    const close = async () => {
      try {
        await stack.close();
      } finally {
        await services.stop();
      }
    };
    const faultStack = { ...stack, backend, services, close };
    await stack.database.pool.query(slowEnrich);
    // As in the files of `beginImport`.
    await saveSettings(stack.database.db, { upcLookup: false });
    await beginWatching(faultStack);
    return faultStack;
  } catch (error) {
    await services.stop();
    throw error;
  }
}

/** An import in work, and its expected result. */
export type Work = { id: string; truth: Truth; rowsPerChunk: number };

/** The other faults of a round may delay everything: each is over after about a minute. */
export const otherFaultsMsMax = 420_000;

let labels = 0;

/** Stores a file whose rows are to be parsed and enriched, in small chunks. `wordy`: a kilobyte each. */
export async function beginImport(
  stack: Stack,
  rows: number,
  rowsPerChunk: number,
  wordy = false,
): Promise<Work> {
  labels += 1;
  const truth = truthOf(`L${labels}`, rows, wordy);
  const { id } = await storedImport(stack, {
    csv: truth.csv,
    filename: `fault-${labels}.csv`,
    rowsMax: rowsPerChunk,
  });
  return { id, truth, rowsPerChunk };
}

/** Begins to push a processed import. */
export async function beginPush(stack: Stack, { id }: Work, productsPerChunk: number): Promise<void> {
  const moved = await stack.database.db
    .transaction()
    .execute((trx) => pushImport(trx, id, productsPerChunk, { supplier: null }));
  if (!moved.ok) throw new Error(moved.reason);
}

/** A condition that is read from Postgres: false while that is away. */
export const unlessAway = (holds: () => Promise<boolean>) => async (): Promise<boolean> => {
  try {
    return await holds();
  } catch (error) {
    if (isDatabaseUnavailable(error)) return false;
    throw error;
  }
};

/** Continues a frozen process and waits until it reports itself again. */
export async function thaw({ database: { pool } }: Stack, frozen: AppProcess): Promise<void> {
  const { rows } = await pool.query('select clock_timestamp() as now');
  frozen.kill('SIGCONT');
  await until('it reports itself again', async () => {
    const { rowCount } = await pool.query('select from processes where pid = $1 and seen_at > $2', [
      frozen.pid,
      rows[0].now,
    ]);
    return rowCount === 1;
  });
}

/** The current import; waits while the database is down. */
export async function readImport(stack: Stack, id: string): Promise<ImportRecord> {
  let record: ImportRecord | undefined;
  await until(
    'the database answers',
    async () => {
      try {
        record = await findImport(stack.database.db, id);
        return true;
      } catch (error) {
        if (isDatabaseUnavailable(error)) return false;
        throw error;
      }
    },
    60_000,
  );
  if (!record) throw new Error('The import is gone');
  return record;
}

/** Whether workers have nothing to do for an import. */
export const restingStatus = (status: string): boolean => restingStatuses.includes(status);

const restingStatuses = ['processed', 'queued', 'completed', 'failed', 'cancelled'];

/** Waits until workers have nothing to do for an import; throws with its state if that takes too long. */
export async function reachRest(stack: Stack, id: string, msMax = otherFaultsMsMax): Promise<ImportRecord> {
  let record = await readImport(stack, id);
  await until(
    'the import has come to rest',
    async () => {
      record = await readImport(stack, id);
      return restingStatus(record.status);
    },
    msMax,
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await describe(stack, record)}`);
  });
  return record;
}

/** Waits until that many products of a push are decided; throws with the import's state if that takes too long. */
export async function reachPushed(stack: Stack, id: string, products: number): Promise<void> {
  let record = await readImport(stack, id);
  await until(
    `${products} products are decided`,
    async () => {
      record = await readImport(stack, id);
      return record.push_done >= products || restingStatus(record.status);
    },
    otherFaultsMsMax,
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await describe(stack, record)}`);
  });
}

async function describe(stack: Stack, record: ImportRecord): Promise<string> {
  const { status, stage, open_chunks, parsed_rows, enriched_rows, push_done, waiting_for, error_message } =
    record;
  const chunks = await stack.database.db
    .selectFrom('chunks')
    .select([
      'id',
      'kind',
      'stage',
      'state',
      'publication',
      'claims',
      'attempts',
      'waits',
      'not_before',
      'error',
    ])
    .where('import_id', '=', record.id)
    .where('state', 'not in', ['done', 'dropped'])
    .limit(5)
    .execute();
  const outputs = [...stack.processes.values()].map((one) => `${one.name}:\n${one.output().slice(-1500)}`);
  const now = {
    status,
    stage,
    open_chunks,
    parsed_rows,
    enriched_rows,
    push_done,
    waiting_for,
    error_message,
  };
  return `${JSON.stringify(now)}\n${JSON.stringify(chunks)}\n${outputs.join('\n')}`;
}

/** The progress of a stage of an import. Rows that are not parsed yet may still have to be enriched. */
export function progressOf(record: ImportRecord, stage: Stage): { done: number; total: number } {
  const { parsed_rows, total_rows, enriched_rows, enrich_rows, push_done, push_total } = record;
  if (stage === 'parse') return { done: parsed_rows, total: total_rows };
  if (stage === 'enrich') return { done: enriched_rows, total: enrich_rows + total_rows - parsed_rows };
  return { done: push_done, total: push_total };
}
