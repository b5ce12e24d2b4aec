import type { Connection } from '@draftshelf/contract/access/connections';
import { type Audit, beginAudit, getAudit, keepNewestLink } from '@draftshelf/contract/operate/audit';
import { getBackups } from '@draftshelf/contract/operate/backups';
import { listConditions } from '@draftshelf/contract/operate/conditions';
import * as contract from '@draftshelf/contract/operate/system';
import { readSettings } from '@draftshelf/core/access/settings';
import type { AuditRecord } from '@draftshelf/core/connection/schema';
import * as audits from '@draftshelf/core/operate/audit/audits';
import { readKeptBackups } from '@draftshelf/core/operate/backup/kept-backups';
import * as stored from '@draftshelf/core/operate/system';
import type { FileLimits } from '@draftshelf/core/reading/take-file';
import { readTaskError } from '@draftshelf/core/work/background-tasks';
import { countLiveProcesses } from '@draftshelf/core/work/processes';
import { differenceSentence, remedyOf } from '@draftshelf/domain/operate/audit';
import { callWithTimeout } from '@draftshelf/runtime/answer-within';
import { readVersion } from '@draftshelf/runtime/version';
import { conflict } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { createSharedReply } from '../http/shared-reply.ts';
import { createWireMapper } from '../http/wire-fields.ts';
import { checkServices, type HealthCheckDeps } from './health-routes.ts';
import type { LazyQueues } from './late-queues.ts';
import type { ConditionWatch } from './watch-conditions.ts';

type Deps = HealthCheckDeps & {
  queues: LazyQueues;
  limits: FileLimits;
  listConnections: () => Promise<Connection[]>;
};

const answerMsMax = 2_000;
const processFields = createWireMapper(contract.ProcessInfo);

export function serveSystem(api: Api, deps: Deps): void {
  const startedAt = new Date().toISOString();
  const { db } = deps.database;
  const readInfo = async (): Promise<contract.SystemInfo> => {
    const checks = await checkServices(deps);
    const processes = checks.database.ok ? await stored.listProcesses(db) : [];
    return {
      version: readVersion(),
      node: process.version,
      startedAt,
      at: new Date().toISOString(),
      ...checks,
      processes: processes.map(processFields),
    };
  };
  const readJobs = async (queue: Awaited<ReturnType<LazyQueues>>[number]) => ({
    name: queue.name,
    jobs: await callWithTimeout(answerMsMax, 'The queue', () => queue.getJobCounts()).catch(() => null),
  });
  serve(api, contract.systemInfo, readInfo);
  serve(api, contract.getWorkers, async () => ({ pushWorkers: await countLiveProcesses(db, 'push-worker') }));
  serve(api, contract.systemDebug, async () => {
    const info = await readInfo();
    const failures = await stored.listFailedImports(db);
    return {
      info,
      limits: { ...deps.limits },
      settings: await readSettings(db),
      connections: await deps.listConnections(),
      imports: await stored.countImportsByStatus(db),
      chunks: await stored.countChunksByState(db),
      queues: await Promise.all((await deps.queues()).map(readJobs)),
      failures: failures.map(({ id, stage, error_message, completed_at }) => ({
        ...{ id, stage, message: error_message ?? '', at: completed_at?.toISOString() ?? null },
      })),
    };
  });
}

export function serveBackups(api: Api): void {
  const { db } = api;
  serve(api, getBackups, async () => {
    const { last, check } = await readKeptBackups(db);
    return {
      isKept: (await countLiveProcesses(db, 'keeper')) > 0,
      last: last && { ...last, takenAt: last.takenAt.toISOString() },
      check: check && { ...check.result, at: check.at.toISOString() },
      problem: await readTaskError(db, 'back-up'),
    };
  });
}

export function serveConditions(api: Api, { conditions: watch }: { conditions: ConditionWatch }): void {
  const list = createSharedReply(async () => ({
    conditions: await watch.list(),
    ended: await watch.listEnded(),
  }));
  serve(api, listConditions, list.body, { etag: list.version });
}

export function serveAudit(api: Api): void {
  const { db, changes } = api;
  serve(api, getAudit, async () => {
    const { latest, isRunning } = await audits.readAudits(db);
    return { isRunning, latest: latest ? toAudit(latest) : null };
  });
  serve(api, beginAudit, async () => {
    await audits.beginAudit(changes.db);
    return { success: true as const, message: 'The audit begins within seconds.' };
  });
  serve(api, keepNewestLink, async ({ body }) => {
    const unlinked = await changes.db.transaction().execute((trx) => audits.keepNewestLink(trx, body));
    if (unlinked === null) {
      throw conflict('One of these products is being sent to the store. Try again in a minute.');
    }
    await audits.beginAudit(changes.db);
    return { success: true as const, message: `${unlinked} unlinked. The audit begins within seconds.` };
  });
}

const toAudit = ({ imports, products, listings, problem, ...audit }: AuditRecord): Audit['latest'] => ({
  ...{ imports, products, listings, problem, count: audit.difference_count },
  endedAt: (audit.ended_at ?? audit.started_at).toISOString(),
  differences: audit.differences.map((found) => ({
    sentence: differenceSentence(found),
    remedy: remedyOf(found),
    import: 'importId' in found ? { id: found.importId, filename: found.filename } : null,
    link: 'storeProductId' in found ? { shop: found.shop, storeProductId: found.storeProductId } : null,
  })),
});
