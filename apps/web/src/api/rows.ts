import { editRow, listRows, type RowPage } from '@draftshelf/contract/rows';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CallRequest, call } from './call.ts';
import { readAnew } from './imports.ts';
import { readKey, readOf } from './read.ts';

export const rowsPerPage = 25;

/** Which rows: by key, and by class, issue and search. */
type RowsWanted = Omit<NonNullable<CallRequest<typeof listRows>['query']>, 'limit'>;

/** One page of an import's rows, whichever they are. */
export function useRowPage(importId: string, wanted: RowsWanted) {
  return useQuery({
    ...readOf(listRows, { params: { id: importId }, query: { ...wanted, limit: rowsPerPage } }),
    placeholderData: keepPreviousData,
  });
}

type RowChange = { row: number; values: NonNullable<CallRequest<typeof editRow>['body']>['values'] };

/**
 * Saves edits of one row; the reply replaces the row and the facets in the pages read so far. The page is read anew,
 * because the other rows of its product may be judged otherwise now, and so are the import's counts.
 */
export function useRowEdit(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ row, values }: RowChange) =>
      call(editRow, { params: { id: importId, row }, body: { values } }),
    onSuccess: ({ row: saved, facets }) => {
      const rowsKey = readKey(listRows.path, { id: importId });
      client.setQueriesData<RowPage>({ queryKey: rowsKey }, (page) =>
        page === undefined
          ? page
          : { ...page, facets, rows: page.rows.map((row) => (row.row === saved.row ? saved : row)) },
      );
      return Promise.all([
        client.invalidateQueries({ queryKey: rowsKey }),
        readAnew(client, importId, { rows: false }),
      ]);
    },
  });
}
