import type { Row } from '@draftshelf/contract/rows';
import { type KeyboardEvent, useRef } from 'react';
import { useRowEdit } from '../../../api/rows.ts';
import { changesOf, draftOf, editedValues, type InlineField, type RowDraft } from './row-edit.ts';

/** What a row of the preview is given, as a line of the table or as a card. */
export type ProductRowProps = {
  importId: string;
  row: Row;
  /** The first row of its product: it holds what the product has once. */
  firstOfProduct: Row;
  /** Why no row can be edited now; null when it can. */
  lock: string | null;
  /** The title that the row has from its group, where it has none of its own (decision P7). */
  groupTitle: string | null;
  /** What is typed into the row and not saved yet; null while it is only read. */
  draft: RowDraft | null;
  setDraft: (draft: RowDraft | null) => void;
};

export type InlineEdit = ReturnType<typeof useInlineEdit>;

/** The editing of one row; afterwards the focus goes back to where it was begun. */
export function useInlineEdit(props: ProductRowProps) {
  const { importId, row, firstOfProduct, lock, draft, setDraft } = props;
  const values = editedValues(row.values, firstOfProduct.values);
  const edit = useRowEdit(importId);
  const returning = useRef(false);
  const leave = () => {
    returning.current = true;
    setDraft(null);
    edit.reset();
  };
  const save = () => {
    if (draft === null) return;
    const changes = changesOf(values, draft);
    if (Object.keys(changes).length === 0) return leave();
    edit.mutate({ row: row.row, values: changes }, { onSuccess: leave });
  };
  const takeBack = (field: InlineField) => {
    returning.current = true;
    edit.mutate({ row: row.row, values: { [field]: null } });
  };
  const focusOnReturn = (button: HTMLButtonElement | null) => {
    if (button === null || !returning.current) return;
    button.focus();
    returning.current = false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (draft === null) return;
    if (event.key === 'Escape') leave();
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) save();
  };
  const begin = () => setDraft(draftOf(values));
  const reason = row.ignored === null ? lock : 'This row is ignored, so it can’t be edited.';
  return {
    draft,
    setDraft,
    begin,
    save,
    leave,
    onKeyDown,
    focusOnReturn,
    /** Takes an edit of a field back; null when that cannot be done now. */
    takeBack: reason === null && !edit.isPending ? takeBack : null,
    /** Why the row cannot be edited; null when it can. */
    reason,
    saving: edit.isPending,
    failure: edit.error?.message ?? null,
  };
}
