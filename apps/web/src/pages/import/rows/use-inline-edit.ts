import type { Row } from '@draftshelf/contract/rows';
import type { IssueCode } from '@draftshelf/domain/issues';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { conflictOf, useRowEdit } from '../../../api/rows.ts';
import { useSavedToast } from '../../../components/edits/use-undo.ts';
import { useOpenProductOf } from '../../../components/product-dialog/product-buttons.tsx';
import { firstField, issueFieldIn } from './cell-marks.ts';
import {
  conflictWords,
  draftOf,
  editedValues,
  type InlineField,
  type OpenEdit,
  type RowDraft,
  requestOf,
  withCurrent,
} from './row-edit.ts';
import type { Direction, EditTarget } from './use-problems.ts';

/** Props of a row of the preview, as a table row or a card. */
export type ProductRowProps = {
  importId: string;
  row: Row;
  /** The first row of its product. It holds the fields that a product has only once. */
  firstOfProduct: Row;
  /** Reason for not editing rows now; null if they can be edited. */
  lock: string | null;
  /** The fields that can be edited where the row is shown. */
  fields: readonly InlineField[];
  /** The issue that rows are filtered by. */
  issue: string | undefined;
  /** The product's title if the row has none. A grouped row inherits it. */
  groupTitle: string | null;
  /** The unsaved edit of the row; null if it is not being edited. */
  edit: OpenEdit | null;
  setEdit: (edit: OpenEdit | null) => void;
  /** The row has been fixed since the page was opened. */
  isFixed: boolean;
  /** The sentence about another import with its SKU or UPC, which the row shows as an icon; null for none. */
  elsewhere: string | null;
  /** Set when this row is to be edited now; `onTaken` is called when it is. */
  target: EditTarget | null;
  onTaken: () => void;
  /** `isFixed`: the row had a problem and has none now. */
  onSaved: (saved: Row, isFixed: boolean) => void;
  /** Goes on with the next problem, which may be in the same row if it was just saved. */
  onNext: (row: Row, isSaved: boolean) => void;
  /** Edits a row, beginning with a field. */
  onFix: (target: EditTarget) => void;
  /** Shows what the fix of an issue does to the row, to apply it. */
  onFixIssue: (row: number, code: IssueCode) => void;
  /** Goes to the next or previous problem; false if there is none. */
  onGo: (direction: Direction, row: number) => Promise<boolean>;
};

export type InlineEdit = ReturnType<typeof useInlineEdit>;

