import type { Job, JobWithRows } from '@draftshelf/contract/imports/imports';
import type { AppliedEdits, applyEdits } from '@draftshelf/contract/review/commands';
import type { BodyOf } from '@draftshelf/contract/route';
import { nextBeforeHeader, totalCountHeader } from '@draftshelf/contract/wire';
import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import {
  keepPreviousData,
  type QueryClient,
  type QueryFunctionContext,
  queryOptions,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { assume, assumeAll } from '../../api/assume.ts';
import { fullDetails, fullImport } from '../../api/bare-replies.ts';
import { call, callWithHeaders } from '../../api/call.ts';
import { pollMs } from '../../api/polls.ts';
import { freshMs, readKey } from '../../api/read.ts';
import { type Change, importPages, recordKey } from '../../api/stale-reads.ts';
import type { useFailureToast } from '../../ui/feedback/toast.tsx';
import { useCall, useCalls } from '../../ui/feedback/use-call.ts';
import { changesBetween } from './import-changes.ts';
import { endedSince } from './started-commands.ts';

/** An import as the screens read it; on the wire it is the specification's job. */
export type ShownImport = Job;
export type ShownDetails = JobWithRows;

type Details = { success: true; job: ShownDetails };
const complete = (reply: Details): Details => ({ ...reply, job: fullDetails(reply.job) });

/** One import without its rows, which screens read in pages. */
export const importRead = (id: string) =>
  queryOptions({
    queryKey: recordKey(id),
    queryFn: (context) => readImport(id, context),
    staleTime: freshMs,
  });

/** Reads an import, and what has changed of it since it was last read. */
async function readImport(
  id: string,
  { client, signal }: QueryFunctionContext,
  wait?: '1',
): Promise<Details> {
  const query = { rows: '0' as const, wait };
  const read = complete(await call('getImport', { params: { id }, query, signal }));
  const before = client.getQueryState<Details>(recordKey(id));
  if (before?.data === undefined) return read;
  const ended = endedSince(id, before.dataUpdatedAt, read.job.tasks);
  for (const name of changesBetween(before.data.job, read.job, ended)) {
    void client.invalidateQueries({ queryKey: readKey(name, { id }) });
  }
  return read;
}

/** One import as it is when a screen that shows it opens, and after changes; undefined until it is known. */
export const useImportOnce = (id: string | null): ShownDetails | undefined =>
  useQuery({ ...importRead(id ?? ''), enabled: id !== null }).data?.job;

/** One import without its rows, read now. */
export const readLight = async (id: string): Promise<ShownDetails> =>
  complete(await call('getImport', { params: { id }, query: { rows: '0' } })).job;

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
  return useQuery({
    ...importsRead(before),
    refetchInterval: pollMs.import,
    placeholderData: keepPreviousData,
  });
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
    queryKey: recordKey(id),
    queryFn: (context) => {
      begunMs.set(id, Date.now());
      return readImport(id, context, wait);
    },
    refetchInterval: ({ state }) => {
      if (state.data && until(state.data.job)) return false;
      const sinceMs = Date.now() - (begunMs.get(id) ?? 0);
      return state.fetchStatus === 'fetching' ? pollMs.import : Math.max(1, pollMs.import - sinceMs);
    },
  });
}

/** Whether nothing more happens to an import by itself. */
function isAtRest({ status, tasks, nextRetryAt }: ShownDetails): boolean {
  return isFinal(status) && nextRetryAt === null && tasks.every(({ state }) => state === 'failed');
}

/**
 * One import for its page: read when the page opens, then polled until the import and its tasks have ended. If the
 * first read fails, it is not repeated. If a later one fails, the last data stay.
 */
