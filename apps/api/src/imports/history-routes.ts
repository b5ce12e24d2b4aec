import { listHistory } from '@draftshelf/contract/imports/history';
import { type HistoryEntry, type HistoryFilter, readHistory } from '@draftshelf/core/imports/history';
import { listUndoSums, type UndoAction } from '@draftshelf/domain/push/undo-actions';
import { type Api, type Call, serve } from '../http/serve.ts';
import { queueVersionOf } from './queue-list.ts';
import { readJobs } from './read-jobs.ts';

export function serveHistory(api: Api): void {
  const { db } = api;
  serve(
    api,
    listHistory,
    async ({ query }) => {
      const entries = await readHistory(db, filterOf(query));
      const jobs = await readJobs(db, entries, api.app.log);
      return entries.flatMap(({ id, undone }) => {
        const job = jobs.get(id)?.job;
        return job === undefined ? [] : [{ ...job, undone: undone && undoneOf(undone) }];
      });
    },
    { etag: async ({ query }) => queueVersionOf(await readHistory(db, filterOf(query))) },
  );
}

const undoneOf = ({ at, results }: NonNullable<HistoryEntry['undone']>) => ({
  at: at.toISOString(),
  products: listUndoSums(results)
    .filter(({ action }) => changingActions.has(action))
    .reduce((sum, { products }) => sum + products, 0),
});
const changingActions: ReadonlySet<UndoAction> = new Set(['delete', 'archive', 'restore']);

function filterOf({ status, date, supplier }: Call<typeof listHistory>['query']): HistoryFilter {
  return {
    status: status === undefined || status === '' || status === 'all' ? undefined : status,
    completed: date === undefined || date === '' ? undefined : date,
    supplier,
  };
}
