import type { Row } from '@draftshelf/contract/review/rows';
import { displayOf, type InlineField } from '@draftshelf/domain/base/field-look';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import { use, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useListener } from '../../../ui/hooks.ts';
import { isTextField } from '../../../ui/keys.ts';
import { findStopBeside } from '../../../ui/table/table-cursor.ts';
import type { BlockEdit } from '../bulk-edit/bulk-dialog.tsx';
import { useChangeDialog } from '../bulk-edit/bulk-edit.tsx';
import { findFieldToEdit, findRowIssueField, hasProblemIn } from '../cell-marks.ts';
import { OpenProductContext } from '../product/product-buttons.tsx';
import { pickFiltersAndSort, type RowsAddress } from '../rows-address.ts';
import { useCellBlocks } from './cell-blocks.ts';
import { handleKey, type KeyContext, readTypedChar } from './grid-keys.ts';
import {
  applyGridEvent,
  type Cell,
  clearRows,
  type EditStart,
  type GridEffect,
  type GridEvent,
  type GridPosition,
  type KeyPress,
  type Layout,
  type Outcome,
} from './grid-state.ts';
import { type GridStore, useArrival, useGridState } from './grid-store.ts';
import { conflictWords, findValuesToEdit, type RowDraft, toRowDraft, toRowRequest } from './row-edit.ts';
import { findRowForm, readFormRow, useRowSaves } from './row-saves.ts';
import { type RowEntry, useRowsReview } from './rows-review.ts';

export type Grid = ReturnType<typeof useGrid>;

/** Returns the grid position of an element. `isClick`: elements that handle clicks count as controls, not as cells. */
export function findGridPosition(target: EventTarget | null, isClick = false): GridPosition | null {
  if (!(target instanceof Element)) return null;
  const row = target.closest<HTMLElement>('tr[data-row]')?.dataset.row;
  if (row === undefined) return null;
  const cell = target.closest<HTMLElement>('td[data-field]');
  const isCell = isClick ? target.closest(controls) === null : target === cell;
  return {
    row: Number(row),
    field: (cell?.dataset.field as InlineField | undefined) ?? null,
    part: isTextField(target) ? 'editor' : isCell ? 'cell' : 'control',
  };
}

/** Elements that handle clicks. They include sentences, because operators select the text of sentences. */
const controls = 'a, button, input, summary, [data-full], [data-fill]';

/** Milliseconds for which keys are queued. Later, the keys are dropped, so that they do not change the old cell. */
const heldMsMax = 10_000;

const showCell = ({ row, field }: Cell) =>
  document
    .querySelector(`tr[data-row="${row}"] td[data-field="${field}"]`)
    ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** Connects the shown rows with the state of the grid, and runs the effects of keys and clicks. */
export function useGrid(entries: readonly RowEntry[], columns: Layout['columns']) {
  const { lock, drafts, address, isLoading, store } = useRowsReview();
  const saves = useRowSaves(store);
  const dialog = useChangeDialog<BlockEdit>();
  const fields = columns.filter((column) => column !== null);
  const blocks = useCellBlocks({
    ...{ entries, fields, open: dialog.open },
    announce: (announcement) => store.patch({ announcement }),
  });
  const entryOf = (row: number) => entries.find((entry) => entry.row.row === row);
  const reasonOf = (row: Row) =>
    lock ?? (row.ignored === null ? null : 'This row is ignored, so it can’t be edited.');
  const first = ({ row, fields: shown }: RowEntry) => findFieldToEdit(row, shown, address.issue);
  const begin = useBegin(store, reasonOf, first);
  const situationOf = useSituation(entryOf, reasonOf, first);
  const stepTo = usePageStep(store);
  const run = (effect: GridEffect) => {
    const entry = entryOf(effect.kind === 'begin' ? effect.cell.row : 'row' in effect ? effect.row : 0);
    const { activeElement: focused } = document;
    if (effect.kind === 'page') stepTo(effect.isDown, effect.field);
    else if (effect.kind === 'show') showCell(effect.cell);
    else if (effect.kind === 'fill') blocks.fill(effect.range, effect.height);
    else if (effect.kind === 'clear') blocks.clear(effect.range);
    else if (effect.kind === 'select') focused instanceof HTMLInputElement && focused.select();
    else if (entry === undefined) return;
    else if (effect.kind === 'begin') begin(entry, effect.cell.field, effect.begun);
    else if (effect.kind === 'save') saves.save(entry, effect.after);
    else if (effect.kind === 'cancel') saves.cancel(entry, effect.field);
    else saves.leave(entry.row);
  };
  const commit = ({ state, effects }: Outcome) => {
    store.set(state);
    for (const effect of effects) run(effect);
  };
  const send = (event: GridEvent) => commit(applyGridEvent(store.get(), event));
  const press = (key: KeyPress, place: GridPosition | null): Outcome =>
    handleKey(store.get(), key, place, situationOf(place));
  useTarget(entryOf, begin);
  useClickElsewhere(entries, (entry) => saves.save(entry, 'away'));
  /** Handles a key that was queued, and enters its text, because the browser has dropped the text. */
  const pressHeld = (key: KeyPress) => {
    const { cursor } = store.get();
    const entry = cursor === null ? undefined : entryOf(cursor.row);
    const isEdited = entry !== undefined && drafts.newestOf(entry.row) !== null;
    const outcome = press(key, cursor && (isEdited && cursor.field ? { ...cursor, part: 'editor' } : cursor));
    commit(outcome);
    if (outcome.pass === 'on') findStopBeside(key, document.activeElement)?.focus();
    const text = readTypedChar(key);
    const edit = entry === undefined ? null : drafts.newestOf(entry.row);
    const { cursor: here } = store.get();
    if (outcome.pass === 'stops' || text === '' || entry === undefined || edit === null || !here?.field)
      return;
    const { field } = here;
    const before = isEdited ? edit.draft[field] : '';
    drafts.set(entry.row, { ...edit, draft: { ...edit.draft, [field]: before + text } });
    store.patch({ focus: { row: here.row, field, on: 'editor', how: 'end' } });
  };
  useLayoutEffect(() => {
    send({ kind: 'layout', layout: { rows: entries.map(({ row }) => row.row), columns } });
    const { pending } = store.get();
    const hasArrived = pending?.kind === 'page' && !isLoading && pending.from !== JSON.stringify(address);
    if (hasArrived) {
      send({ kind: 'arrives' });
      for (const key of pending.presses) pressHeld(key);
    }
    // A queued key may have begun an edit. The editor is not rendered yet, so the request for the focus is kept.
    store.focusWanted(!hasArrived);
  });
  useEffect(() => () => store.set(clearRows(store.get())), [store]);
  return { ...store, ...saves, dialog, blocks, entryOf, begin, first, reasonOf, send, press, commit };
}

