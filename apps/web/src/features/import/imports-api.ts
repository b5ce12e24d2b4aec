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
import { showChange, showChanges } from '../../api/assume.ts';
import { fillImport, fillImportDetails } from '../../api/bare-replies.ts';
import { call, callWithHeaders, freshMs, pollMs, toCacheKey } from '../../api/call.ts';
import { type ChangeCall, importKey, importListFilter } from '../../api/stale-reads.ts';
import type { useFailureToast } from '../../ui/feedback/toast.tsx';
import { useCall, useCalls } from '../../ui/feedback/use-call.ts';
import { findEndedCommands, findStaleReads } from './rows-api.ts';

export type ShownImport = Job;
export type ShownDetails = JobWithRows;

type Details = { success: true; job: ShownDetails };
const complete = (reply: Details): Details => ({ ...reply, job: fillImportDetails(reply.job) });

export const importRead = (id: string) =>
  queryOptions({
    queryKey: importKey(id),
    queryFn: (context) => readImport(id, context),
    staleTime: freshMs,
  });

/** Reads an import, and invalidates other reads that changes of the import have made stale since its last read. */
async function readImport(
  id: string,
  { client, signal }: QueryFunctionContext,
  wait?: '1',
): Promise<Details> {
  const query = { rows: '0' as const, wait };
  const read = complete(await call('getImport', { params: { id }, query, signal }));
  const before = client.getQueryState<Details>(importKey(id));
  if (before?.data === undefined) return read;
  const ended = findEndedCommands(id, before.dataUpdatedAt, read.job.tasks);
  for (const name of findStaleReads(before.data.job, read.job, ended)) {
    void client.invalidateQueries({ queryKey: toCacheKey(name, { id }) });
  }
  return read;
}

/** Reads the import when a screen that shows it opens, and after changes. Does not poll. */
export const useImportOnce = (id: string | null): ShownDetails | undefined =>
  useQuery({ ...importRead(id ?? ''), enabled: id !== null }).data?.job;

export const readImportOnce = async (id: string): Promise<ShownDetails> =>
  complete(await call('getImport', { params: { id }, query: { rows: '0' } })).job;

export const isFinalStatus = (status: string): boolean =>
  (finalStatuses as readonly string[]).includes(status);

/** `before`: the page's cursor. Null for the newest page. */
export type ImportPage = {
  before: string | null;
  nextBefore: string | null;
  imports: ShownImport[];
  total: number;
};

export const importsRead = (before: string | null) => {
  const query = before === null ? undefined : { before };
  return queryOptions<ImportPage>({
    queryKey: toCacheKey('listImports', {}, query),
    queryFn: async ({ signal }) => {
      const request = query === undefined ? { signal } : { query, signal };
      const { reply, headers } = await callWithHeaders('listImports', request);
      return {
        before,
        imports: reply.map(fillImport),
        total: Number(headers.get(totalCountHeader) ?? reply.length),
        nextBefore: headers.get(nextBeforeHeader),
      };
    },
  });
};

export const useImports = (before: string | null) =>
  useQuery({ ...importsRead(before), refetchInterval: pollMs.import, placeholderData: keepPreviousData });

/** If more imports are polled, no reply is delayed: a browser opens only six connections to a server. */
const heldPollsMax = 2;

/** Polls each import until `until` returns true. Intervals begin with the request: the server may delay the reply. */
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
  /** The start time of the latest poll, by import id. */
  begunMs: Map<string, number>;
};

