import { changeDialect } from '@draftshelf/contract/dialect';
import {
  cancelImport,
  getImport,
  Job,
  JobWithRows,
  listImports,
  markImportReady,
  nextBeforeHeader,
  pauseImport,
  pushImport,
  resumeImport,
  retryImport,
  totalCountHeader,
} from '@draftshelf/contract/imports';
import { getMapping } from '@draftshelf/contract/mapping';
import { route } from '@draftshelf/contract/route';
import { listRows } from '@draftshelf/contract/rows';
import { finalStatuses } from '@draftshelf/domain/import-status';
import {
  keepPreviousData,
  type QueryClient,
  type QueryFilters,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { type CallRequest, call, callWithHeaders } from './call.ts';
import { readKey, readOf } from './read.ts';

const pollMs = 2000;

/**
 * A job as the screens read it. Fields that we add to the specification's job have defaults, so a reply from an older
 * or other server, with the specification's fields only, can still be shown.
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
  shop: shown.shop.default(null),
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
export type ShownDetails = z.infer<typeof ShownDetails>;
const ShownDetails = JobWithRows.extend({
  ...additions,
  csvDataTotal: z.number().default(0),
  hasRows: z.boolean().optional(),
  tasks: JobWithRows.shape.tasks.default([]),
  mappingSet: JobWithRows.shape.mappingSet.default({ byOperator: 0, byMemory: 0, from: null }),
});

const readList = route({ ...listImports, reply: z.array(ShownImport) });
const readOne = route({
  ...getImport,
  reply: z.object({ success: z.literal(true), job: ShownDetails }),
});

/** A screen does not read an import again within this time: its loader has often just read it. */
const freshMs = 1000;

/** One import without its rows, which screens read in pages. */
export const importRead = (id: string) =>
  queryOptions({ ...readOf(readOne, { params: { id }, query: { rows: '0' } }), staleTime: freshMs });

/** All pages of the list, but no reads of a single import. */
const listPages: QueryFilters = {
  queryKey: readKey(listImports.path),
  predicate: ({ queryKey }) => typeof queryKey[1] !== 'string',
};

export function isFinal(status: string): boolean {
  return (finalStatuses as readonly string[]).includes(status);
}

/** A page of imports: the newest, or those before the cursor `before`. `nextBefore` is the next cursor, if any. */
export type ImportPage = {
  before: string | null;
  nextBefore: string | null;
  jobs: ShownImport[];
  /** Number of all imports. */
  total: number;
};

/** Reads a page of the list; `before` null is the newest page. */
export const importsRead = (before: string | null) => {
  const query = before === null ? undefined : { before };
  return queryOptions<ImportPage>({
    queryKey: readKey(listImports.path, {}, query),
    queryFn: async ({ signal }) => {
      const request = query === undefined ? { signal } : { query, signal };
      const { reply, headers } = await callWithHeaders(readList, request);
      return {
        before,
        jobs: reply,
        total: Number(headers.get(totalCountHeader) ?? reply.length),
        nextBefore: headers.get(nextBeforeHeader),
      };
    },
  });
};

/** A page of the list, polled while the screen is shown. */
export function useImports(before: string | null) {
  return useQuery({ ...importsRead(before), refetchInterval: pollMs, placeholderData: keepPreviousData });
}

/** Polls one import until `until` returns true. The Upload screen follows its upload with this. */
export function useImportUntil(id: string | null, until: (job: ShownImport) => boolean) {
  return useQuery({
    ...importRead(id ?? ''),
    enabled: id !== null,
    refetchInterval: (query) => (query.state.data && until(query.state.data.job) ? false : pollMs),
  });
}

/** Whether nothing more happens to an import by itself. */
function isAtRest({ status, tasks }: z.infer<typeof ShownDetails>): boolean {
  return isFinal(status) && tasks.every(({ state }) => state === 'failed');
}

/** A key that changes whenever an import enters or leaves a stage. */
function stageOf(job: ShownImport): string {
  return [job.id, job.status, job.startedAt, job.completedAt].join(' ');
}

/**
 * One import for its page: read when the page opens, then polled until the import and its tasks have ended. If the first read fails, it
 * is not repeated. If a later one fails, the last data stay. When the import changes its stage, its rows, mapping and
 * `hasRows` are refreshed.
 */
export function useImport(id: string) {
  const client = useQueryClient();
  const reading = useQuery({
    ...importRead(id),
    refetchInterval: ({ state }) => (state.data === undefined || isAtRest(state.data.job) ? false : pollMs),
  });
  const job = reading.data?.job;
  const stage = job === undefined ? null : stageOf(job);

  const [known, setKnown] = useState<{ stage: string | null; hasRows: boolean }>({
    stage: null,
    hasRows: false,
  });
  if (job !== undefined && known.stage !== stage) {
    setKnown({ stage, hasRows: job.hasRows ?? (job.csvData ?? []).length > 0 });
  }

  const seen = useRef({ id, stage });
  useEffect(() => {
    const stageChanged =
      seen.current.id === id && seen.current.stage !== null && seen.current.stage !== stage;
    seen.current = { id, stage };
    if (!stageChanged) return;
    client.invalidateQueries({ queryKey: readKey(listRows.path, { id }) });
    client.invalidateQueries({ queryKey: readKey(getMapping.path, { id }) });
  }, [client, id, stage]);

  return {
    job,
    tasks: job?.tasks ?? [],
    mappingSet: job?.mappingSet ?? null,
    enrichment: job?.enrichment ?? null,
    hasRows: known.hasRows,
    pending: reading.isPending,
    error: reading.error,
    lostSinceMs: reading.isError && job !== undefined ? reading.dataUpdatedAt : null,
    refetch: reading.refetch,
  };
}

const actions = {
  pause: pauseImport,
  resume: resumeImport,
  markReady: markImportReady,
  push: pushImport,
  retry: retryImport,
} as const;
export type ImportActionName = keyof typeof actions;

/** The part of an action's reply that screens use. They read the import again for the rest. */
const ActionReply = z.object({ success: z.literal(true), message: z.string() });

/** Invalidates all reads of an import after a change. With `rows: false` the caller refreshes the rows itself. */
export function refreshImport(client: QueryClient, id: string, { rows = true } = {}) {
  const ofImport = readKey(getImport.path, { id });
  return Promise.all([
    client.invalidateQueries(listPages),
    client.invalidateQueries({ queryKey: rows ? ofImport : importRead(id).queryKey }),
  ]);
}

/** Runs an operator's action on an import. `path` is the alias that the specification names for the screen. */
export function useImportAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, action, path }: { id: string; action: ImportActionName; path?: string }) => {
      const target = route({ ...actions[action], reply: ActionReply });
      return call(target, { params: { id }, ...(path === undefined ? {} : { path }) });
    },
    onSettled: (_reply, _error, { id }) => refreshImport(client, id),
  });
}

/** Cancels an import. If a re-read is shown, only that is cancelled, and nothing if it has finished since. */
export function useCancel() {
  const client = useQueryClient();
  const target = route({ ...cancelImport, reply: ActionReply });
  return useMutation({
    mutationFn: ({ id, rereading }: Pick<ShownImport, 'id' | 'rereading'>) =>
      call(target, { params: { id }, body: rereading === null ? {} : { only: 'reread' } }),
    onSettled: (_reply, _error, { id }) => refreshImport(client, id),
  });
}

/** Re-reads the stored file of an import with another dialect. */
export function useReread(importId: string) {
  const client = useQueryClient();
  const target = route({ ...changeDialect, reply: ActionReply });
  return useMutation({
    mutationFn: (choice: NonNullable<CallRequest<typeof target>['body']>) =>
      call(target, { params: { id: importId }, body: choice }),
    onSettled: () => refreshImport(client, importId),
  });
}
