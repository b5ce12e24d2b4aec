import type { Row } from '@draftshelf/contract/rows';
import { type KeyboardEvent, useRef } from 'react';
import { useRowEdit } from '../../../api/rows.ts';
import { changesOf, draftOf, editedValues, type InlineField, type RowDraft } from './row-edit.ts';

/** Props of a row of the preview, as a table row or a card. */
export type ProductRowProps = {
  importId: string;
  row: Row;
  /** The first row of its product. It holds the fields that a product has only once. */
  firstOfProduct: Row;
  /** Why rows cannot be edited now; null if they can. */
  lock: string | null;
  /** The product's title if the row has none. A grouped row inherits it. */
  groupTitle: string | null;
  /** The unsaved edit of the row; null if it is not being edited. */
  draft: RowDraft | null;
  setDraft: (draft: RowDraft | null) => void;
};

export type InlineEdit = ReturnType<typeof useInlineEdit>;

/** Edits one row. Afterwards the focus returns to the Edit button. */
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
  const undoEdit = (field: InlineField) => {
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
    /** Undoes the edit of a field; null if that is not possible now. */
    undoEdit: reason === null && !edit.isPending ? undoEdit : null,
    /** Why the row cannot be edited; null if it can. */
    reason,
    saving: edit.isPending,
    failure: edit.error?.message ?? null,
  };
}
