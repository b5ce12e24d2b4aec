import { countOpenChunks } from '@draftshelf/database/conditions/open-chunks';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import { countImportsByStatus, listProcesses } from '@draftshelf/database/system';
import { conditionIds } from '@draftshelf/domain/conditions';
import type { Metrics } from '@draftshelf/runtime/metrics';
import type { ConditionWatch } from './conditions/watch-conditions.ts';
import { memoizeFor } from './memoize-for.ts';

/** Postgres is asked at most this often, however many scrape. */
const readEveryMs = 10_000;

/** Adds the metrics that are read from Postgres. Each api has them, with the same values. */
export function addStoredGauges(
  metrics: Metrics,
  { conditions, pools }: { conditions: ConditionWatch; pools: Readonly<Record<'database', OpenDatabase>> },
): void {
  const { db } = pools.database;
  const memo = memoizeFor(
    async () => ({
      inEffect: new Set((await conditions.list()).map(({ id }) => id)),
      imports: await countImportsByStatus(db),
      chunks: await countOpenChunks(db),
      processes: (await listProcesses(db)).filter(({ live }) => live),
    }),
    { msMax: readEveryMs, keysMax: 1 },
  );
  const read = async () => memo.get('');
  metrics.addGauge({
    name: 'draftshelf_condition',
    help: 'Whether a condition of docs/OPERATIONS.md is in effect',
    labels: ['id'],
    read: async () => {
      const { inEffect } = await read();
      return conditionIds.map((id) => [{ id }, inEffect.has(id) ? 1 : 0] as const);
    },
  });
  metrics.addGauge({
    name: 'draftshelf_imports',
    help: 'Imports by status',
    labels: ['status'],
    read: async () => Object.entries((await read()).imports).map(([status, count]) => [{ status }, count]),
  });
  metrics.addGauge({
    name: 'draftshelf_chunks',
    help: 'Chunks that are pending, published, or dead and missed; the first two are the backlog',
    labels: ['stage', 'kind', 'state'],
    read: async () => (await read()).chunks.map(({ count, ...labels }) => [labels, count]),
  });
  metrics.addGauge({
    name: 'draftshelf_processes',
    help: 'Live processes',
    labels: ['kind', 'version'],
    read: async () => sumBy((await read()).processes, () => 1),
  });
  metrics.addGauge({
    name: 'draftshelf_slots',
    help: 'Slots of live processes',
    labels: ['kind', 'version'],
    read: async () => sumBy((await read()).processes, ({ slots }) => slots),
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
