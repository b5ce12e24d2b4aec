import { displayOf, type InlineField } from '@draftshelf/domain/base/field-look';
import { readUndoKey } from '../edits/edits-api.ts';
import {
  type Cell,
  clearMarks,
  type EditStart,
  findCell,
  findChosenRange,
  focusCell,
  type GridPosition,
  type GridState,
  type KeyPress,
  type Layout,
  listLayoutFields,
  markCells,
  type Outcome,
  outcome,
} from './grid-state.ts';

/** The state on which the effect of a key in a row depends. */
export type KeyContext = {
  isEditable: boolean;
  edit: { isChanged: boolean; hasConflict: boolean } | null;
  /** True if all rows of the list have problems, so that Enter goes to the next wrong cell. */
  isOfProblems: boolean;
  /** Returns true if a page can be opened now: the next page if `isDown`, else the previous page. */
  hasPage: (isDown: boolean) => boolean;
  /** Returns the field to edit after moving from `from` to another row. */
  fieldIn: (row: number, from: InlineField) => InlineField;
};

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyPress): boolean => ctrlKey || metaKey || altKey;

/** Keys that begin a character without entering it: an accent, or a letter composed by an input method. */
const composing = ['Dead', 'Process', 'Unidentified'];

/** True if the key enters a character or part of one, or pastes text. */
function typesText(press: KeyPress): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isAltGraph } = press;
  if (composing.includes(key)) return true;
  if (key === 'Insert') return shiftKey;
  // Counts code points, because some characters have two UTF-16 units. On a Mac, Alt enters special characters.
  if ([...key].length !== 1 || isAltGraph) return [...key].length === 1;
  return ctrlKey || metaKey ? key.toLowerCase() === 'v' && !altKey : !altKey || key > '~';
}

/** Returns the character that a key enters, or ''. */
export const readTypedChar = (press: KeyPress): string =>
  [...press.key].length === 1 && !press.ctrlKey && !press.metaKey ? press.key : '';

const endsText = ({ key, ctrlKey, metaKey }: KeyPress) =>
  /^(Enter|Tab|Escape|Arrow|F\d)/.test(key) || ctrlKey || metaKey;

/**
 * Assigns typed text to the row in which typing began. If the focus has left this row, drops the text until a click or
 * a key such as Enter ends the typing, because the text would trigger shortcuts of the screen.
 */
function typingAfter(
  { typingRow }: GridState,
  press: KeyPress,
  at: GridPosition | null,
  isEditable: boolean,
) {
  if (endsText(press)) return { row: null, isDropped: false };
  const isTyping = at?.part === 'editor' || (isEditable && at?.field != null);
  const here = isTyping ? (at?.row ?? null) : null;
  const row = typingRow ?? (typesText(press) ? here : null);
  return { row, isDropped: row !== null && row !== here };
}

/** Handles a key that was pressed at a position of the grid. While a page loads, queues the key. */
export function handleKey(
  before: GridState,
  press: KeyPress,
  at: GridPosition | null,
  now: KeyContext,
): Outcome {
  const { pending } = before;
  if (pending?.kind === 'page')
    return outcome({ ...before, pending: { ...pending, presses: [...pending.presses, press] } }, 'stops');
  const { row: typingRow, isDropped } = typingAfter(before, press, at, now.isEditable);
  const state = typingRow === before.typingRow ? before : { ...before, typingRow };
  if (isDropped) return outcome(state, 'stops');
  if (at === null) return outcome(state, 'on');
  const cell = findCell(at);
  const ofCell =
    cell === null || at.part === 'editor'
      ? null
      : ((at.part === 'cell' ? keyOfCursor(state, press, cell, now) : null) ??
        keyOfMarks(state, press, cell, at) ??
        keyOfCell(state, press, cell, at, now));
  return ofCell ?? keyOfEdit(state, press, at, now) ?? outcome(state, 'on');
}

/**
 * Moves the cursor by arrow keys. Down in the last row opens the next page, Up in the first row the previous one.
 * Returns null for moves to the head or to controls, which work as in all tables.
 */
function keyOfCursor(
  state: GridState,
  press: KeyPress,
  { row, field }: Cell,
  now: KeyContext,
): Outcome | null {
  const { rows, columns } = state.layout;
  const { down, right } = arrows[press.key] ?? { down: 0, right: 0 };
  if (hasModifier(press) || press.shiftKey || down === right) return null;
  const to = {
    row: rows[rows.indexOf(row) + down],
    field: columns[columns.indexOf(field) + right] ?? null,
  };
  if (to.row !== undefined && to.field !== null)
    return outcome(focusCell(state, { row: to.row, field: to.field }, 'cell'), 'stops');
  const isDown = down === 1;
  return down !== 0 && now.hasPage(isDown) ? outcome(state, 'stops', { kind: 'page', isDown, field }) : null;
}

const arrows: Record<string, { down: number; right: number }> = {
  ArrowUp: { down: -1, right: 0 },
  ArrowDown: { down: 1, right: 0 },
  ArrowLeft: { down: 0, right: -1 },
  ArrowRight: { down: 0, right: 1 },
};

function moved(layout: Layout, { row, field }: Cell, key: string, toEnd: boolean): Cell {
  const { down, right } = arrows[key] ?? { down: 0, right: 0 };
  const to = <T>(all: readonly T[], from: T, by: number): T => {
    const at = toEnd && by !== 0 ? by * all.length : all.indexOf(from) + by;
    return all[Math.min(Math.max(at, 0), all.length - 1)] ?? from;
  };
  return { row: to(layout.rows, row, down), field: to(listLayoutFields(layout), field, right) };
}