const followedRead = (id: string, { wait, until, begunMs }: Following) =>
  queryOptions({
    queryKey: importKey(id),
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

/** True if the import will not change without an action of the operator. */
const isAtRest = ({ status, tasks, nextRetryAt }: ShownDetails): boolean =>
  isFinalStatus(status) && nextRetryAt === null && tasks.every(({ state }) => state === 'failed');

/**
 * Polls until the import and its tasks have ended. Does not retry a failed first read. A later failure keeps the data.
 */
export const useImport = (id: string) =>
  useQuery({
    ...importRead(id),
    refetchInterval: ({ state }) =>
      state.data === undefined || isAtRest(state.data.job) ? false : pollMs.import,
  });

/** True if the import has rows. Counts the rows in `csvData` if the reply contains it, else reads `hasRows`. */
export const hasImportRows = ({ csvData, hasRows }: ShownDetails): boolean =>
  csvData === undefined ? hasRows : csvData.length > 0;

const actions = {
  pause: 'pauseImport',
  resume: 'resumeImport',
  markReady: 'markImportReady',
  push: 'pushImport',
  retry: 'retryImport',
} as const;
export type ImportActionName = keyof typeof actions;

/** `path`: an alias of the action's route, which some screens call. */
export const useImportAction = () =>
  useCalls(
    ({ id, action, path }: ActionCall) => call(actions[action], { params: { id }, path }),
    ({ id, action }) => [{ name: actions[action], params: { id } }],
    {
      mutationKey: actionKey,
      assume: (client, { id, action }) =>
        assumeImport(client, id, (record) => predictAfterAction(action, record)),
    },
  );

type ActionCall = { id: string; action: ImportActionName; path?: string };
const actionKey = ['import-action'];

/** Returns a function that tells, even before the next render, if an action on the import awaits its reply. */
export function useIsActionPending(): (id: string) => boolean {
  const client = useQueryClient();
  return (id) =>
    client.isMutating({
      mutationKey: actionKey,
      predicate: ({ state }) => (state.variables as ActionCall | undefined)?.id === id,
    }) > 0;
}

/** The status to show after an action until the next read. */
const statusAfter: Record<ImportActionName, (record: ShownImport) => string> = {
  pause: () => 'paused',
  resume: ({ pausedFrom, status }) => pausedFrom ?? status,
  markReady: () => 'processed',
  push: () => 'uploading',
  retry: ({ failedIn, status }) =>
    failedIn === 'push' || status === 'completed' ? 'uploading' : 'processing',
};

type Assumed = Pick<ShownImport, 'status' | 'progress' | 'processedProducts'>;

/** Returns the values to show after an action. A push starts at 0, because `progress` was about reading the file. */
export function predictAfterAction(action: ImportActionName, record: ShownImport): Assumed {
  const { progress, processedProducts } = record;
  const status = statusAfter[action](record);
  const begins = action === 'push' ? { progress: 0, processedProducts: 0 } : { progress, processedProducts };
  return { status, ...begins };
}

/** Shows a change of an import on every screen before the server's reply. Returns a function that reverts it. */
const assumeImport = (
  client: QueryClient,
  id: string,
  change: (record: ShownImport) => Partial<ShownImport>,
): Promise<() => void> =>
  showChanges([
    showChange<ImportPage>(client, importListFilter, (page) => ({
      ...page,
      imports: page.imports.map((record) => (record.id === id ? { ...record, ...change(record) } : record)),
    })),
    showChange<Details>(client, { queryKey: importKey(id), exact: true }, (read) => ({
      ...read,
      job: { ...read.job, ...change(read.job) },
    })),
  ]);

/** Removes an import from the lists before the server's reply. Returns a function that reverts this. */
export const hideImport = (client: QueryClient, id: string): Promise<() => void> =>
  showChange<ImportPage>(client, importListFilter, (page) => {
    const imports = page.imports.filter((record) => record.id !== id);
    return imports.length === page.imports.length ? page : { ...page, imports, total: page.total - 1 };
  });

/** An answer about amounts in another currency: send them as they are, hold the import back, or leave the rows out. */
export type CurrencyAnswer = 'send' | 'hold' | 'leave-out';

/** Leaves the rows out by a bulk edit, so that the operator can undo it like other changes. */
const leavingOut: BodyOf<typeof applyEdits> = {
  target: { issue: 'other-currency' },
  operations: [{ kind: 'leave-out', leaveOut: true }],
};

/** Saves an answer for several imports. Resolves to the bulk edits that left rows out. */
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
      ids.flatMap((id): ChangeCall[] => [
        { name: 'answerOtherCurrency', params: { id } },
        ...(answer === 'leave-out' ? [{ name: 'applyEdits', params: { id } } as const] : []),
      ]),
    { failed: 'Couldn’t save the answer' },
  );

type Failure = ReturnType<typeof useFailureToast>;

/** `titles`: the titles of failure notifications, which differ between screens. */
export const useAutoPushAnswer = (titles: Record<'now' | 'stop', string>, failure?: Failure) =>
  useCall('answerAutoPush', {
    ...(failure && { failure }),
    failed: (_error, { body }) => ({ title: titles[body?.action ?? 'stop'] }),
    assume: (client, { params, body }) =>
      assumeImport(client, String(params?.id), (record) =>
        body?.action === 'stop'
          ? { autoPushAt: null }
          : { ...predictAfterAction('push', record), autoPushAt: null },
      ),
  });

export const useStopRetries = (failed: string, failure?: Failure) =>
  useCall('stopAutoRetry', {
    ...{ failed, ...(failure && { failure }) },
    assume: (client, { params }) => assumeImport(client, String(params?.id), () => ({ nextRetryAt: null })),
  });

/** Cancels the import or, during a re-read, the re-read alone. If the re-read has just finished, cancels nothing. */
export const useCancelImport = () =>
  useCalls(
    ({ id, rereading }: Pick<ShownImport, 'id' | 'rereading'>) =>
      call('cancelImport', { params: { id }, body: rereading === null ? {} : { only: 'reread' } }),
    ({ id }) => [{ name: 'cancelImport', params: { id } }],
    {
      // Only the server knows the status after a cancelled re-read or undo.
      assume: (client, { id }) =>
        assumeImport(client, id, ({ rereading, isUndoing, changesGone }) =>
          rereading === null && !isUndoing && !changesGone ? { status: 'cancelled' } : {},
        ),
    },
  );
