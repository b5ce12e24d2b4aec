import type { Job, JobWithRows } from '@draftshelf/contract/imports/imports';
import type { AppliedEdits, applyEdits } from '@draftshelf/contract/review/commands';
import type { BodyOf } from '@draftshelf/contract/route';
import { nextBeforeHeader, totalCountHeader } from '@draftshelf/contract/wire';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import {
  keepPreviousData,
  type QueryClient,
  type QueryFilters,
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { assume, assumeAll } from '../../api/assume.ts';
import { fullDetails, fullImport } from '../../api/bare-replies.ts';
import { call, callWithHeaders } from '../../api/call.ts';
import { freshMs, readKey, readOf } from '../../api/read.ts';
import { entersStage } from './stages-of-rows-api.ts';

const pollMs = 2000;

/** An import as the screens read it; on the wire it is the specification's job. */
export type ShownImport = Job;
export type ShownDetails = JobWithRows;

type Details = { success: true; job: ShownDetails };
const complete = (reply: Details): Details => ({ ...reply, job: fullDetails(reply.job) });

/** One import without its rows, which screens read in pages. */
export const importRead = (id: string) =>
  queryOptions({
    ...readOf('getImport', { params: { id }, query: { rows: '0' } }, complete),
    staleTime: freshMs,
  });

/** One import as it is when a screen that shows it opens, and after changes; undefined until it is known. */
export const useImportOnce = (id: string | null): ShownDetails | undefined =>
  useQuery({ ...importRead(id ?? ''), enabled: id !== null }).data?.job;

/** One import without its rows, read now. */
export const readLight = async (id: string): Promise<ShownDetails> =>
  complete(await call('getImport', { params: { id }, query: { rows: '0' } })).job;

/** The key of all reads of an import's proposals. Their contract is loaded later, with the panel that shows them. */
export const proposalsKey = (id: string) => [...readKey('getImport', { id }), 'proposals'];

/** The key of all reads of the plan of an import's push. */
export const planKey = (id: string) => [...readKey('getImport', { id }), 'plan'];

/** All pages of the list, but no reads of a single import. */
export const listPages: QueryFilters = {
  queryKey: readKey('listImports'),
  predicate: ({ queryKey }) => typeof queryKey[1] !== 'string',
};

export function isFinal(status: string): boolean {
  return (finalStatuses as readonly string[]).includes(status);
}

/** A page of imports: the newest, or those before the cursor `before`. `nextBefore` is the next cursor, if any. */
export type ImportPage = {
  before: string | null;
  nextBefore: string | null;
  imports: ShownImport[];
  /** Number of all imports. */
  total: number;
};

/** Reads a page of the list; `before` null is the newest page. */
export const importsRead = (before: string | null) => {
  const query = before === null ? undefined : { before };
  return queryOptions<ImportPage>({
    queryKey: readKey('listImports', {}, query),
    queryFn: async ({ signal }) => {
      const request = query === undefined ? { signal } : { query, signal };
      const { reply, headers } = await callWithHeaders('listImports', request);
      return {
        before,
        imports: reply.map(fullImport),
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

/** The server holds at most this many polls of this page. Browsers allow six connections to a server. */
const heldPollsMax = 2;

/**
 * Polls each import until `until` returns true. The Upload screen follows its uploads with this. The server may hold
 * a poll until the import is processed, so the two seconds count from the beginning of the poll before.
 */
export function useImportsUntil(
  ids: readonly string[],
  until: (record: ShownImport) => boolean,
): ShownImport[] {
  const begunMs = useRef(new Map<string, number>());
  const wait = ids.length <= heldPollsMax ? '1' : undefined;
  return useQueries({
    queries: ids.map((id) => followedRead(id, { wait, until, begunMs: begunMs.current })),
    combine: (readings) => readings.flatMap(({ data }) => (data === undefined ? [] : [data.job])),
  });
}

type Following = {
  wait: '1' | undefined;
  until: (record: ShownImport) => boolean;
  /** When the latest poll of each import began. */
  begunMs: Map<string, number>;
};

function followedRead(id: string, { wait, until, begunMs }: Following) {
  return queryOptions({
    queryKey: importRead(id).queryKey,
    queryFn: async ({ signal }) => {
      begunMs.set(id, Date.now());
      return complete(await call('getImport', { params: { id }, query: { rows: '0', wait }, signal }));
    },
    refetchInterval: ({ state }) => {
      if (state.data && until(state.data.job)) return false;
      const sinceMs = Date.now() - (begunMs.get(id) ?? 0);
      return state.fetchStatus === 'fetching' ? pollMs : Math.max(1, pollMs - sinceMs);
    },
  });
}

/** Whether nothing more happens to an import by itself. */
function isAtRest({ status, tasks, nextRetryAt }: ShownDetails): boolean {
  return isFinal(status) && nextRetryAt === null && tasks.every(({ state }) => state === 'failed');
}

/** A key that changes whenever an import enters or leaves a stage. */
function stageOf(record: ShownImport): string {
  return [record.id, record.status, record.startedAt, record.completedAt].join(' ');
}

/**
 * One import for its page: read when the page opens, then polled until the import and its tasks have ended. If the
 * first read fails, it is not repeated. If a later one fails, the last data stay. When the import changes its stage,
 * a change of many rows or rules have been applied to it, its rows, mapping and `hasRows` are refreshed.
 */
export function useImport(id: string) {
  const client = useQueryClient();
  const reading = useQuery({
    ...importRead(id),
    refetchInterval: ({ state }) => (state.data === undefined || isAtRest(state.data.job) ? false : pollMs),
  });
  const record = reading.data?.job;
  const isRuled = record?.tasks.some(
    ({ label, state }) => label === taskLabel('apply-rules') && state !== 'failed',
  );
  const commands = record?.tasks.flatMap(({ command }) => command ?? []);
  const stage = record === undefined ? null : [stageOf(record), isRuled, ...(commands ?? [])].join(' ');

  const [known, setKnown] = useState<{ stage: string | null; hasRows: boolean }>({
    stage: null,
    hasRows: false,
  });
  if (record !== undefined && known.stage !== stage) {
    // Screens ask for no rows, but if a reply has the list, it decides.
    setKnown({
      stage,
      hasRows: record.csvData === undefined ? record.hasRows === true : record.csvData.length > 0,
    });
  }

  useEffect(() => {
    if (stage === null || !entersStage(client, id, stage)) return;
    client.invalidateQueries({ queryKey: readKey('listRows', { id }) });
    client.invalidateQueries({ queryKey: readKey('getMapping', { id }) });
    client.invalidateQueries({ queryKey: planKey(id) });
  }, [client, id, stage]);

  return {
    record,
    tasks: record?.tasks ?? [],
    mappingSet: record?.mappingSet ?? null,
    isPartial: record?.list?.isPartial ?? false,
    enrichment: record?.enrichment ?? null,
    beforePush: record?.beforePush ?? null,
    undone: record?.undone ?? 0,
    pictures: record?.pictures ?? 0,
    proposals: { count: record?.proposals ?? 0, newest: record?.newestProposal ?? null },
    hasRows: known.hasRows,
    pending: reading.isPending,
    error: reading.error,
    reading,
    refetch: reading.refetch,
  };
}

const actions = {
  pause: 'pauseImport',
  resume: 'resumeImport',
  markReady: 'markImportReady',
  push: 'pushImport',
  retry: 'retryImport',
} as const;
export type ImportActionName = keyof typeof actions;

/** Invalidates all reads of an import after a change. With `rows: false` the caller refreshes the rows itself. */
export function refreshImport(client: QueryClient, id: string, { rows = true } = {}) {
  const ofImport = readKey('getImport', { id });
  return Promise.all([
    client.invalidateQueries(listPages),
    // Read once per visit: it may have been read before the action was answered.
    client.invalidateQueries({ queryKey: readKey('listHistory') }),
    client.invalidateQueries({ queryKey: rows ? ofImport : importRead(id).queryKey }),
  ]);
}

/** Runs an operator's action on an import. `path` is the alias that the specification names for the screen. */
export function useImportAction() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey,
    mutationFn: ({ id, action, path }: ActionCall) =>
      call(actions[action], { params: { id }, ...(path === undefined ? {} : { path }) }),
    onMutate: ({ id, action }) => assumeImport(client, id, (record) => shownAfter(action, record)),
    onError: (_error, _action, takeBack) => takeBack?.(),
    onSettled: (_reply, _error, { id }) => refreshImport(client, id),
  });
}

type ActionCall = { id: string; action: ImportActionName; path?: string };
const actionKey = ['import-action'];

/** Returns a function that says whether an action on an import has not been answered yet, also before the next draw. */
export function useActedOn(): (id: string) => boolean {
  const client = useQueryClient();
  return (id) =>
    client.isMutating({
      mutationKey: actionKey,
      predicate: ({ state }) => (state.variables as ActionCall | undefined)?.id === id,
    }) > 0;
}

/** The status that an action leads to. Screens show it at once, until the next read. */
const statusAfter: Record<ImportActionName, (record: ShownImport) => string> = {
  pause: () => 'paused',
  resume: ({ pausedFrom, status }) => pausedFrom ?? status,
  markReady: () => 'processed',
  push: () => 'uploading',
  retry: ({ failedIn, status }) =>
    failedIn === 'push' || status === 'completed' ? 'uploading' : 'processing',
};

type Assumed = Pick<ShownImport, 'status' | 'progress' | 'processedProducts'>;

/** What an import shows at once after an action. A push begins at 0: the file's own progress was at its end. */
export function shownAfter(action: ImportActionName, record: ShownImport): Assumed {
  const { progress, processedProducts } = record;
  const status = statusAfter[action](record);
  const begins = action === 'push' ? { progress: 0, processedProducts: 0 } : { progress, processedProducts };
  return { status, ...begins };
}

/** Shows an import as it will be after a change, on every screen. Returns the function that takes that back. */
const assumeImport = (
  client: QueryClient,
  id: string,
  change: (record: ShownImport) => Partial<ShownImport>,
): Promise<() => void> =>
  assumeAll([
    assume<ImportPage>(client, listPages, (page) => ({
      ...page,
      imports: page.imports.map((record) => (record.id === id ? { ...record, ...change(record) } : record)),
    })),
    assume<Details>(client, { queryKey: importRead(id).queryKey, exact: true }, (read) => ({
      ...read,
      job: { ...read.job, ...change(read.job) },
    })),
  ]);

/** Shows the lists without an import that is about to go. Returns the function that takes that back. */
export const assumeGone = (client: QueryClient, id: string): Promise<() => void> =>
  assume<ImportPage>(client, listPages, (page) => {
    const imports = page.imports.filter((record) => record.id !== id);
    return imports.length === page.imports.length ? page : { ...page, imports, total: page.total - 1 };
  });

/** Amounts in another currency are sent as they are, their import is held back, or their rows are left out. */
export type CurrencyAnswer = 'send' | 'hold' | 'leave-out';

/** The change that leaves out rows with amounts in another currency. It is undone like every change. */
const leavingOut: BodyOf<typeof applyEdits> = {
  target: { issue: 'other-currency' },
  operations: [{ kind: 'leave-out', leaveOut: true }],
};

/** Answers the question about amounts in another currency for some imports. Returns the changes of their rows. */
export function useCurrencyAnswer() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids, answer }: { ids: readonly string[]; answer: CurrencyAnswer }) => {
      const changes: AppliedEdits[] = [];
      for (const id of ids) {
        const params = { id };
        if (answer === 'leave-out') changes.push(await call('applyEdits', { params, body: leavingOut }));
        else await call('answerOtherCurrency', { params, body: { answer } });
      }
      return changes;
    },
    onSettled: (_reply, _error, { ids, answer }) =>
      Promise.all(ids.map((id) => refreshImport(client, id, { rows: answer === 'leave-out' }))),
  });
}