export function useImport(id: string) {
  const reading = useQuery({
    ...importRead(id),
    refetchInterval: ({ state }) =>
      state.data === undefined || isAtRest(state.data.job) ? false : pollMs.import,
  });
  const record = reading.data?.job;
  return {
    record,
    tasks: record?.tasks ?? [],
    mappingSet: record?.mappingSet ?? null,
    isPartial: record?.list?.isPartial ?? false,
    enrichment: record?.enrichment ?? null,
    beforePush: record?.beforePush ?? null,
    undone: record?.undone ?? 0,
    pictures: record?.pictures ?? 0,
    proposals: record?.proposals ?? 0,
    // Screens ask for no rows, but if a reply has the list, it decides.
    hasRows: record?.csvData === undefined ? record?.hasRows === true : record.csvData.length > 0,
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

/** Runs an operator's action on an import. `path` is the alias that the specification names for the screen. */
export const useImportAction = () =>
  useCalls(
    ({ id, action, path }: ActionCall) => call(actions[action], { params: { id }, path }),
    ({ id, action }) => [{ name: actions[action], params: { id } }],
    {
      mutationKey: actionKey,
      assume: (client, { id, action }) => assumeImport(client, id, (record) => shownAfter(action, record)),
    },
  );

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
    assume<ImportPage>(client, importPages, (page) => ({
      ...page,
      imports: page.imports.map((record) => (record.id === id ? { ...record, ...change(record) } : record)),
    })),
    assume<Details>(client, { queryKey: recordKey(id), exact: true }, (read) => ({
      ...read,
      job: { ...read.job, ...change(read.job) },
    })),
  ]);

/** Shows the lists without an import that is about to go. Returns the function that takes that back. */
export const assumeGone = (client: QueryClient, id: string): Promise<() => void> =>
  assume<ImportPage>(client, importPages, (page) => {
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
export const useCurrencyAnswer = () =>
  useCalls(
    async ({ ids, answer }: { ids: readonly string[]; answer: CurrencyAnswer }) => {
      const changes: AppliedEdits[] = [];
      for (const id of ids) {
        const params = { id };
        if (answer === 'leave-out') changes.push(await call('applyEdits', { params, body: leavingOut }));
        else await call('answerOtherCurrency', { params, body: { answer } });
      }
      return changes;
    },
    ({ ids, answer }) =>
      ids.flatMap((id): Change[] => [
        { name: 'answerOtherCurrency', params: { id } },
        ...(answer === 'leave-out' ? [{ name: 'applyEdits', params: { id } } as const] : []),
      ]),
    { failed: 'Couldn’t save the answer' },
  );

/** The notification of failures that several calls share. */
type Failure = ReturnType<typeof useFailureToast>;

/** Begins the planned push of an import at once, or stops it. The screens have titles of their own for a failure. */
export const useAutoPushAnswer = (titles: Record<'now' | 'stop', string>, failure?: Failure) =>
  useCall('answerAutoPush', {
    ...(failure && { failure }),
    failed: (_error, { body }) => ({ title: titles[body?.action ?? 'stop'] }),
    assume: (client, { params, body }) =>
      assumeImport(client, String(params?.id), (record) =>
        body?.action === 'stop' ? { autoPushAt: null } : { ...shownAfter('push', record), autoPushAt: null },
      ),
  });

/** Ends the automatic retries of a failed import. */
export const useRetryStop = (failed: string, failure?: Failure) =>
  useCall('stopAutoRetry', {
    ...{ failed, ...(failure && { failure }) },
    assume: (client, { params }) => assumeImport(client, String(params?.id), () => ({ nextRetryAt: null })),
  });

/** Cancels an import. If a re-read is shown, only the re-read is cancelled, and nothing if it has finished since. */
export const useCancel = () =>
  useCalls(
    ({ id, rereading }: Pick<ShownImport, 'id' | 'rereading'>) =>
      call('cancelImport', { params: { id }, body: rereading === null ? {} : { only: 'reread' } }),
    ({ id }) => [{ name: 'cancelImport', params: { id } }],
    {
      // What comes after a cancelled re-read or undo is known to the server only.
      assume: (client, { id }) =>
        assumeImport(client, id, ({ rereading, isUndoing, changesGone }) =>
          rereading === null && !isUndoing && !changesGone ? { status: 'cancelled' } : {},
        ),
    },
  );
