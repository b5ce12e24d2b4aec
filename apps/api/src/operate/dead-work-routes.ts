import * as contract from '@draftshelf/contract/operate/dead-work';
import * as actions from '@draftshelf/core/operate/dead-work';
import { attemptsMax } from '@draftshelf/core/work/claim-chunk';
import * as stored from '@draftshelf/core/work/dead-work';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { canRetryTask, explainDeadChunk, findLossIfGivenUp } from '@draftshelf/domain/operate/dead-work';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { describeChunk } from '@draftshelf/queues/pipeline';
import { runChange } from '../http/databases.ts';
import { type Api, serve } from '../http/serve.ts';
import { cancelledSentence } from '../imports/read-jobs.ts';

export function serveDeadWork(api: Api): void {
  const { db } = api;
  serve(api, contract.listDeadWork, async ({ query: { before, cause } }) => {
    const found = await stored.listDeadWork(db, { before, cause, limit: contract.deadWorkPerPage + 1 });
    const items = found.slice(0, contract.deadWorkPerPage);
    const total = await stored.countDeadWork(db, { cause });
    return {
      items: items.map(toDeadWork),
      total,
      isMore: total === stored.deadCountedMax,
      next: found.length > contract.deadWorkPerPage ? (items.at(-1)?.id ?? null) : null,
    };
  });
  const done = (message: string) => ({ success: true as const, message });
  serve(api, contract.retryDeadWork, async ({ params: { importId }, logSecurity }) => {
    const retried = await runChange(api, (trx) => actions.retryDeadWork(trx, importId));
    if (retried.pushed) logSecurity('push-begun', { importId });
    return done(retried.left === null ? 'Retrying import.' : `Retrying tasks. ${retried.left}`);
  });
  serve(api, contract.giveUpImport, async ({ params: { importId }, logSecurity }) => {
    const given = await runChange(api, (trx) => actions.giveUpImport(trx, importId));
    logSecurity('work-given-up', { importId });
    return done(cancelledSentence(given));
  });
  serve(api, contract.giveUpTask, async ({ params: { importId, task }, logSecurity }) => {
    await runChange(api, (trx) => actions.giveUpTask(trx, importId, task));
    logSecurity('work-given-up', { importId, detail: 'One task' });
    return done('Task given up.');
  });
}

function toDeadWork(chunk: stored.DeadChunk): contract.DeadWork {
  const { sentence, technical } = explainDeadChunk(chunk, attemptsMax);
  const { id, import_id: importId, filename, stage, attempts, task } = chunk;
  return {
    ...{ id, importId, filename, stage, attempts, cause: sentence, technical },
    part: task === null ? describeChunk(chunk) : taskLabel(task),
    isTask: task !== null,
    at: chunk.ended_at?.toISOString() ?? null,
    canRetry: task === null ? canDo('retry', chunk.status) : canRetryTask(task),
    without: task === null ? null : findLossIfGivenUp(task),
  };
}
