import { type Stage, stages } from '@draftshelf/domain/imports/stages';
import { estimatePushRate, paceWindowSeconds, type StageWork } from '@draftshelf/domain/work/pace';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryRows } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { connectedShop } from '../enrich/store-answers.ts';
import { readPushPace } from '../push/push-series.ts';

/** Maximum number of open imports in the queue's screen. */
const importsMax = 500;
/** Maximum number of read ledger entries: 20 seconds at 250 products per second. */
const entriesMax = 5_000;

export type RunningWork = {
  now: Date;
  works: ReadonlyMap<string, StageWork>;
  /** Number of records of each stage in each of the last seconds, including those of imports that have ended since. */
  throughput: ReadonlyMap<Stage, readonly number[]>;
  /** Expected products per second of a push. Null if unknown, or if no push is running. */
  expectedPushRate: number | null;
};

type UnderWay = Pick<ImportRecord, 'id' | 'status' | 'stage' | 'waiting_for' | 'waiting_until'> & {
  started_at: Date;
  done: number;
  total: number;
};

export async function readRunningWork(db: Db): Promise<RunningWork> {
  const rows = await queryRows<UnderWay & { now: Date }>(db)`
    select id, status, stage, waiting_for, waiting_until, coalesce(started_at, created_at) as started_at,
      case stage when 'push' then push_done when 'enrich' then enriched_rows else parsed_rows end as done,
      case stage when 'push' then push_total when 'enrich' then enrich_rows else total_rows end as total,
      clock_timestamp() as now
    from import_records where status in ('processing','uploading','paused')
    order by created_at desc, id limit ${importsMax}`;
  // An import paused by the store counts as running, because it resumes by itself.
  const running = rows.filter(({ status, waiting_for }) => status !== 'paused' || waiting_for !== null);
  const isPushing = running.some(({ stage }) => stage === 'push');
  const counts = [
    ...(isPushing ? await countPushed(db) : []),
    ...(running.some(({ stage }) => stage !== 'push') ? await countRead(db) : []),
  ];
  return {
    now: rows[0]?.now ?? new Date(),
    works: new Map(rows.map((row) => [row.id, workOf(row, counts)])),
    throughput: new Map(
      stages.map((stage) => [stage, bySecond(counts.filter((count) => count.stage === stage))]),
    ),
    expectedPushRate: isPushing ? await readExpectedRate(db) : null,
  };
}

type Count = { import_id: string; stage: Stage; ago: number; units: number; last: Date };

/** Counts products with a result of a push or an undo, by import and second. */
const countPushed = (db: Db) =>
  queryRows<Count>(db)`
    select import_id, 'push' as stage, ${agoOf('recorded_at')} as ago, count(*)::int as units,
      max(recorded_at) as last
    from (select import_id, origin, recorded_at from ledger order by id desc limit ${entriesMax}) newest
    where origin in ('push','undo') group by 1, 2, 3`;

/** Counts rows of completed chunks, by import and second. */
const countRead = (db: Db) =>
  queryRows<Count>(db)`
    select import_id, chunks.stage, ${agoOf('ended_at')} as ago, coalesce(sum(rows), 0)::int as units,
      max(ended_at) as last
    from import_records as imports join chunks on chunks.import_id = imports.id and chunks.stage = imports.stage
      and chunks.run = case imports.stage when 'parse' then parse_run else enrich_run end
    where imports.status = 'processing' and kind = 'work' and state = 'done' group by 1, 2, 3`;

/** SQL: whole seconds since a time. Future times give 0, and times before the window give the window's length. */
const agoOf = (column: string) =>
  sql<number>`least(${sql.lit(paceWindowSeconds)}, greatest(0,
    floor(extract(epoch from clock_timestamp() - ${sql.ref(column)}))))::int`;

function bySecond(counts: readonly Count[]): number[] {
  const seconds = Array.from({ length: paceWindowSeconds }, () => 0);
  for (const { ago, units } of counts) {
    if (ago < paceWindowSeconds) seconds[ago] = (seconds[ago] ?? 0) + units;
  }
  return seconds;
}

function workOf(row: UnderWay, counts: readonly Count[]): StageWork {
  const isWaiting = row.waiting_for !== null;
  const own = counts.filter((count) => count.import_id === row.id && count.stage === row.stage);
  return {
    stage: row.stage,
    done: row.done,
    total: row.total,
    state: isWaiting ? 'waiting' : row.status === 'paused' ? 'paused' : 'running',
    waitsUntilMs: isWaiting ? (row.waiting_until?.getTime() ?? null) : null,
    startedMs: row.started_at.getTime(),
    lastMs: own.length === 0 ? null : Math.max(...own.map(({ last }) => last.getTime())),
    throughput: bySecond(own),
  };
}

async function readExpectedRate(db: Db): Promise<number | null> {
  const store = await findRow<{ shop: string; restore_rate: number | null }>(db)`
    select shops.shop, restore_rate from shops
    left join store_budgets on store_budgets.shop = split_part(split_part(shops.url, '://', 2), '/', 1)
    where shops.shop in ${connectedShop} limit 1`;
  if (!store) return null;
  return estimatePushRate({
    lastPushes: await readPushPace(db, store.shop),
    restoreRate: store.restore_rate,
  });
}
