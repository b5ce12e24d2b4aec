import type { Row, RowPage } from '@draftshelf/contract/review/rows';
import type { ValueField } from '@draftshelf/domain/base/field-value';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { assume } from '../../api/assume.ts';
import { CallError, type CallRequest, call } from '../../api/call.ts';
import { readKey, readOf } from '../../api/read.ts';
import { useCalls } from '../../ui/feedback/use-call.ts';
import { needsFix } from './cell-marks.ts';

export const rowsPerPage = 25;

/** Selects rows by class, issue, outcome, change, value and search, from a cursor on. */
export type RowsWanted = Omit<NonNullable<CallRequest<'listRows'>['query']>, 'limit'>;

/** A page is read again when it is shown again after this time. */
const freshMs = 5000;

/** One page of an import's rows. */
const rowPageRead = (importId: string, wanted: RowsWanted) =>
  queryOptions({
    ...readOf('listRows', { params: { id: importId }, query: { ...wanted, limit: rowsPerPage } }),
    staleTime: freshMs,
  });

export function useRowPage(importId: string, wanted: RowsWanted) {
  return useQuery({ ...rowPageRead(importId, wanted), placeholderData: keepPreviousData });
}

/** Some rows by number; none if there are no numbers. */
export function useRowsByNumber(importId: string, numbers: readonly number[]) {
  const query = { rows: numbers.join(',') };
  return useQuery({
    ...readOf('listRows', { params: { id: importId }, query }),
    enabled: numbers.length > 0,
    gcTime: 0,
    // Each reply is news: rows may have been changed on the screen since an equal one.
    structuralSharing: false,
  });
}

/** Returns a function that reads the first page of an import's rows ahead: of those that its page opens on. */
export function useRowsAhead(): (importId: string, opening: RowsWanted) => void {
  const client = useQueryClient();
  return (importId, opening) => {
    const isFiltered = Object.keys(opening).length > 0;
    void client.prefetchQuery(rowPageRead(importId, isFiltered ? opening : { after: 0 }));
  };
}

/**
 * The first matching row behind `from`, or the last one before it, and its place: in the order that rows are sorted by,
 * else its number. `isSought`: which of the matching rows is sought, where the filter does not tell. Null if there is
 * none. Throws what `call` throws.
 */
export async function findRow(
  importId: string,
  wanted: RowsWanted,
  direction: 'next' | 'previous',
  from: number,
  isSought?: (row: Row) => boolean,
): Promise<{ row: number; place: number } | null> {
  const isNext = direction === 'next';
  const { after: _after, before: _before, ...filter } = wanted;
  const limit = isSought === undefined ? 1 : rowsPerReadMax;
  for (let at = from; ; ) {
    const cursor = isNext ? { after: at } : { before: Math.max(1, at) };
    const { rows, sorted, earlier, later } = await call('listRows', {
      params: { id: importId },
      query: { ...filter, ...cursor, limit },
    });
    // A page before a cursor is filled up with rows behind it.
    const placed = rows
      .map((row, nth) => ({ row, place: sorted === null ? row.row : sorted.first + nth }))
      .filter(({ place }) => (isNext ? place > at : place < at));
    if (!isNext) placed.reverse();
    const found = placed.find(({ row }) => isSought?.(row) ?? true);
    if (found !== undefined) return { row: found.row.row, place: found.place };
    const last = placed.at(-1);
    if (last === undefined || !(isNext ? later : earlier)) return null;
    at = last.place;
  }
}

type RowsAfter = { wanted: RowsWanted; shown: readonly Row[]; after: number; count: number };

/** `count` rows, or as many as there are: those that are shown, and what is behind place `after`. */
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

/** As many as the server sends at once. */
const rowsPerReadMax = 200;

type RowChange = { row: number } & NonNullable<CallRequest<'editRow'>['body']>;

/** Saves edits of one row, and puts the replied row and facets into the cached pages. */
export const useRowEdit = (
  importId: string,
  failed?: string | ((error: Error, change: RowChange) => { title: string; text?: string }),
) =>
  useCalls(
    async ({ row, ...body }: RowChange) => {
      const reply = await call('editRow', { params: { id: importId, row }, body });
      return { ...reply, needsFix: needsFix(reply.row, Object.keys(body.values ?? {})) };
    },
    () => [{ name: 'editRow', params: { id: importId } }],
    {
      failed,
      // What an edit makes of a row, the server says; a row that is left out is only marked.
      assume: (client, { row, leaveOut }) =>
        leaveOut === undefined
          ? undefined
          : assume<RowPage>(client, { queryKey: readKey('listRows', { id: importId }) }, (page) => ({
              ...page,
              rows: page.rows.map((other) => (other.row === row ? { ...other, leftOut: leaveOut } : other)),
            })),
      onSuccess: ({ row: saved, facets }, _change, client) => {
        client.setQueriesData<RowPage>({ queryKey: readKey('listRows', { id: importId }) }, (page) =>
          page === undefined
            ? page
            : { ...page, facets, rows: page.rows.map((row) => (row.row === saved.row ? saved : row)) },
        );
      },
    },
  );

/** The values that are stored now, if an edit was refused because of them; else null. */
export function conflictOf(error: Error): Record<string, string | null> | null {
  if (!(error instanceof CallError) || error.status !== 409) return null;
  return (error.current as Record<string, string | null> | undefined) ?? null;
}

/** Selects rows by class, issue, outcome and search. */
export type ValuesFilter = Omit<NonNullable<CallRequest<'listValues'>['query']>, 'field'>;

/** The commonest values of a field among rows, as they are now. */
export function useFieldValues(importId: string, field: ValueField, filter: ValuesFilter) {
  return useQuery({
    ...readOf('listValues', { params: { id: importId }, query: { field, ...filter } }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** A product of an import with its rows from number `from` on, read again whenever it is opened. */
export function useProduct(importId: string, { product, from }: { product: number; from: number }) {
  return useQuery({
    ...readOf('getProduct', { params: { id: importId, product }, query: { from } }),
    staleTime: 0,
    gcTime: 0,
  });
}

export type Direction = 'next' | 'previous';

/** The notification that nobody knows whether there is another problem. */
export const searchFailed = ({ message }: Error) => ({
  title: 'Couldn’t look for the next problem',
  text: message,
  tone: 'failure' as const,
});

/**
 * The nearest row after or before row number `from` that needs the operator. Null if there is none. Throws what `call`
 * throws.
 */
export async function findProblem(importId: string, from: number, direction: Direction): Promise<Row | null> {
  const isNext = direction === 'next';
  const cursor = isNext ? { after: from } : { before: from };
  const query = { class: 'needs-you', ...cursor, limit: 1 } as const;
  const { rows } = await call('listRows', { params: { id: importId }, query });
  // If there is none before a cursor, the reply has the first page instead.
  return rows.find(({ row }) => (isNext ? row > from : row < from)) ?? null;
}