/** Edits one row, beginning with its first wrong cell. Afterwards the focus returns to where the edit began. */
export function useInlineEdit(props: ProductRowProps) {
  const { importId, row, firstOfProduct, lock, fields, issue, edit, setEdit, onSaved, onNext } = props;
  const values = editedValues(row.values, firstOfProduct.values);
  const saving = useRowEdit(importId);
  const showSaved = useSavedToast(importId);
  const [field, setField] = useState(() => firstField(row, fields, issue));
  /** The place that the focus returns to after the edit, and whether it is to return now. */
  const origin = useRef<Origin>('pencil');
  const returning = useRef<Origin | null>(null);
  const wanted = useRef<{ field: InlineField; isTyped: boolean } | null>(null);
  const element = useRef<HTMLElement | null>(null);
  const reason = row.ignored === null ? lock : 'This row is ignored, so it can’t be edited.';
  const begin = (at: InlineField = firstField(row, fields, issue), typed?: string) => {
    if (reason !== null) return;
    const begunAt = fields.includes(at) ? at : 'title';
    wanted.current = { field: begunAt, isTyped: typed !== undefined };
    origin.current = begunAt;
    setField(begunAt);
    const draft = draftOf(values);
    const begun = typed === undefined ? draft : { ...draft, [begunAt]: typed };
    setEdit(edit ?? { draft: begun, shown: values });
  };
  useTarget(props, element, begin);
  useReturn(element, returning, edit !== null);
  useWantedField(element, wanted, edit !== null);
  const leave = () => {
    returning.current = origin.current;
    setEdit(null);
    saving.reset();
  };
  const onRefused = (error: Error) => {
    const current = conflictOf(error);
    if (current !== null && edit !== null) setEdit(withCurrent(edit, current));
  };
  const save = (then: 'stay' | 'next' = 'stay') => {
    if (edit === null || saving.isPending) return;
    const request = requestOf(edit);
    const done = (saved: Row | null) => {
      leave();
      if (saved !== null) onSaved(saved, row.class !== 'valid' && saved.class === 'valid');
      if (then === 'next') onNext(saved ?? row, saved !== null);
    };
    if (request === null) return done(null);
    saving.mutate(
      { row: row.row, ...request },
      {
        onSuccess: (reply) => {
          showSaved([reply]);
          done(reply.row);
        },
        onError: onRefused,
      },
    );
  };
  const undoEdit = (undone: InlineField) => {
    returning.current = undone;
    const expected = { [undone]: values[undone] ?? null };
    saving.mutate(
      { row: row.row, values: { [undone]: null }, expected },
      { onSuccess: (reply) => showSaved([reply]) },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (edit === null || event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') leave();
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) save('next');
  };
  return {
    element,
    draft: edit?.draft ?? null,
    setDraft: (draft: RowDraft) => setEdit({ ...(edit ?? { shown: values }), draft }),
    /** Whether the field is being edited, and nothing else is typed into it yet. */
    isUnchanged: (at: InlineField) => edit !== null && edit.draft[at] === draftOf(values)[at],
    /** The field that the edit began with. */
    field,
    beginAtPencil: () => {
      begin();
      origin.current = 'pencil';
    },
    save: () => save(),
    saveAndGoOn: () => save('next'),
    leave,
    onKeyDown,
    /** A click on a cell edits it, unless it is on a control or selects text. */
    onCellClick: (event: MouseEvent, at: InlineField) => {
      const isControl = event.target instanceof Element && event.target.closest(controls);
      if (edit === null && !isControl && getSelection()?.isCollapsed !== false) begin(at);
    },
    /** A focused cell is edited with Enter and F2, and a number by typing it. */
    onCellKey: (event: KeyboardEvent, at: InlineField) => {
      const isHeld = event.ctrlKey || event.metaKey || event.altKey;
      if (edit !== null || event.target !== event.currentTarget || isHeld) return;
      const isKey = event.key === 'Enter' || event.key === 'F2';
      if (!isKey && !beginsNumber(at, event.key)) return;
      event.preventDefault();
      begin(at, isKey ? undefined : event.key);
    },
    /** Undoes the edit of a field; null if that is not possible now. */
    undoEdit: reason === null && !saving.isPending ? undoEdit : null,
    /** Reason for not editing the row; null if it can be edited. */
    reason,
    saving: saving.isPending,
    failure: failureOf(saving.error, edit),
  };
}

/** Why the edit is not saved. A conflict belongs to the edit: it is said wherever and whenever its row is shown. */
function failureOf(error: Error | null, edit: OpenEdit | null): string | null {
  if (error !== null && conflictOf(error) === null) return error.message;
  if (edit?.conflict !== undefined) return conflictWords(edit.conflict);
  return error?.message ?? null;
}

type Origin = InlineField | 'pencil';

/** Controls within a cell, with a click of their own. The sentences about a row are read and selected. */
const controls = 'a, button, input, summary, [data-full]';

/** Fields with text. */
const textFields: readonly InlineField[] = ['title', 'vendor', 'type', 'sku'];

/** Letters are keys of the screen, so that only numbers are typed into a cell that is not edited yet. */
function beginsNumber(field: InlineField, key: string): boolean {
  return !textFields.includes(field) && /^[\d.,$€£]$/.test(key);
}

/** Returns the focus to the cell or button where the edit began. */
function useReturn(
  element: RefObject<HTMLElement | null>,
  returning: RefObject<Origin | null>,
  isEditing: boolean,
): void {
  useLayoutEffect(() => {
    if (returning.current === null || isEditing) return;
    const place = returning.current === 'pencil' ? '[data-pencil]' : `td[data-field="${returning.current}"]`;
    returning.current = null;
    element.current?.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
  });
}

/** Moves the focus to the wanted field once the row's fields are there. */
function useWantedField(
  element: RefObject<HTMLElement | null>,
  wanted: RefObject<{ field: InlineField; isTyped: boolean } | null>,
  isEditing: boolean,
): void {
  useLayoutEffect(() => {
    if (wanted.current === null || !isEditing) return;
    const { field, isTyped } = wanted.current;
    const input = element.current?.querySelector<HTMLInputElement>(`input[data-field="${field}"]`);
    wanted.current = null;
    input?.focus();
    if (isTyped) input?.setSelectionRange(input.value.length, input.value.length);
    else input?.select();
  });
}

/** Issues about a field that no form of a row has: the change of many rows does, and changes one as well. */
const ofChangesOnly: readonly string[] = ['option-too-long'] satisfies IssueCode[];

/**
 * Begins the edit when the row becomes the target. A field that the table does not edit in place is edited where it can
 * be, if the rows are filtered by its issue.
 */
function useTarget(
  props: ProductRowProps,
  element: RefObject<HTMLElement | null>,
  begin: (field?: InlineField) => void,
): void {
  const { row, target, issue, fields, lock, onTaken, onFixIssue } = props;
  const openAll = useOpenProductOf(row);
  const take = useEffectEvent(() => {
    onTaken();
    const field = target?.field === undefined ? issueFieldIn(row, issue) : null;
    const isInPlace = field === null || (fields as readonly string[]).includes(field);
    const isTable = element.current instanceof HTMLTableRowElement;
    if (isInPlace || !isTable || lock !== null) begin(target?.field);
    else if (ofChangesOnly.includes(issue ?? '')) onFixIssue(row.row, issue as IssueCode);
    else openAll?.();
  });
  useEffect(() => {
    if (target !== null) take();
  }, [target]);
}