/** Handles keys that mark cells or change marked cells. */
function keyOfMarks(state: GridState, press: KeyPress, cell: Cell, { part }: GridPosition): Outcome | null {
  const { key, shiftKey, altKey } = press;
  const { layout } = state;
  const isControl = press.ctrlKey || press.metaKey;
  const letter = isControl && !shiftKey ? key.toLowerCase() : '';
  if (altKey) return null;
  if (shiftKey && arrows[key] !== undefined) {
    const { first, last } = state.marked ?? { first: cell, last: cell };
    return markCells(state, first, moved(layout, last, key, isControl));
  }
  if (letter === 'a') {
    const end = (up: string, left: string) => moved(layout, moved(layout, cell, up, true), left, true);
    return markCells(state, end('ArrowUp', 'ArrowLeft'), end('ArrowDown', 'ArrowRight'));
  }
  const range = part === 'cell' ? findChosenRange(state) : null;
  if (range === null) return null;
  if (letter === 'd') return outcome(state, 'stops', { kind: 'fill', range, height: 1 });
  if ((key === 'Delete' || key === 'Backspace') && !isControl)
    return outcome(state, 'stops', { kind: 'clear', range });
  return key === 'Escape' && state.marked !== null ? outcome(clearMarks(state), 'stops') : null;
}

/** Handles keys that begin an edit. Pasted text goes into the focused cell, unless several cells are marked. */
function keyOfCell(
  state: GridState,
  press: KeyPress,
  cell: Cell,
  { part }: GridPosition,
  now: KeyContext,
): Outcome | null {
  if (!now.isEditable) return null;
  const isEditKey = part === 'cell' && !hasModifier(press) && (press.key === 'Enter' || press.key === 'F2');
  if (isEditKey) return outcome(state, 'stops', { kind: 'begin', cell, begun: 'text' });
  if (!typesText(press) || (part === 'control' && press.key === ' ')) return null;
  const isPaste = press.ctrlKey || press.metaKey;
  if (isPaste && state.marked !== null) return outcome(state, 'text');
  return outcome(state, 'text', { kind: 'begin', cell, begun: 'over' });
}

/** Handles keys in a row that is being edited, also on its buttons. */
function keyOfEdit(state: GridState, press: KeyPress, at: GridPosition, now: KeyContext): Outcome | null {
  const { row, field } = at;
  const { edit } = now;
  if (edit === null || press.isComposing) return null;
  const begun = state.edits.get(row)?.begun ?? 'problem';
  // Ends the edit. Otherwise the browser would undo the text of a field that Tab has already saved.
  if (readUndoKey(press) !== null && !edit.isChanged) return outcome(state, 'on', { kind: 'leave', row });
  if (begun === 'over' && press.shiftKey && arrows[press.key] !== undefined) {
    if (edit.isChanged || field === null) return null;
    // Nothing was typed, so the key marks cells, beginning with this one.
    const last = moved(state.layout, { row, field }, press.key, press.ctrlKey || press.metaKey);
    const marks = markCells(state, { row, field }, last);
    const focus = { row, field, on: 'cell', how: 'return' } as const;
    return outcome({ ...marks.state, focus }, 'stops', { kind: 'leave', row }, ...marks.effects);
  }
  if (press.key === 'Escape') return outcome(state, 'on', { kind: 'cancel', row, field });
  if (at.part !== 'editor' || field === null) return null;
  return keyOfEditor(state, press, { row, field }, { ...now, begun, savesItself: !edit.hasConflict });
}

/** `savesItself`: true unless a save would replace a conflicting value. */
type Editor = KeyContext & { begun: EditStart; savesItself: boolean };

function keyOfEditor(state: GridState, press: KeyPress, at: Cell, editor: Editor): Outcome | null {
  const { key, shiftKey } = press;
  const { row } = at;
  const { begun, savesItself } = editor;
  if (begun === 'problem')
    return key === 'Enter' ? outcome(state, 'on', { kind: 'save', row, after: 'next' }) : null;
  // The browser itself moves the focus to the next field.
  if (key === 'Tab') return savesItself ? outcome(state, 'on', { kind: 'save', row, after: 'open' }) : null;
  if (hasModifier(press) || (shiftKey && key !== 'Enter')) return null;
  if (key === 'Enter') return stepDown(state, at, shiftKey ? -1 : 1, editor);
  if (begun !== 'over' || !savesItself) return null;
  if (key === 'ArrowDown' || key === 'ArrowUp')
    return stepDown(state, at, key === 'ArrowDown' ? 1 : -1, editor);
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  // At the ends of the row, stays in the same field.
  const fields = listLayoutFields(state.layout).filter((one) => !displayOf(one).isLong);
  const field = fields[fields.indexOf(at.field) + (key === 'ArrowRight' ? 1 : -1)] ?? at.field;
  return outcome(focusCell(state, { row, field }, 'editor'), 'stops', { kind: 'save', row, after: 'open' });
}

/** Saves the row and goes to the row below or above. In a list of problems, goes to a wrong cell of that row. */
function stepDown(state: GridState, { row, field }: Cell, by: 1 | -1, now: KeyContext): Outcome {
  const { rows } = state.layout;
  const next = rows[rows.indexOf(row) + by];
  if (next !== undefined) {
    const to = { row: next, field: now.fieldIn(next, field) };
    return outcome(focusCell(state, to, 'editor-or-cell'), 'stops', { kind: 'save', row, after: 'away' });
  }
  if (by === 1 && now.isOfProblems) return outcome(state, 'stops', { kind: 'save', row, after: 'next' });
  if (!now.hasPage(by === 1)) return outcome(state, 'stops', { kind: 'save', row, after: 'stay' });
  return outcome(
    state,
    'stops',
    { kind: 'page', isDown: by === 1, field },
    { kind: 'save', row, after: 'away' },
  );
}
