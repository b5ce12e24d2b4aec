import type { Row } from '@draftshelf/contract/review/rows';
import { type InlineField, inlineFields, lookOf } from '@draftshelf/domain/base/field-look';
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
import { useListener } from '../../../ui/hooks.ts';
import { isTextField } from '../../../ui/keys.ts';
import { firstField, issueFieldIn } from '../cell-marks.ts';
import { undoOfKey, useSavedToast } from '../edits/use-undo.ts';
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
import { type RowEntry, useRowsReview } from './rows-review.ts';
import { type Begun, type Then, typesText, useFieldKeys } from './use-field-keys.ts';

export type InlineEdit = ReturnType<typeof useInlineEdit>;

export function useInlineEdit(entry: RowEntry) {
  const { row, firstOfProduct, fields } = entry;
  const { lock, drafts, address } = useRowsReview();
  const edit = drafts.of(row);
  const begun = useRef<Begun>('problem');
  const isOther = useRef(false);
  const values = editedValues(row.values, firstOfProduct.values);
  const first = () => firstField(row, fields, address.issue);
  const [field, setField] = useState(first);
  const focus = useFocusOfEdit(edit !== null);
  const { element } = focus;
  const reason = row.ignored === null ? lock : 'This row is ignored, so it can’t be edited.';
  const openAll = useOpenProductOf(row);
  const begin = (at: InlineField = first(), by: Begun = 'problem', origin: Origin = at) => {
    if (reason !== null) return;
    if (lookOf(at).isLong) return openAll?.();
    const begunAt = fields.includes(at) ? at : 'title';
    begun.current = by;
    focus.begin(begunAt, origin === 'pencil' ? origin : begunAt);
    setField(begunAt);
    drafts.set(row, edit ?? { draft: draftOf(values), before: values });
  };
  useTarget(entry, element, begin);
  const { save, cancel, leave, undoEdit, isSaving, failure } = useRowSave(entry, values, focus);
  // What replaces another value is saved by the operator only.
  const savesItself = edit !== null && edit.conflict === undefined;
  useClickElsewhere(element, savesItself, () => save('away'));
  const onFieldKey = useFieldKeys(entry, { begun, savesItself, save });
  return {
    element,
    draft: edit?.draft ?? null,
    setDraft: (draft: RowDraft) => drafts.set(row, { ...(edit ?? { before: values }), draft }),
    /** True until something is typed into the edited field. */
    isUnchanged: (at: InlineField) => edit !== null && edit.draft[at] === draftOf(values)[at],
    field,
    beginAtPencil: () => begin(first(), 'problem', 'pencil'),
    save: () => save('stay'),
    saveAndGoOn: () => save('next'),
    leave: () => leave(),
    onKeyDown: (event: KeyboardEvent) => {
      if (edit === null || event.nativeEvent.isComposing) return;
      if (undoOfKey(event.nativeEvent) !== null && requestOf(edit) === null) {
        // The browser would undo the text of a field that was saved when Tab left it.
        event.preventDefault();
        leave();
        document.dispatchEvent(new KeyboardEvent('keydown', event.nativeEvent));
        return;
      }
      const { target } = event;
      if (begun.current === 'over' && event.shiftKey && event.key.startsWith('Arrow')) {
        if (requestOf(edit) !== null || !(target instanceof HTMLElement)) return;
        // Nothing is typed: the key marks cells, from this one on.
        event.preventDefault();
        const cell = target.closest('td');
        flushSync(() => leave());
        cell?.dispatchEvent(new KeyboardEvent('keydown', event.nativeEvent));
        return;
      }
      const at = inlineFields.find((one) => target instanceof HTMLElement && one === target.dataset.field);
      if (event.key === 'Escape') cancel(at);
      else if (at !== undefined && target instanceof HTMLInputElement) onFieldKey(event, at);
    },
    onCellPress: ({ target }: MouseEvent) => {
      isOther.current = target !== document.activeElement;
    },
    /** A click on a cell edits it, unless it is on a control or selects text. */
    onCellClick: (event: MouseEvent, at: InlineField) => {
      const isControl = event.target instanceof Element && event.target.closest(controls);
      if (edit !== null && event.target instanceof HTMLInputElement && begun.current !== 'problem') {
        // A second click into a field is for the text.
        begun.current = isOther.current ? 'over' : 'text';
        if (isOther.current) event.target.select();
      }
      if (edit === null && !isControl && getSelection()?.isCollapsed !== false) begin(at, 'over');
    },
    onCellKey: (event: KeyboardEvent, at: InlineField) => {
      if (reason !== null || isTextField(event.target)) return;
      if (!beginsEdit(event)) return;
      event.stopPropagation();
      if (isEditKey(event)) event.preventDefault();
      // The field has the focus before the browser enters the text, so that composed and pasted text arrive too.
      flushSync(() => begin(at, isEditKey(event) ? 'text' : 'over'));
    },
    undoEdit: reason === null && !isSaving ? undoEdit : null,
    reason,
    saving: isSaving,
    failure,
  };
}

