import type { JobWithRows as ShownDetails } from '@draftshelf/contract/imports/imports';
import type { EndpointName } from '@draftshelf/contract/paths';
import type { Row, RowPage } from '@draftshelf/contract/review/rows';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { showChange } from '../../api/assume.ts';
import { CallError, type CallRequest, call, readOf, toCacheKey } from '../../api/call.ts';
import { staleAfterEdits } from '../../api/stale-reads.ts';
import { createSessionList, hasShape, isBoolean, isNumber, isText } from '../../lib/storage.ts';
import { useCalls } from '../../ui/feedback/use-call.ts';
import { hasProblemIn } from './cell-marks.ts';

export const rowsPerPage = 25;

type RowsWanted = Omit<NonNullable<CallRequest<'listRows'>['query']>, 'limit'>;

/** Age in milliseconds from which a page of rows is read again when it is shown. */
const freshMs = 5000;

const rowPageRead = (importId: string, wanted: RowsWanted) =>
  queryOptions({
    ...readOf('listRows', { params: { id: importId }, query: { ...wanted, limit: rowsPerPage } }),
    staleTime: freshMs,
  });

export const useRowPage = (importId: string, wanted: RowsWanted) =>
  useQuery({ ...rowPageRead(importId, wanted), placeholderData: keepPreviousData });

export function useRowsByNumber(importId: string, numbers: readonly number[]) {
  const query = { rows: numbers.join(',') };
  return useQuery({
    ...readOf('listRows', { params: { id: importId }, query }),
    enabled: numbers.length > 0,
    gcTime: 0,
    // Off, so that a reply with equal data is still noticed: the shown rows may have changed in the meantime.
    structuralSharing: false,
  });
}

/** Returns a function that prefetches the first page of an import's rows. */
export function usePrefetchRows(): (importId: string, opening: RowsWanted) => void {
  const client = useQueryClient();
  return (importId, opening) => {
    const isFiltered = Object.keys(opening).length > 0;
    void client.prefetchQuery(rowPageRead(importId, isFiltered ? opening : { after: 0 }));
  };
}

/**
 * Finds the next row in a direction, or null if there is none. `from`: the position in a sorted list, else the row
 * number. `isSought`: a condition that filters cannot express. Throws the errors of `call`.
 */
export async function findRow(
  importId: string,
  wanted: RowsWanted,
  direction: Direction,
  from: number,
  isSought?: (row: Row) => boolean,
): Promise<{ row: Row; place: number } | null> {
  const isNext = direction === 'next';
  const { after: _after, before: _before, ...filter } = wanted;
  const limit = isSought === undefined ? 1 : rowsPerReadMax;
  for (let at = from; ; ) {
    const cursor = isNext ? { after: at } : { before: Math.max(1, at) };
    const { rows, sorted, earlier, later } = await call('listRows', {
      params: { id: importId },
      query: { ...filter, ...cursor, limit },
    });
    // If too few rows come before a cursor, the server adds rows after the cursor. Those rows are dropped here.
    const placed = rows
      .map((row, nth) => ({ row, place: sorted === null ? row.row : sorted.first + nth }))
      .filter(({ place }) => (isNext ? place > at : place < at));
    if (!isNext) placed.reverse();
    const found = placed.find(({ row }) => isSought?.(row) ?? true);
    if (found !== undefined) return found;
    const last = placed.at(-1);
    if (last === undefined || !(isNext ? later : earlier)) return null;
    at = last.place;
  }
}

type RowsAfter = { wanted: RowsWanted; shown: readonly Row[]; after: number; count: number };

/** Returns up to `count` rows: the shown rows, followed by the rows after the position `after`. */
export async function readRowsAfter(
  importId: string,
  { wanted, shown, after, count }: RowsAfter,
): Promise<Row[]> {
  const found = shown.slice(0, count);
  const { after: _after, before: _before, ...filter } = wanted;
  let from = after;
  for (let isMore = true; isMore && found.length < count; ) {
    const limit = Math.min(rowsPerReadMax, count - found.length);
    const { rows, sorted, later } = await call('listRows', {
      params: { id: importId },
      query: { ...filter, after: from, limit },
    });
    found.push(...rows);
    from = sorted?.last ?? rows.at(-1)?.row ?? from;
    isMore = later;
  }
  return found;
}

/** The server's limit per reply. */
const rowsPerReadMax = 200;

type RowChange = { row: number } & NonNullable<CallRequest<'editRow'>['body']>;

