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
const ShownDetails = JobWithRows.extend({
  ...additions,
  csvDataTotal: z.number().default(0),
  hasRows: z.boolean().optional(),
});

const readList = route({ ...listImports, reply: z.array(ShownImport) });
const readOne = route({
  ...getImport,
  reply: z.object({ success: z.literal(true), job: ShownDetails }),
});

/** How old an import may be that a screen opens: its loader has often read it a moment before. */
const freshMs = 1000;

/** One import without its rows, which the screens read by pages of their own. */
export const importRead = (id: string) =>
  queryOptions({ ...readOf(readOne, { params: { id }, query: { rows: '0' } }), staleTime: freshMs });

/** All pages of the list, and nothing that is read of a single import. */
const listPages: QueryFilters = {
  queryKey: readKey(listImports.path),
  predicate: ({ queryKey }) => typeof queryKey[1] !== 'string',
};

export function isFinal(status: string): boolean {
  return (finalStatuses as readonly string[]).includes(status);
}

/** A page of the imports: the newest, or those before a place. `nextBefore` leads to older ones, where there are any. */
export type ImportPage = {
  before: string | null;
  nextBefore: string | null;
  jobs: ShownImport[];
  /** How many imports there are in all. */
  total: number;
};

/** A page of the list, the newest where `before` is null. */
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

/** The newest imports, or those before a place in the queue, polled while the screen that asks for them is shown. */
export function useImports(before: string | null) {
  return useQuery({ ...importsRead(before), refetchInterval: pollMs, placeholderData: keepPreviousData });
}

/** Reads one import again and again until `until` says it is enough: the Upload screen follows its own upload. */
export function useImportUntil(id: string | null, until: (job: ShownImport) => boolean) {
  return useQuery({
    ...importRead(id ?? ''),
    enabled: id !== null,
    refetchInterval: (query) => (query.state.data && until(query.state.data.job) ? false : pollMs),
  });
}

/** What changes whenever an import enters or leaves a stage. */
function stageOf(job: ShownImport): string {
  return [job.id, job.status, job.startedAt, job.completedAt].join(' ');
}

/**
 * One import for its page: read when the page is opened, then polled until it is final. A first read that failed is not
 * repeated; after that the last data stay while the server does not answer. Whenever the import enters another stage
 * its rows are read anew, and whether there are any is told.
 */
export function useImport(id: string) {
  const client = useQueryClient();
  const reading = useQuery({
    ...importRead(id),
    refetchInterval: ({ state }) =>
      state.data === undefined || isFinal(state.data.job.status) ? false : pollMs,
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
    const moved = seen.current.id === id && seen.current.stage !== null && seen.current.stage !== stage;
    seen.current = { id, stage };
    if (moved) client.invalidateQueries({ queryKey: readKey(listRows.path, { id }) });
  }, [client, id, stage]);

  return {
    job,
    hasRows: known.hasRows,
    pending: reading.isPending,
    error: reading.error,
    lostSinceMs: reading.isError && job !== undefined ? reading.dataUpdatedAt : null,
    readAgain: reading.refetch,
  };
}

const moves = {
  pause: pauseImport,
  resume: resumeImport,
  markReady: markImportReady,
  push: pushImport,
  retry: retryImport,
} as const;
export type ImportActionName = keyof typeof moves;

/** What a call that moved an import answers, as far as the screens need it: they read the import anew. */
const Moved = z.object({ success: z.literal(true), message: z.string() });

/** Reads an import anew wherever it is shown, as it is after a change; without `rows` the caller reads those. */
export function readAnew(client: QueryClient, id: string, { rows = true } = {}) {
  const ofImport = readKey(getImport.path, { id });
  return Promise.all([
    client.invalidateQueries(listPages),
    client.invalidateQueries({ queryKey: rows ? ofImport : importRead(id).queryKey }),
  ]);
}

/** Moves an import's status by one of the operator's actions; `path` is the alias that the specification names. */
export function useImportAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, move, path }: { id: string; move: ImportActionName; path?: string }) => {
      const target = route({ ...moves[move], reply: Moved });
      return call(target, { params: { id }, ...(path === undefined ? {} : { path }) });
    },
    onSettled: (_reply, _error, { id }) => readAnew(client, id),
  });
}

/** Cancels an import as it was shown: where its file was being read anew, that and nothing else. */
export function useCancel() {
  const client = useQueryClient();
  const target = route({ ...cancelImport, reply: Moved });
  return useMutation({
    mutationFn: ({ id, rereading }: Pick<ShownImport, 'id' | 'rereading'>) =>
      call(target, { params: { id }, body: rereading === null ? {} : { only: 'reread' } }),
    onSettled: (_reply, _error, { id }) => readAnew(client, id),
  });
}

/** Has the stored file of an import read anew in another dialect. */
export function useReread(importId: string) {
  const client = useQueryClient();
  const target = route({ ...changeDialect, reply: Moved });
  return useMutation({
    mutationFn: (choice: NonNullable<CallRequest<typeof target>['body']>) =>
      call(target, { params: { id: importId }, body: choice }),
    onSettled: () => readAnew(client, importId),
  });
}
