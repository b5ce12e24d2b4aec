import type { Row } from '@draftshelf/contract/review/rows';
import type { InlineField } from '@draftshelf/domain/base/field-look';
import type { IssueCode } from '@draftshelf/domain/review/issues';
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
import { flushSync } from 'react-dom';
import { isTextField } from '../../../ui/hooks/search-field.ts';
import { firstField, issueFieldIn } from '../cell-marks.ts';
import { useSavedToast } from '../edits/use-undo.ts';
import { useOpenProductOf } from '../product/product-buttons.tsx';
import { conflictOf, useRowEdit } from '../rows-api.ts';
import {
  conflictWords,
  draftOf,
  editedValues,
  type OpenEdit,
  type RowDraft,
  requestOf,
  withCurrent,
  withSaved,
} from './row-edit.ts';
import { typesText } from './typed-text.ts';
import { type Direction, type EditTarget, isOtherRowTyped } from './use-problems.ts';

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
  const wanted = useRef<InlineField | null>(null);
  /** The edit that is shown, which may be another one when a reply arrives. */
  const latest = useRef(edit);
  useLayoutEffect(() => {
    latest.current = edit;
  });
  const element = useRef<HTMLElement | null>(null);
  const reason = row.ignored === null ? lock : 'This row is ignored, so it can’t be edited.';
  const begin = (at: InlineField = firstField(row, fields, issue)) => {
    if (reason !== null) return;
    const begunAt = fields.includes(at) ? at : 'title';
    wanted.current = begunAt;
    origin.current = begunAt;
    setField(begunAt);
    setEdit(edit ?? { draft: draftOf(values), shown: values });
  };
  useTarget(props, element, begin);
  useReturn(element, returning, edit !== null);
  useWantedField(element, wanted, edit !== null);
  /** Whether the focus is in the row, or nowhere. */
  const isHere = () =>
    document.activeElement === document.body || element.current?.contains(document.activeElement) === true;
  const leave = () => {
    if (isHere()) returning.current = origin.current;
    setEdit(null);
    saving.reset();
  };
  const onRefused = (error: Error) => {
    const current = conflictOf(error);
    if (current !== null && latest.current !== null) setEdit(withCurrent(latest.current, current));
  };
  const save = (then: 'stay' | 'next' = 'stay') => {
    if (edit === null || saving.isPending) return;
    const request = requestOf(edit);
    const done = (saved: Row | null) => {
      // What was typed into the row meanwhile stays in it.
      const isLeft = latest.current === null || latest.current === edit;
      const goesOn = then === 'next' && isLeft && isHere();
      if (isLeft) leave();
      else if (latest.current !== null && request !== null)
        setEdit(withSaved(latest.current, request.values));
      if (saved !== null) onSaved(saved, row.class !== 'valid' && saved.class === 'valid');
      if (goesOn) onNext(saved ?? row, saved !== null);
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
    /** Text edits the focused cell, like Enter and F2. Esc leaves it for the row, where letters are keys. */
    onCellKey: (event: KeyboardEvent, at: InlineField) => {
      if (reason !== null || isTextField(event.target)) return;
      if (event.key === 'Escape') element.current?.querySelector<HTMLElement>('[type="checkbox"]')?.focus();
      const isControl = event.target !== event.currentTarget;
      const isHeld = event.ctrlKey || event.metaKey || event.altKey;
      const isKey = !isControl && !isHeld && (event.key === 'Enter' || event.key === 'F2');
      const isText = typesText(event.nativeEvent) && !(isControl && event.key === ' ');
      if (!isKey && !isText) return;
      event.stopPropagation();
      if (isKey) event.preventDefault();
      // The field has the focus before the browser enters the text, so that composed and pasted text arrive too.
      flushSync(() => begin(at));
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
  wanted: RefObject<InlineField | null>,
  isEditing: boolean,
): void {
  useLayoutEffect(() => {
    if (wanted.current === null || !isEditing) return;
    const input = element.current?.querySelector<HTMLInputElement>(`input[data-field="${wanted.current}"]`);
    wanted.current = null;
    input?.focus();
    input?.select();
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
    if (isOtherRowTyped(row.row)) return;
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