/** Parts of a cell with a click of their own. Sentences are read and selected. */
const controls = 'a, button, input, summary, [data-full]';

const isEditKey = ({ key, target, currentTarget, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  target === currentTarget && !ctrlKey && !metaKey && !altKey && (key === 'Enter' || key === 'F2');

function beginsEdit(event: KeyboardEvent): boolean {
  const isControl = event.target !== event.currentTarget;
  return isEditKey(event) || (typesText(event.nativeEvent) && !(isControl && event.key === ' '));
}

function useRowSave({ row }: RowEntry, values: Record<string, string>, focus: FocusOfEdit) {
  const { record, drafts, heldRows, problems } = useRowsReview();
  const edit = drafts.of(row);
  const saving = useRowEdit(record.id);
  const showSaved = useSavedToast(record.id);
  const isEditing = edit !== null;
  const forgetFailure = useEffectEvent(() => saving.isError && saving.reset());
  useEffect(() => {
    // Save All and Discard end an edit elsewhere.
    if (!isEditing) forgetFailure();
  }, [isEditing]);
  /** While the row is saved: the saves that follow. */
  const queue = useRef<Then[] | null>(null);
  const leave = (then?: Then) => {
    if (then !== 'away') focus.leave();
    drafts.set(row, null);
  };
  const save = (then: Then, edited = drafts.newestOf(row)) => {
    if (edited === null || queue.current?.push(then)) return;
    const request = requestOf(edited);
    const onDone = (saved: Row | null) => {
      const newest = drafts.newestOf(row);
      // What was typed into the row meanwhile stays in it.
      const isLeft = newest === null || (newest === edited && then !== 'open');
      const goesOn = then === 'next' && isLeft && focus.isHere();
      if (isLeft) leave(then);
      else if (request !== null) drafts.set(row, withSaved(newest, request.values));
      if (saved !== null) heldRows.keep(saved, row.class !== 'valid' && saved.class === 'valid');
      if (goesOn) problems.goOn(saved ?? row, saved !== null);
    };
    if (request === null) return onDone(null);
    queue.current = [];
    const endQueue = () => {
      const last = queue.current?.at(-1);
      queue.current = null;
      return last;
    };
    // Also where the row has left the page meanwhile.
    saving.mutateAsync({ row: row.row, ...request }).then(
      (reply) => {
        const next = endQueue();
        showSaved([reply]);
        onDone(reply.row);
        if (next !== undefined) save(next);
      },
      (error: Error) => {
        endQueue();
        const [current, newest] = [conflictOf(error), drafts.newestOf(row)];
        if (current !== null && newest !== null) drafts.set(row, withCurrent(newest, current));
      },
    );
  };
  /** What other fields of the row got before is saved. */
  const cancel = (at: InlineField | undefined) => {
    if (edit === null || at === undefined) return leave();
    const others = { ...edit, draft: { ...edit.draft, [at]: draftOf(edit.before)[at] } };
    if (requestOf(others) === null) return leave();
    drafts.set(row, others);
    save('stay', others);
  };
  const undoEdit = (field: InlineField) => {
    focus.returnTo(field);
    const expected = { [field]: values[field] ?? null };
    saving.mutate(
      { row: row.row, values: { [field]: null }, expected },
      { onSuccess: (reply) => showSaved([reply]) },
    );
  };
  return {
    save,
    cancel,
    leave,
    undoEdit,
    isSaving: saving.isPending,
    failure: failureOf(saving.error, edit),
  };
}

/** A conflict stays with its edit, so it also shows after the row was hidden. */
function failureOf(error: Error | null, edit: OpenEdit | null): string | null {
  if (error !== null && conflictOf(error) === null) return error.message;
  if (edit?.conflict !== undefined) return conflictWords(edit.conflict);
  return error?.message ?? null;
}

type Origin = InlineField | 'pencil';
type FocusOfEdit = ReturnType<typeof useFocusOfEdit>;

function useFocusOfEdit(isEditing: boolean) {
  const element = useRef<HTMLElement | null>(null);
  const origin = useRef<Origin>('pencil');
  const returning = useRef<Origin | null>(null);
  const entering = useRef<InlineField | null>(null);
  useLayoutEffect(() => {
    if (isEditing && entering.current !== null) {
      const field = entering.current;
      entering.current = null;
      const input = element.current?.querySelector<HTMLInputElement>(`input[data-field="${field}"]`);
      input?.focus();
      input?.select();
    }
    if (!isEditing && returning.current !== null) {
      const place =
        returning.current === 'pencil' ? '[data-pencil]' : `td[data-field="${returning.current}"]`;
      returning.current = null;
      element.current?.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
    }
  });
  const isHere = () =>
    document.activeElement === document.body || element.current?.contains(document.activeElement) === true;
  return {
    element,
    isHere,
    begin: (field: InlineField, from: Origin) => {
      entering.current = field;
      origin.current = from;
    },
    leave: () => {
      if (!isHere()) return;
      const { activeElement: focused } = document;
      const here = inlineFields.find(
        (one) => focused instanceof HTMLElement && one === focused.dataset.field,
      );
      returning.current = origin.current === 'pencil' ? origin.current : (here ?? origin.current);
    },
    returnTo: (field: InlineField) => {
      returning.current = field;
    },
  };
}

/** Issues about a field that no form of a row has: the change of many rows does, and changes one as well. */
const ofChangesOnly: readonly string[] = ['option-too-long'] satisfies IssueCode[];

/** A field that the table lacks is edited where it can be, if the rows are filtered by its issue. */
function useTarget(
  { row, target, fields }: RowEntry,
  element: RefObject<HTMLElement | null>,
  begin: (field?: InlineField) => void,
): void {
  const { lock, address, problems, bulkEdit } = useRowsReview();
  const { issue } = address;
  const openAll = useOpenProductOf(row);
  const editTarget = useEffectEvent(() => {
    problems.onEditBegun();
    // The operator has gone to another field meanwhile, such as the search field.
    if (isTextField(document.activeElement) && !element.current?.contains(document.activeElement)) return;
    const field = target?.field === undefined ? issueFieldIn(row, issue) : null;
    const isInPlace = field === null || (fields as readonly string[]).includes(field);
    const isTable = element.current instanceof HTMLTableRowElement;
    if (isInPlace || !isTable || lock !== null) begin(target?.field);
    else if (ofChangesOnly.includes(issue ?? '')) bulkEdit.fixRow(row.row, issue as IssueCode);
    else openAll?.();
  });
  useEffect(() => {
    if (target !== null) editTarget();
  }, [target]);
}

/**
 * Calls `onLeft` after a click that takes the focus out of the row. Not before what it does: the row becomes lower, and
 * something else would be under the pointer. The buttons that save and discard all rows do that themselves.
 */
function useClickElsewhere(row: RefObject<HTMLElement | null>, isOn: boolean, onLeft: () => void): void {
  const leave = useEffectEvent(onLeft);
  const isLeft = useRef(false);
  const onPress = ({ target }: Event) => {
    const hadFocus = row.current?.contains(document.activeElement) === true;
    const isOfRow =
      target instanceof Element && (row.current?.contains(target) || target.closest('[data-edit-bar]'));
    isLeft.current = hadFocus && !isOfRow;
  };
  const onRelease = () => {
    if (isLeft.current) setTimeout(leave);
    isLeft.current = false;
  };
  useListener('document', 'pointerdown', onPress, { isOn, capture: true });
  // A disabled button has no click.
  useListener('document', 'pointerup', onRelease, { isOn, capture: true });
}
