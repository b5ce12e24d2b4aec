import type { OpenDatabase } from '@draftshelf/core/connection/database';
import {
  countOpenChunks,
  listTableSizes,
  readStoredMetrics,
} from '@draftshelf/core/operate/conditions/stored-metrics';
import { countImportsByStatus, listProcesses } from '@draftshelf/core/operate/system';
import { readStoreBudget } from '@draftshelf/core/push/store/store-budget';
import { conditionIds } from '@draftshelf/domain/operate/conditions';
import type { Metrics } from '@draftshelf/runtime/metrics';
import { memoizeByKey } from '../http/memoize-for.ts';
import type { ConditionWatch } from './watch-conditions.ts';

/** Pause between reads of Postgres, shared by all scrapers. */
const readEveryMs = 10_000;
const readTablesEveryMs = 60_000;

const ifKnown = (value: number | null): [Record<string, never>, number][] =>
  value === null ? [] : [[{}, value]];

type Deps = {
  conditions: ConditionWatch;
  pools: Readonly<Record<'database', OpenDatabase>>;
  storeUrl: () => Promise<string | null>;
};

/** Adds the gauges that come from Postgres. Every api process reports the same values. */
export function addStoredGauges(metrics: Metrics, { conditions, pools, storeUrl }: Deps): void {
  const { db } = pools.database;
  const readPoints = async () => {
    const url = await storeUrl();
    return url === null ? null : ((await readStoreBudget(db, url))?.points ?? null);
  };
  const memo = memoizeByKey(
    async () => ({
      inEffect: new Set((await conditions.list()).map(({ id }) => id)),
      imports: await countImportsByStatus(db),
      chunks: await countOpenChunks(db),
      stored: await readStoredMetrics(db),
      budget: await readPoints(),
      processes: (await listProcesses(db)).filter(({ live }) => live),
    }),
    { msMax: readEveryMs, keysMax: 1 },
  );
  type Stored = Awaited<ReturnType<typeof memo.get>>;
  const gauge = (
    name: string,
    help: string,
    labels: string[],
    read: (stored: Stored) => (readonly [Record<string, string>, number])[],
  ) => metrics.addGauge({ name, help, labels, read: async () => read(await memo.get('')) });
  gauge(
    'draftshelf_condition',
    'Whether a condition of docs/OPERATIONS.md is in effect',
    ['id'],
    ({ inEffect }) => conditionIds.map((id) => [{ id }, inEffect.has(id) ? 1 : 0]),
  );
  gauge('draftshelf_imports', 'Imports by status', ['status'], ({ imports }) =>
    Object.entries(imports).map(([status, count]) => [{ status }, count]),
  );
  gauge(
    'draftshelf_chunks',
    'Chunks that are pending, published, or dead and missed; the first two are the backlog',
    ['stage', 'kind', 'state'],
    ({ chunks }) => chunks.map(({ count, ...labels }) => [labels, count]),
  );
  gauge('draftshelf_processes', 'Live processes', ['kind', 'version'], ({ processes }) =>
    sumBy(processes, () => 1),
  );
  gauge('draftshelf_slots', 'Slots of live processes', ['kind', 'version'], ({ processes }) =>
    sumBy(processes, ({ slots }) => slots),
  );
  gauge(
    'draftshelf_backlog_age_seconds',
    'Time for which the oldest part of a stage that no worker has taken could have been taken',
    ['stage'],
    ({ stored }) => [...stored.backlogSeconds].map(([stage, age]) => [{ stage }, age]),
  );
  gauge(
    'draftshelf_clock_skew_seconds',
    'Largest difference between the clocks of a live process and of Postgres',
    [],
    ({ stored }) => ifKnown(stored.clockSkewSeconds),
  );
  gauge(
    'draftshelf_backup_age_seconds',
    'Age of the last backup; absent if there is none',
    [],
    ({ stored }) => ifKnown(stored.backupSeconds),
  );
  gauge(
    'draftshelf_restore_tested_age_seconds',
    'Time since a backup was restored and compared without a difference; absent if none was',
    [],
    ({ stored }) => ifKnown(stored.provenSeconds),
  );
  gauge(
    'draftshelf_store_points',
    'Points that the store allows now; absent before its first call',
    [],
    ({ budget }) => ifKnown(budget),
  );
  const tables = memoizeByKey(() => listTableSizes(db), { msMax: readTablesEveryMs, keysMax: 1 });
  metrics.addGauge({
    name: 'draftshelf_table_bytes',
    help: 'Largest tables with their indexes, as of their last vacuum or analyze',
    labels: ['table'],
    read: async () => (await tables.get('')).map(({ table, bytes }) => [{ table }, bytes]),
  });
  metrics.addGauge({
    name: 'draftshelf_db_connections',
    help: 'Connections of this process to Postgres',
    labels: ['pool', 'state'],
    read: async () =>
      Object.entries(pools).flatMap(([pool, { pool: of }]) => [
        [{ pool, state: 'used' }, of.totalCount - of.idleCount] as const,
        [{ pool, state: 'idle' }, of.idleCount] as const,
        [{ pool, state: 'waiting' }, of.waitingCount] as const,
      ]),
  });
}

type Process = Awaited<ReturnType<typeof listProcesses>>[number];

function sumBy(processes: readonly Process[], value: (one: Process) => number) {
  const groups = Map.groupBy(processes, ({ kind, version }) => `${kind} ${version}`);
  return [...groups.values()].map((all) => {
    const { kind = '', version = '' } = all[0] ?? {};
    return [{ kind, version }, all.reduce((sum, one) => sum + value(one), 0)] as const;
  });
}
