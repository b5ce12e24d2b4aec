import { changeDialect } from '@draftshelf/contract/dialect';
import {
  cancelImport,
  getImport,
  Job,
  JobWithRows,
  listImports,
  markImportReady,
  pauseImport,
  pushImport,
  resumeImport,
  retryImport,
} from '@draftshelf/contract/imports';
import { route } from '@draftshelf/contract/route';
import { finalStatuses } from '@draftshelf/domain/import-status';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { z } from 'zod';
import { type CallRequest, call } from './call.ts';
import { readKey, readOf } from './read.ts';

const queuePollMs = 2000;
export const importListKey = readKey(listImports.path);

/**
 * A job as the screens read it. What we add to the specification's job has defaults, so that a reply with the
 * specification's fields alone (an older or another server) is still shown.
 */
const shown = Job.shape;
const additions = {
  id: z.string(),
  pausedFrom: shown.pausedFrom.default(null),
  pausedBy: shown.pausedBy.default(null),
  failedIn: shown.failedIn.default(null),
  totalRows: shown.totalRows.default(0),
  validProducts: shown.validProducts.default(0),
  warningProducts: shown.warningProducts.default(0),
  errorProducts: shown.errorProducts.default(0),
  outcomes: shown.outcomes.default({ created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 }),
  testMode: shown.testMode.default(false),
  waitingFor: shown.waitingFor.default(null),
  waitingUntil: shown.waitingUntil.default(null),
  fieldMapping: shown.fieldMapping.default({}),
  dialect: shown.dialect.default(null),
  rereading: shown.rereading.default(null),
  editsWithoutRow: shown.editsWithoutRow.default(0),
  sameAs: z.string().nullable().default(null),
};
const ShownImport = Job.extend(additions);
export type ShownImport = z.infer<typeof ShownImport>;
const ShownImportWithRows = JobWithRows.extend({ ...additions, csvDataTotal: z.number().default(0) });

const readList = route({ ...listImports, reply: z.array(ShownImport) });
const readOne = route({
  ...getImport,
  reply: z.object({ success: z.literal(true), job: ShownImportWithRows }),
});

/** The read of `useImports`, for the queue's loader. */
export const importsRead = () => readOf(readList);

/** The first read of `useImport`, for the job page's loader: the options must be the same. */
export const importRead = (id: string) => readOf(readOne, { params: { id } });

export function isFinal(status: string): boolean {
  return (finalStatuses as readonly string[]).includes(status);
}

/** The imports, newest first, polled while the screen that asks for them is shown. */
export function useImports() {
  return useQuery({ ...readOf(readList), refetchInterval: queuePollMs });
}

/** Reads one import again and again until `until` says it is enough (decision P6: the Upload screen). */
export function useImportUntil(id: string | null, until: (job: ShownImport) => boolean) {
  return useQuery({
    ...readOf(readOne, { params: { id: id ?? '' } }),
    enabled: id !== null,
    refetchInterval: (query) => (query.state.data && until(query.state.data.job) ? false : queuePollMs),
  });
}

/** What changes whenever an import enters or leaves a stage. */
function stageOf(job: ShownImport): string {
  return [job.status, job.startedAt, job.completedAt].join(' ');
}

/**
 * One import for its page: read once with its first rows, then followed in the light list, which is polled until
 * the import is final. When the list shows it in another stage, the details and the rows are read anew.
 */
export function useImport(id: string) {
  const client = useQueryClient();
  const details = useQuery(readOf(readOne, { params: { id } }));
  const first = details.data?.job;
  const list = useQuery({
    ...readOf(readList),
    enabled: first !== undefined,
    refetchInterval: (query) => {
      const followed = query.state.data?.find((one) => one.id === id) ?? first;
      return followed === undefined || isFinal(followed.status) ? false : queuePollMs;
    },
  });
  const listed = list.data?.find((one) => one.id === id);
  const newer = listed !== undefined && list.dataUpdatedAt > details.dataUpdatedAt;
  const job: ShownImport | undefined = newer && first !== undefined ? listed : first;

  const moved = job !== undefined && first !== undefined && stageOf(job) !== stageOf(first);
  const stage = job === undefined ? null : stageOf(job);
  // biome-ignore lint/correctness/useExhaustiveDependencies: stage is what moved into; each is read once
  useEffect(() => {
    if (moved) client.invalidateQueries({ queryKey: readKey(getImport.path, { id }) });
  }, [client, id, moved, stage]);

  return {
    job,
    hasRows: first !== undefined && first.csvData.length > 0,
    pending: details.isPending,
    reading: details.isFetching,
    error: details.error,
    lostSinceMs: list.isError ? list.dataUpdatedAt : null,
    readAgain: details.refetch,
  };
}

const moves = {
  pause: pauseImport,
  resume: resumeImport,
  markReady: markImportReady,
  push: pushImport,
  retry: retryImport,
} as const;
export type ImportMove = keyof typeof moves;

/** What a call that moved an import answers, as far as the screens need it: they read the import anew. */
const Moved = z.object({ success: z.literal(true), message: z.string() });

function readMovedAnew(client: QueryClient, id: string) {
  return Promise.all([
    client.invalidateQueries({ queryKey: importListKey, exact: true }),
    client.invalidateQueries({ queryKey: readKey(getImport.path, { id }) }),
  ]);
}

/** Moves an import's status by one of the operator's actions; `path` is the alias that the specification names. */
export function useImportMove() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, move, path }: { id: string; move: ImportMove; path?: string }) => {
      const target = route({ ...moves[move], reply: Moved });
      return call(target, { params: { id }, ...(path === undefined ? {} : { path }) });
    },
    onSettled: (_reply, _error, { id }) => readMovedAnew(client, id),
  });
}

/** Cancels an import as it was shown: where its file was being read anew, that and nothing else. */
export function useCancel() {
  const client = useQueryClient();
  const target = route({ ...cancelImport, reply: Moved });
  return useMutation({
    mutationFn: ({ id, rereading }: Pick<ShownImport, 'id' | 'rereading'>) =>
      call(target, { params: { id }, body: rereading === null ? {} : { only: 'reread' } }),
    onSettled: (_reply, _error, { id }) => readMovedAnew(client, id),
  });
}

/** Has the stored file of an import read anew in another dialect. */
export function useReread(importId: string) {
  const client = useQueryClient();
  const target = route({ ...changeDialect, reply: Moved });
  return useMutation({
    mutationFn: (choice: NonNullable<CallRequest<typeof target>['body']>) =>
      call(target, { params: { id: importId }, body: choice }),
    onSettled: () => readMovedAnew(client, importId),
  });
}
