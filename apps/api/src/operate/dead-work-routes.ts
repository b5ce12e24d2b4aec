import {
  type DeadWork,
  deadWorkPerPage,
  giveUpImport,
  giveUpTask,
  listDeadWork,
  retryDeadWork,
} from '@draftshelf/contract/operate/dead-work';
import * as actions from '@draftshelf/core/operate/dead-work';
import { attemptsMax } from '@draftshelf/core/work/claim-chunk';
import * as stored from '@draftshelf/core/work/dead-work';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { canRetryTask, causeOfDeath, withoutDeadTask } from '@draftshelf/domain/operate/dead-work';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { placeOf } from '@draftshelf/queues/pipeline';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import type { SecurityLog } from '../http/security-log.ts';
import { type Api, serve } from '../http/serve.ts';

export function serveDeadWork(
  api: Api,
  { database: { db }, changes, securityLog }: ApiDatabases & { securityLog: SecurityLog },
): void {
  serve(api, listDeadWork, async ({ query: { before, cause } }) => {
    const found = await stored.listDeadWork(db, { before, cause, limit: deadWorkPerPage + 1 });
    const items = found.slice(0, deadWorkPerPage);
    const total = await stored.countDeadWork(db, { cause });
    return {
      items: items.map(toDeadWork),
      total,
      isMore: total === stored.deadCountedMax,
      next: found.length > deadWorkPerPage ? (items.at(-1)?.id ?? null) : null,
    };
  });
  const done = (message: string) => ({ success: true as const, message });
  serve(api, retryDeadWork, async ({ params: { importId }, request }) => {
    const retried = await changes.db.transaction().execute((trx) => actions.retryDeadWork(trx, importId));
    if (!retried.ok) throw conflict(retried.reason);
    if (retried.pushed) securityLog.record(request, 'push-begun', { importId });
    return done(retried.left === null ? 'Retrying import.' : `Retrying its tasks. ${retried.left}`);
  });
  serve(api, giveUpImport, async ({ params: { importId }, request }) => {
    const given = await changes.db.transaction().execute((trx) => actions.giveUpImport(trx, importId));
    if (!given.ok) throw conflict(given.reason);
    securityLog.record(request, 'work-given-up', { importId });
    return done(
      given.reread ? 'Re-read cancelled. The previous rows and your edits are kept.' : 'Import cancelled.',
    );
  });
  serve(api, giveUpTask, async ({ params: { importId, task }, request }) => {
    await changes.db.transaction().execute(async (trx) => {
      const given = await actions.giveUpTask(trx, importId, task);
      if (!given.ok) throw conflict(given.reason);
    });
    securityLog.record(request, 'work-given-up', { importId, detail: 'One task' });
    return done('Task given up.');
  });
}

function toDeadWork(chunk: stored.DeadChunk): DeadWork {
  const { sentence, technical } = causeOfDeath(chunk, attemptsMax);
  const { task } = chunk;
  return {
    id: chunk.id,
    importId: chunk.import_id,
    filename: chunk.filename,
    stage: chunk.stage,
    part: task === null ? placeOf(chunk) : taskLabel(task),
    isTask: task !== null,
    attempts: chunk.attempts,
    cause: sentence,
    technical,
    at: chunk.ended_at?.toISOString() ?? null,
    canRetry: task === null ? canDo('retry', chunk.status) : canRetryTask(task),
    without: task === null ? null : withoutDeadTask(task),
  };
}
