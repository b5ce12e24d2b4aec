import { editRow, listRows, type RowPage } from '@draftshelf/contract/rows';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CallRequest, call } from './call.ts';
import { refreshImport } from './imports.ts';
import { readKey, readOf } from './read.ts';

export const rowsPerPage = 25;

/** Selects rows by class, issue and search, from a cursor on. */
type RowsWanted = Omit<NonNullable<CallRequest<typeof listRows>['query']>, 'limit'>;

/** One page of an import's rows. */
export function useRowPage(importId: string, wanted: RowsWanted) {
  return useQuery({
    ...readOf(listRows, { params: { id: importId }, query: { ...wanted, limit: rowsPerPage } }),
    placeholderData: keepPreviousData,
  });
}

type RowChange = { row: number } & NonNullable<CallRequest<typeof editRow>['body']>;

/**
 * Saves edits of one row and puts the replied row and facets into the cached pages. The pages and the import are then
 * refetched, because the edit may change the class of the product's other rows and the import's counts.
 */
export function useRowEdit(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ row, ...body }: RowChange) => call(editRow, { params: { id: importId, row }, body }),
    onSuccess: ({ row: saved, facets }) => {
      const rowsKey = readKey(listRows.path, { id: importId });
      client.setQueriesData<RowPage>({ queryKey: rowsKey }, (page) =>
        page === undefined
          ? page
          : { ...page, facets, rows: page.rows.map((row) => (row.row === saved.row ? saved : row)) },
      );
      return Promise.all([
        client.invalidateQueries({ queryKey: rowsKey }),
        refreshImport(client, importId, { rows: false }),
      ]);
    },
  });
}
