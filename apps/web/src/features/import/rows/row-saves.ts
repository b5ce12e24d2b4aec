import type { Row } from '@draftshelf/contract/review/rows';
import { type InlineField, inlineFields } from '@draftshelf/domain/base/field-look';
import { useCellSaveNotice, useSavedToast } from '../edits/edits-api.ts';
import { findConflict, useRowEdit } from '../rows-api.ts';
import type { FocusRequest, GridEvent, GridState, StepAfterSave } from './grid-state.ts';
import type { GridStore } from './grid-store.ts';
import {
  findValuesToEdit,
  rebaseOntoConflict,
  rebaseOntoSaved,
  toRowDraft,
  toRowRequest,
} from './row-edit.ts';
import { type RowEntry, useRowsReview } from './rows-review.ts';

/** Returns the form of an edit that contains an element: a row of the table, or the sheet. */
export const findRowForm = (element: EventTarget | null): HTMLElement | null =>
  element instanceof Element ? element.closest<HTMLElement>('tr[data-row], form[data-sheet]') : null;

export const readFormRow = (form: HTMLElement | null): number | null => {
  const row = form?.dataset.row ?? form?.dataset.sheet;
  return row === undefined ? null : Number(row);
};

/** True if the focus is in the row, or on no element at all. */
const hasFocus = (row: number): boolean =>
  document.activeElement === document.body || readFormRow(findRowForm(document.activeElement)) === row;

/** Returns the element to focus after an edit: the edited cell, or the button with which the edit began. */
function focusAfter(row: number, { edits }: GridState): FocusRequest {
  const origin = edits.get(row)?.origin ?? 'pencil';
  if (origin === 'pencil') return { row, field: 'title', on: 'pencil', how: 'return' };
  const { activeElement: focused } = document;
  const here = inlineFields.find((one) => focused instanceof HTMLElement && one === focused.dataset.field);
  return { row, field: here ?? origin, on: 'cell', how: 'return' };
}

/** Saves edits. While a row is being saved, further saves of the row are queued. */
export function useRowSaves({ get, patch, send }: GridStore) {
  const { record, drafts, heldRows, problems } = useRowsReview();
  const { mutateAsync } = useRowEdit(record.id);
  const showSaved = useSavedToast(record.id);
  const cellSaved = useCellSaveNotice(record.id, (announcement) => patch({ announcement }));
  const leave = (row: Row, then?: StepAfterSave) => {
    if (then !== 'away' && hasFocus(row.row)) patch({ focus: focusAfter(row.row, get()) });
    drafts.set(row, null);
  };
  const settle = (event: Extract<GridEvent, { kind: 'saved' | 'failed' }>): StepAfterSave | undefined => {
    const next = get().saving.get(event.row)?.at(-1);
    send(event);
    return next;
  };
  const save = (entry: RowEntry, then: StepAfterSave, edited = drafts.newestOf(entry.row)) => {
    const { row } = entry;
    const number = row.row;
    if (edited === null) return;
    if (get().saving.has(number)) {
      send({ kind: 'saving', row: number, after: then });
      return;
    }
    const request = toRowRequest(edited);
    const onDone = (saved: Row | null) => {
      const newest = drafts.newestOf(row);
      // If the operator has typed into the row during the save, the input is kept.
      const isLeft = newest === null || (newest === edited && then !== 'open');
      const goesOn = then === 'next' && isLeft && hasFocus(number);
      if (isLeft) leave(row, then);
      else if (request !== null) drafts.set(row, rebaseOntoSaved(newest, request.values));
      if (saved !== null) heldRows.keep(saved, row.class !== 'valid' && saved.class === 'valid');
      if (goesOn) problems.goOn(saved ?? row, saved !== null);
    };
    if (request === null) {
      onDone(null);
      return;
    }
    const isOfCell = (get().edits.get(number)?.origin ?? 'pencil') !== 'pencil';
    send({ kind: 'saving', row: number });
    // Uses the promise: callbacks of `mutate` do not run if the row leaves the page before the reply arrives.
    mutateAsync({ row: number, ...request }).then(
      (reply) => {
        const next = settle({ kind: 'saved', row: number });
        if (isOfCell) cellSaved(reply);
        else showSaved([reply]);
        onDone(reply.row);
        if (next !== undefined) save(entry, next);
      },
      (error: Error) => {
        const [current, newest] = [findConflict(error), drafts.newestOf(row)];
        const isConflict = current !== null && newest !== null;
        settle({
          ...{ kind: 'failed', row: number, isOfEdit: true },
          message: isConflict ? null : error.message,
        });
        if (isConflict) drafts.set(row, rebaseOntoConflict(newest, current));
      },
    );
  };
  /** Discards the change of one field. Changes of other fields in the row are saved. */
  const cancel = (entry: RowEntry, field: InlineField | null) => {
    const { row } = entry;
    const edit = drafts.newestOf(row);
    if (edit === null || field === null) return leave(row);
    const others = { ...edit, draft: { ...edit.draft, [field]: toRowDraft(edit.before)[field] } };
    if (toRowRequest(others) === null) return leave(row);
    drafts.set(row, others);
    save(entry, 'stay', others);
  };
  const undoEdit = ({ row, firstOfProduct }: RowEntry, field: InlineField) => {
    const { row: number } = row;
    patch({ focus: { row: number, field, on: 'cell', how: 'still' } });
    send({ kind: 'saving', row: number });
    const expected = { [field]: findValuesToEdit(row.values, firstOfProduct.values)[field] ?? null };
    mutateAsync({ row: number, values: { [field]: null }, expected }).then(
      (reply) => {
        settle({ kind: 'saved', row: number });
        cellSaved(reply);
      },
      ({ message }: Error) => settle({ kind: 'failed', row: number, message, isOfEdit: false }),
    );
  };
  return { save, cancel, leave, undoEdit };
}