/** Begins the planned push of an import at once, or stops it. */
export function useAutoPushAnswer() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: 'now' | 'stop' }) =>
      call('answerAutoPush', { params: { id }, body: { action } }),
    onMutate: ({ id, action }) =>
      assumeImport(client, id, (record) =>
        action === 'stop' ? { autoPushAt: null } : { ...shownAfter('push', record), autoPushAt: null },
      ),
    onError: (_error, _answer, takeBack) => takeBack?.(),
    onSettled: (_reply, _error, { id }) => refreshImport(client, id, { rows: false }),
  });
}

/** Ends the automatic retries of a failed import. */
export function useRetryStop() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<ShownImport, 'id'>) => call('stopAutoRetry', { params: { id } }),
    onMutate: ({ id }) => assumeImport(client, id, () => ({ nextRetryAt: null })),
    onError: (_error, _record, takeBack) => takeBack?.(),
    onSettled: (_reply, _error, { id }) => refreshImport(client, id, { rows: false }),
  });
}

/** Pushes an import with a choice for the products that the store has under another id. */
export function usePushWith(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (whenInStore: MatchChoice) =>
      call('pushImport', { params: { id: importId }, body: { whenInStore } }),
    onSettled: () => refreshImport(client, importId),
  });
}

/** Cancels an import. If a re-read is shown, only the re-read is cancelled, and nothing if it has finished since. */
export function useCancel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, rereading }: Pick<ShownImport, 'id' | 'rereading'>) =>
      call('cancelImport', { params: { id }, body: rereading === null ? {} : { only: 'reread' } }),
    // What comes after a cancelled re-read or undo is known to the server only.
    onMutate: ({ id }) =>
      assumeImport(client, id, ({ rereading, isUndoing, changesGone }) =>
        rereading === null && !isUndoing && !changesGone ? { status: 'cancelled' } : {},
      ),
    onError: (_error, _record, takeBack) => takeBack?.(),
    onSettled: (_reply, _error, { id }) => refreshImport(client, id),
  });
}
