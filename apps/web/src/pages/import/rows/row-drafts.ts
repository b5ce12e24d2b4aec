import type { Row } from '@draftshelf/contract/rows';
import { useState } from 'react';
import { type OpenEdit, requestOf } from './row-edit.ts';

/** The unsaved edit of a row, by the key of its record. */
type RowEdit = { key: string; row: number; edit: OpenEdit };

/** A row with unsaved changes, and what is sent to save them. */
export type UnsavedRow = RowEdit & { request: NonNullable<ReturnType<typeof requestOf>> };

export type RowDrafts = ReturnType<typeof useRowDrafts>;

/** After a re-read, a row number may refer to another record. */
const keyOf = ({ row, line }: Pick<Row, 'row' | 'line'>) => `${row} ${line}`;

/** Unsaved edits of an import's rows. They outlive filters, pages and the change between table and cards. */
export function useRowDrafts() {
  const [edits, setEdits] = useState<ReadonlyMap<string, RowEdit>>(new Map());
  const put = (key: string, row: number, edit: OpenEdit | null) =>
    setEdits((now) => {
      const next = new Map(now);
      if (edit === null) next.delete(key);
      else next.set(key, { key, row, edit });
      return next;
    });
  const unsaved: UnsavedRow[] = [...edits.values()].flatMap((one) => {
    const request = requestOf(one.edit);
    return request === null ? [] : [{ ...one, request }];
  });
  return {
    of: (row: Row): OpenEdit | null => edits.get(keyOf(row))?.edit ?? null,
    /** Sets the edit of a row; null ends it. */
    set: (row: Row, edit: OpenEdit | null) => put(keyOf(row), row.row, edit),
    /** Replaces an unsaved edit, which may be on another page. */
    replace: ({ key, row }: UnsavedRow, edit: OpenEdit | null) => put(key, row, edit),
    /** Ends all edits. */
    end: () => setEdits(new Map()),
    unsaved,
  };
}