/** Edits a row. The row and the facets of the reply replace those in the cached pages. */
export const useRowEdit = (
  importId: string,
  failed?: string | ((error: Error, change: RowChange) => { title: string; text?: string }),
) =>
  useCalls(
    async ({ row, ...body }: RowChange) => {
      const reply = await call('editRow', { params: { id: importId, row }, body });
      return { ...reply, needsFix: hasProblemIn(reply.row, Object.keys(body.values ?? {})) };
    },
    () => [{ name: 'editRow', params: { id: importId } }],
    {
      failed,
      // Only leaving a row out is shown before the reply, because the results of other edits are not known yet.
      assume: (client, { row, leaveOut }) =>
        leaveOut === undefined
          ? undefined
          : showChange<RowPage>(client, { queryKey: toCacheKey('listRows', { id: importId }) }, (page) => ({
              ...page,
              rows: page.rows.map((other) => (other.row === row ? { ...other, leftOut: leaveOut } : other)),
            })),
      onSuccess: ({ row: saved, facets }, _change, client) => {
        client.setQueriesData<RowPage>({ queryKey: toCacheKey('listRows', { id: importId }) }, (page) =>
          page === undefined
            ? page
            : { ...page, facets, rows: page.rows.map((row) => (row.row === saved.row ? saved : row)) },
        );
      },
    },
  );

/** Returns the current values if the edit was refused because of a conflict, or else null. */
export function findConflict(error: Error): Record<string, string | null> | null {
  if (!(error instanceof CallError) || error.status !== 409) return null;
  return (error.current as Record<string, string | null> | undefined) ?? null;
}

export type ValuesFilter = Omit<NonNullable<CallRequest<'listValues'>['query']>, 'field'>;

/** Not cached, so that the product is read again whenever it is opened. */
export const useProduct = (importId: string, { product, from }: { product: number; from: number }) =>
  useQuery({
    ...readOf('getProduct', { params: { id: importId, product }, query: { from } }),
    staleTime: 0,
    gcTime: 0,
  });

export type Direction = 'next' | 'previous';

export const createSearchFailure = ({ message }: Error) => ({
  title: 'Couldn’t look for the next problem',
  text: message,
  tone: 'failure' as const,
});

/** Returns the reads that became stale. `ended`: this tab's commands that ended since `before`, even between polls. */
export function findStaleReads(
  before: ShownDetails,
  now: ShownDetails,
  ended: readonly string[] = [],
): readonly EndpointName[] {
  const hasChanged = (part: (details: ShownDetails) => string) => part(before) !== part(now);
  const stale = new Set<EndpointName>();
  const add = (...reads: EndpointName[]) => {
    for (const read of reads) stale.add(read);
  };
  if (hasChanged(stageOf) || hasChanged(rulesOf)) {
    add('listRows', 'getMapping', 'getPlan', 'listTables', 'getReport');
  }
  if (hasChanged(commandsOf) || ended.length > 0) add('listRows', 'getMapping', ...staleAfterEdits);
  if (before.enrichment !== undefined && hasChanged(lookUpsOf)) add('listRows');
  if (hasNewProposals(before, now)) add('listProposals');
  return [...stale];
}

/** A text that changes whenever a stage begins or ends. */
const stageOf = ({ status, startedAt, completedAt }: ShownDetails) =>
  [status, startedAt, completedAt].join(' ');

const rulesOf = ({ tasks }: ShownDetails) =>
  String(tasks.some(({ label, state }) => label === taskLabel('apply-rules') && state !== 'failed'));

const commandsOf = ({ tasks }: ShownDetails) => tasks.flatMap(({ command }) => command ?? []).join(' ');

/** A text that changes whenever a look-up finds a value or ends, because rows show the sources being asked. */
const lookUpsOf = ({ enrichment }: ShownDetails) =>
  [
    ...(enrichment?.coverage ?? []).map(({ found }) => found),
    ...(enrichment?.waiting ?? []).map(({ source }) => source),
  ].join(' ');

/** Compares the newest id too, because a new proposal and a decided one together leave the number unchanged. */
const hasNewProposals = (before: ShownDetails, now: ShownDetails): boolean =>
  now.proposals > before.proposals || (now.newestProposal ?? 0) > (before.newestProposal ?? 0);

export type StartedCommand = {
  importId: string;
  command: string;
  /** Example: 'Price × 1.2, to .99'. */
  sentence: string;
  isUndo: boolean;
  startedMs: number;
};

const isStartedCommand = hasShape<StartedCommand>({
  importId: isText,
  command: isText,
  sentence: isText,
  isUndo: isBoolean,
  startedMs: isNumber,
});

const commandsMax = 20;
const stored = createSessionList('draftshelf-commands', isStartedCommand);

export const addStartedCommand = (command: Omit<StartedCommand, 'startedMs'>): void =>
  stored.set([{ ...command, startedMs: Date.now() }, ...stored.get()].slice(0, commandsMax));

export const removeStartedCommand = (command: string): void =>
  stored.set(stored.get().filter((started) => started.command !== command));

/** Returns this tab's commands that began after `ms` and have ended. */
export const findEndedCommands = (
  importId: string,
  ms: number,
  tasks: readonly { command: string | null }[],
) =>
  stored
    .get()
    .filter((started) => started.importId === importId && started.startedMs > ms)
    .filter(({ command }) => tasks.every((task) => task.command !== command))
    .map(({ command }) => command);

/** Commands of this tab, newest first, including those from before a reload. */
export function useStartedCommands(importId: string): readonly StartedCommand[] {
  const commands = stored.use();
  return useMemo(() => commands.filter((started) => started.importId === importId), [commands, importId]);
}
