import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryRows, queryValue } from '../connection/query-rows.ts';
import type { RunRecord } from '../connection/schema.ts';
import type { PushRunKey } from './push-run.ts';

const stepsMax = 60;
/** Chunks per step, so that a single chunk does not look like a change of the rate. */
const chunksPerStep = 3;
const stepsMin = 4;

/** Products of a push per step of `stepMs`, from `startedAt` to `endedAt`, or to now if `endedAt` is null. */
export type PushTimeSeries = { startedAt: Date; endedAt: Date | null; stepMs: number; products: number[] };

/** Reads the series of a full push. Empty if the push has few chunks. Null for undos and retries. */
export async function readPushTimeSeries(db: Db, of: PushRunKey): Promise<PushTimeSeries | null> {
  const run = await findRow<Pick<RunRecord, 'started_at' | 'ended_at' | 'kind'> & { now: Date }>(db)`
    select started_at, ended_at, kind, now() as now from runs
    where import_id = ${of.import_id} and stage = 'push' and run = ${of.run}`;
  if (run?.kind !== 'full') return null;
  const ended = sql`import_id = ${of.import_id} and stage = 'push' and run = ${of.run} and kind = 'work'
    and state = 'done' and ended_at is not null`;
  const chunks = await queryValue<number>(db)`select count(*)::int as chunks from chunks where ${ended}`;
  const spanMs = Math.max(1, (run.ended_at ?? run.now).getTime() - run.started_at.getTime());
  const period = { startedAt: run.started_at, endedAt: run.ended_at };
  const steps = Math.min(stepsMax, Math.floor(chunks / chunksPerStep));
  if (steps < stepsMin) return { ...period, stepMs: spanMs, products: [] };
  const stepMs = spanMs / steps;
  const rows = await queryRows<{ step: number; products: number }>(db)`
    select least(${steps - 1}, greatest(0,
      floor(extract(epoch from ended_at - ${run.started_at}::timestamptz) * 1000 / ${stepMs}::float8)))::int as step,
      sum(products)::int as products
    from chunks where ${ended} group by 1`;
  const products = new Array<number>(steps).fill(0);
  for (const row of rows) products[row.step] = row.products;
  return { ...period, stepMs, products };
}

const pushesMax = 10;
/** Maximum age in days, because older pushes do not show the store's present rate. */
const daysMax = 7;
/** Minimum number of products, because a smaller push mostly waits between its steps. */
const productsMin = 10;

/** Reads products per second of the last completed pushes to a shop. Null if there are none. */
export const readPushPace = (db: Db, shop: string) =>
  queryValue<number | null>(db)`
    select sum(written)::float8 / nullif(sum(seconds), 0)::float8 as pace from (
      select created + updated as written, extract(epoch from completed_at - started_at) as seconds
      from import_records
      where status = 'completed' and completed_at > now() - ${daysMax} * interval '1 day' and shop = ${shop} and created + updated >= ${productsMin}
        and completed_at > started_at
      order by completed_at desc, id limit ${pushesMax}) last_pushes`;