/** Returns a function that begins an edit of a row, and keeps unsaved input. */
function useBegin(
  { send }: GridStore,
  reasonOf: (row: Row) => string | null,
  first: (entry: RowEntry) => InlineField,
) {
  const { drafts } = useRowsReview();
  const open = use(OpenProductContext);
  return (entry: RowEntry, at = first(entry), begun: EditStart = 'problem', isPencil = false) => {
    const { row, firstOfProduct, fields: shown } = entry;
    if (reasonOf(row) !== null) return;
    if (displayOf(at).isLong) return open?.('dialog', row);
    const field = shown.includes(at) ? at : 'title';
    const before = findValuesToEdit(row.values, firstOfProduct.values);
    drafts.set(row, drafts.newestOf(row) ?? { draft: toRowDraft(before), before });
    const origin = isPencil ? 'pencil' : field;
    send({ kind: 'begins', row: row.row, edit: { field, begun, origin } });
  };
}

/** Returns a function that finds the state on which the effect of a key depends. */
function useSituation(
  entryOf: (row: number) => RowEntry | undefined,
  reasonOf: (row: Row) => string | null,
  first: (entry: RowEntry) => InlineField,
): (at: GridPosition | null) => KeyContext {
  const { drafts, address, isLoading } = useRowsReview();
  const pageBeside = usePageBeside();
  const isOfProblems = address.issue !== undefined || (address.class ?? 'valid') !== 'valid';
  return (at) => {
    const entry = at === null ? undefined : entryOf(at.row);
    const edit = entry === undefined ? null : drafts.newestOf(entry.row);
    return {
      isEditable: entry !== undefined && reasonOf(entry.row) === null,
      edit: edit && { isChanged: toRowRequest(edit) !== null, hasConflict: edit.conflict !== undefined },
      isOfProblems,
      hasPage: (isDown) => !isLoading && pageBeside(isDown) !== null,
      fieldIn: (row, from) => {
        const next = entryOf(row);
        return next !== undefined && isOfProblems && !hasProblemIn(next.row, [from]) ? first(next) : from;
      },
    };
  };
}

/** Returns a function that opens the next or previous page, and queues keys until the page is loaded. */
function usePageStep({ get, send }: GridStore): (isDown: boolean, field: InlineField) => void {
  const { address, goTo } = useRowsReview();
  const pageBeside = usePageBeside();
  const expiry = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(expiry.current), []);
  return (isDown, field) => {
    const to = pageBeside(isDown);
    if (to === null || !goTo(to)) return;
    send({ kind: 'waits', for: { kind: 'page', field, isDown, from: JSON.stringify(address), presses: [] } });
    clearTimeout(expiry.current);
    expiry.current = setTimeout(() => {
      if (get().pending?.kind !== 'page') return;
      send({ kind: 'elsewhere' });
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    }, heldMsMax);
  };
}

/** The state and functions of a row's inline edit. */
export type InlineEdit = ReturnType<typeof useInlineEdit>;

