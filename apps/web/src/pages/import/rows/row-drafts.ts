import type { Row } from '@draftshelf/contract/rows';
import { useState } from 'react';
import { changesOf, type RowDraft } from './row-edit.ts';

/** The unsaved edit of a row, with the values that it started from. */
type OpenDraft = { row: number; draft: RowDraft; values: Record<string, string> };

/** A row with unsaved changes. */
export type UnsavedRow = { row: number; changes: Partial<RowDraft> };

export type RowDrafts = ReturnType<typeof useRowDrafts>;

/** After a re-read, a row number may refer to another record. */
const keyOf = ({ row, line }: Pick<Row, 'row' | 'line'>) => `${row} ${line}`;

/** Unsaved edits of an import's rows. They outlive filters, pages and the change between table and cards. */
export function useRowDrafts() {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, OpenDraft>>(new Map());
  const unsaved: UnsavedRow[] = [...drafts.values()]
    .map(({ row, draft, values }) => ({ row, changes: changesOf(values, draft) }))
    .filter(({ changes }) => Object.keys(changes).length > 0);
  return {
    of: (row: Row): RowDraft | null => drafts.get(keyOf(row))?.draft ?? null,
    /** Sets the draft of a row; null ends its edit. `values` are what the edit started from. */
    set: (row: Row, draft: RowDraft | null, values: Record<string, string>) =>
      setDrafts((now) => {
        const next = new Map(now);
        const key = keyOf(row);
        if (draft === null) next.delete(key);
        else next.set(key, { row: row.row, draft, values: now.get(key)?.values ?? values });
        return next;
      }),
    /** Ends the edits of these rows; without rows, of all. */
    end: (rows?: readonly number[]) =>
      setDrafts((now) =>
        rows === undefined ? new Map() : new Map([...now].filter(([, { row }]) => !rows.includes(row))),
      ),
    unsaved,
  };
}
