import type { RowPage } from '@draftshelf/contract/review/rows';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { assume } from '../../api/assume.ts';
import { CallError, type CallRequest, call } from '../../api/call.ts';
import { readKey, readOf } from '../../api/read.ts';
import { planKey, proposalsKey, refreshImport } from './imports-api.ts';

export const rowsPerPage = 25;

/** Selects rows by class, issue, outcome, change, value and search, from a cursor on. */
type RowsWanted = Omit<NonNullable<CallRequest<'listRows'>['query']>, 'limit'>;

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

/** Returns a function that reads the first page of an import's rows ahead: of those that its page opens on. */
export function useRowsAhead(): (importId: string, opening: RowsWanted) => void {
  const client = useQueryClient();
  return (importId, opening) => {
    const isFiltered = Object.keys(opening).length > 0;
    void client.prefetchQuery(rowPageRead(importId, isFiltered ? opening : { after: 0 }));
  };
}

/**
 * The number of the first matching row behind `from`, or of the last one before it; null if there is none. Throws what
 * `call` throws.
 */
export async function findRow(
  importId: string,
  { class: ofClass, issue, outcome, change, value, q }: RowsWanted,
  direction: 'next' | 'previous',
  from: number,
): Promise<number | null> {
  const isNext = direction === 'next';
  const cursor = isNext ? { after: from } : { before: Math.max(1, from) };
  const { rows } = await call('listRows', {
    params: { id: importId },
    query: { class: ofClass, issue, outcome, change, value, q, ...cursor, limit: 1 },
  });
  // A page before a cursor is filled up with rows behind it.
  const found = rows.find(({ row }) => (isNext ? row > from : row < from));
  return found?.row ?? null;
}

type RowChange = { row: number } & NonNullable<CallRequest<'editRow'>['body']>;

/**
 * Saves edits of one row and puts the replied row and facets into the cached pages. The pages, the import and its
 * proposals are then refetched: the edit may change the class of the product's other rows, the import's counts, and the
 * values that proposals are compared with. After a refusal
 * because of other values, the pages are refetched too.
 */
export function useRowEdit(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ row, ...body }: RowChange) => call('editRow', { params: { id: importId, row }, body }),
    // What an edit makes of a row, the server says; a row that is left out is only marked.
    onMutate: ({ row, leaveOut }) =>
      leaveOut === undefined
        ? undefined
        : assume<RowPage>(client, { queryKey: readKey('listRows', { id: importId }) }, (page) => ({
            ...page,
            rows: page.rows.map((other) => (other.row === row ? { ...other, leftOut: leaveOut } : other)),
          })),
    onSuccess: ({ row: saved, facets }) => {
      const rowsKey = readKey('listRows', { id: importId });
      client.setQueriesData<RowPage>({ queryKey: rowsKey }, (page) =>
        page === undefined
          ? page
          : { ...page, facets, rows: page.rows.map((row) => (row.row === saved.row ? saved : row)) },
      );
      // Not awaited: the operator goes on with the next row.
      void refreshAfterEdit(client, importId);
    },
    onError: (error, _change, takeBack) => {
      takeBack?.();
      if (conflictOf(error) === null) return;
      void client.invalidateQueries({ queryKey: readKey('listRows', { id: importId }) });
    },
  });
}

/** The key of all reads of the history of an import, and of its rows. */
export const editsKey = (importId: string) => [...readKey('getImport', { id: importId }), 'edits'];

/** Reads again what an edit of a row may have changed. */
export const refreshAfterEdit = (client: QueryClient, importId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: readKey('listRows', { id: importId }) }),
    client.invalidateQueries({ queryKey: proposalsKey(importId) }),
    client.invalidateQueries({ queryKey: planKey(importId) }),
    client.invalidateQueries({ queryKey: editsKey(importId) }),
    client.invalidateQueries({ queryKey: readKey('listPictures', { id: importId }) }),
    refreshImport(client, importId, { rows: false }),
  ]);

/** The values that are stored now, if an edit was refused because of them; else null. */
export function conflictOf(error: Error): Record<string, string | null> | null {
  if (!(error instanceof CallError) || error.status !== 409) return null;
  return (error.current as Record<string, string | null> | undefined) ?? null;
}