export function useInlineEdit(grid: Grid, entry: RowEntry) {
  const { row, firstOfProduct } = entry;
  const { drafts } = useRowsReview();
  const edit = drafts.of(row);
  const begun = useGridState(grid, ({ edits }) => edits.get(row.row));
  const saving = useGridState(grid, (state) => state.saving.has(row.row));
  const failed = useGridState(grid, ({ failures }) => failures.get(row.row));
  const values = findValuesToEdit(row.values, firstOfProduct.values);
  const reason = grid.reasonOf(row);
  const isFailed = failed !== undefined && (edit !== null || !failed.isOfEdit);
  return {
    draft: edit?.draft ?? null,
    setDraft: (draft: RowDraft) => drafts.set(row, { ...(edit ?? { before: values }), draft }),
    /** True as long as the operator has not changed the text of this field. */
    isUnchanged: (at: InlineField) => edit !== null && edit.draft[at] === toRowDraft(values)[at],
    field: begun?.field ?? grid.first(entry),
    beginAtPencil: () => grid.begin(entry, grid.first(entry), 'problem', true),
    save: () => grid.save(entry, 'stay'),
    saveAndGoOn: () => grid.save(entry, 'next'),
    leave: () => grid.leave(row),
    undoEdit: reason === null && !saving ? (field: InlineField) => grid.undoEdit(entry, field) : null,
    reason,
    saving,
    // A conflict is stored with its edit, so that it is shown again when the row is shown again.
    failure: isFailed ? failed.message : edit?.conflict === undefined ? null : conflictWords(edit.conflict),
  };
}

function usePageBeside(): (isDown: boolean) => RowsAddress | null {
  const { page, address, hasFilter, pageNumber, pages } = useRowsReview();
  return (isDown) => {
    if (!hasFilter) {
      const next = pageNumber + (isDown ? 1 : -1);
      return next >= 1 && next <= pages ? { ...pickFiltersAndSort(address), page: next } : null;
    }
    if (!(isDown ? page.later : page.earlier)) return null;
    const { first, last } = page.sorted ?? { first: page.rows[0]?.row, last: page.rows.at(-1)?.row };
    return { ...pickFiltersAndSort(address), ...(isDown ? { after: last ?? 0 } : { before: first ?? 1 }) };
  };
}

/** Issues of fields that only a bulk edit can change. Editing a row with one of them opens a bulk edit of the row. */
const ofChangesOnly: readonly string[] = ['option-too-long'] satisfies IssueCode[];

/** Edits a row once it is shown. If the filtered issue's field has no column, opens the dialog with that field. */
function useTarget(
  entryOf: (row: number) => RowEntry | undefined,
  begin: (entry: RowEntry, field?: InlineField) => void,
): void {
  const { lock, address, store, isLoading, bulkEdit } = useRowsReview();
  const open = use(OpenProductContext);
  const isShown = ({ row }: { row: number }) => !isLoading && entryOf(row) !== undefined;
  useArrival(store, 'edit', isShown, (step) => {
    const entry = entryOf(step.row);
    const { activeElement: focused } = document;
    // Drops the step if the operator has moved the focus to another field, such as the search field.
    if (entry === undefined || (isTextField(focused) && readFormRow(findRowForm(focused)) !== step.row))
      return;
    const { row, fields } = entry;
    const { issue } = address;
    const field = step.field === undefined ? findRowIssueField(row, issue) : null;
    const isInPlace = field === null || (fields as readonly string[]).includes(field);
    const isTable = document.querySelector(`tr[data-row="${row.row}"]`) !== null;
    if (isInPlace || !isTable || lock !== null) begin(entry, step.field);
    else if (ofChangesOnly.includes(issue ?? '')) bulkEdit.fixRow(row.row, issue as IssueCode);
    else if (row.ignored === null) open?.('dialog', row);
  });
}

/**
 * Saves a row when a click elsewhere ends its edit, unless the edit has a conflict or the click is on a button for all
 * rows. The save runs after the click, because closing the edit moves the rows below.
 */
function useClickElsewhere(entries: readonly RowEntry[], onLeft: (entry: RowEntry) => void): void {
  const { drafts } = useRowsReview();
  const left = useRef<RowEntry | undefined>(undefined);
  const save = useEffectEvent(onLeft);
  const onPress = ({ target }: Event) => {
    const form = findRowForm(document.activeElement);
    const entry = entries.find(({ row }) => row.row === readFormRow(form));
    const edit = entry === undefined ? null : drafts.newestOf(entry.row);
    const isOfRow =
      target instanceof Element && (form?.contains(target) || target.closest('[data-edit-bar]'));
    left.current = edit === null || edit.conflict !== undefined || isOfRow ? undefined : entry;
  };
  const onRelease = () => {
    const entry = left.current;
    left.current = undefined;
    if (entry !== undefined) setTimeout(() => save(entry));
  };
  useListener('document', 'pointerdown', onPress, { capture: true });
  // A disabled button fires no click, but it fires `pointerup`.
  useListener('document', 'pointerup', onRelease, { capture: true });
}
