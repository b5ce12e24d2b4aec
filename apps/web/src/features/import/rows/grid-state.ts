import type { InlineField } from '@draftshelf/domain/base/field-look';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import type { RowsAddress } from '../rows-address.ts';
import { blockSizeWords, type CellRange } from './block-text.ts';

// State of the table of rows: cursor, marked cells, edits, and steps that wait for rows. All functions here are pure.

export type Cell = { row: number; field: InlineField };

/** The focused position. `field` is null outside of field cells. `part`: the cell, its editor, or another control. */
export type GridPosition = { row: number; field: InlineField | null; part: 'cell' | 'editor' | 'control' };

/** The shown rows and columns in order. A null column contains controls. */
export type Layout = { rows: readonly number[]; columns: readonly (InlineField | null)[] };

export const listLayoutFields = ({ columns }: Layout): InlineField[] =>
  columns.filter((column) => column !== null);

/** After a save: 'stay' returns the focus to the cell, 'next' edits the next problem, and 'open' keeps the row open. */
export type StepAfterSave = 'stay' | 'away' | 'next' | 'open';

/** 'problem': the edit began at a problem. 'over': typed text replaces the value. 'text': arrow keys move the caret. */
export type EditStart = 'problem' | 'over' | 'text';

/** `origin`: the cell or button to which the focus returns after the edit. */
type EditOrigin = { field: InlineField; begun: EditStart; origin: InlineField | 'pencil' };

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing'
> & { isAltGraph: boolean };

/**
 * An element to focus as soon as it is rendered. `editor-or-cell`: the editor if the row is open, else the cell.
 * `cell-or-card`: the cell, or that of the title if the field has no column; the card if there is no table.
 */
export type FocusRequest = {
  row: number;
  field: string | null;
  on: 'cell' | 'editor' | 'editor-or-cell' | 'cell-or-card' | 'pencil';
  /** 'select': all text. 'end': caret at the end. 'still': no scrolling. 'return': once the row's edit has ended. */
  how?: 'select' | 'end' | 'still' | 'return';
};

export type Direction = 'next' | 'previous';

/** A step that waits until the rows it needs are loaded. */
export type PendingStep =
  /** Goes to the first or last row of another page. `presses`: keys pressed until the page is loaded. */
  | { kind: 'page'; field: InlineField; isDown: boolean; from: string; presses: readonly KeyPress[] }
  /** Edits a row, in its first wrong field if no `field` is given. */
  | { kind: 'edit'; row: number; field?: InlineField }
  /** 'problem' goes to a problem among the rows that are loading, 'search' to one found on another page. */
  | { kind: 'problem'; direction: Direction }
  | { kind: 'search' }
  /** Goes to the first row with an issue. */
  | { kind: 'issue'; issue: IssueCode }
  /** Goes to the row with this number or, if it is not listed, to the next row. */
  | { kind: 'row'; number: number; to: RowsAddress };

export type PendingStepOf<Kind> = Extract<PendingStep, { kind: Kind }>;

export const findPendingStep = <Kind extends PendingStep['kind']>(pending: PendingStep | null, kind: Kind) =>
  pending?.kind === kind ? (pending as PendingStepOf<Kind>) : null;

/** `fills`: number of marked rows whose values fill the rows below. Null if the drag marks cells. */
type Drag = { from: Cell; corner: Cell; fills: number | null; hasMoved: boolean };

type Failure = { message: string; isOfEdit: boolean };

export type GridState = {
  layout: Layout;
  /** Null if the focus is outside of the rows. */
  cursor: GridPosition | null;
  /** Opposite corners of the marked cells. The first has the focus. */
  marked: { first: Cell; last: Cell } | null;
  drag: Drag | null;
  /** True if the last press was outside of the focused element. */
  isPressElsewhere: boolean;
  edits: ReadonlyMap<number, EditOrigin>;
  /** Rows that are being saved, with the saves that wait until the running save of their row has ended. */
  saving: ReadonlyMap<number, readonly StepAfterSave[]>;
  failures: ReadonlyMap<number, Failure>;
  pending: PendingStep | null;
  /** The row of the last 'edit' step. A search for problems begins there if no row has the focus. */
  problemRow: number | null;
  /** Set if a search has found no more problems in `direction` at the address `at`, until the next press or step. */
  end: { direction: Direction; at: string } | null;
  /** The row in which the operator is typing text. */
  typingRow: number | null;
  focus: FocusRequest | null;
  announcement: string;
};

export const emptyGrid: GridState = {
  ...{ layout: { rows: [], columns: [] }, cursor: null, marked: null, drag: null, isPressElsewhere: false },
  ...{ edits: new Map(), saving: new Map(), failures: new Map() },
  ...{ pending: null, problemRow: null, end: null, typingRow: null, focus: null, announcement: '' },
};

/** Removes the rows from the state, but keeps their open edits, the saves that are running, and their failures. */
export const clearRows = ({ edits, saving, failures, problemRow, end }: GridState): GridState => ({
  ...{ ...emptyGrid, edits, saving, failures, problemRow, end },
});

export type GridEffect =
  | { kind: 'begin'; cell: Cell; begun: EditStart }
  | { kind: 'save'; row: number; after: StepAfterSave }
  | { kind: 'cancel'; row: number; field: InlineField | null }
  | { kind: 'leave'; row: number }
  | { kind: 'fill'; range: CellRange; height: number }
  | { kind: 'clear'; range: CellRange }
  | { kind: 'page'; isDown: boolean; field: InlineField }
  | { kind: 'show'; cell: Cell }
  | { kind: 'select' };

/** `pass`: a key goes 'on' to other handlers, only enters 'text', or 'stops'. */
export type Outcome = { state: GridState; effects: readonly GridEffect[]; pass: 'on' | 'text' | 'stops' };

export const outcome = (state: GridState, pass: Outcome['pass'], ...effects: GridEffect[]): Outcome => ({
  ...{ state, effects, pass },
});

const isSame = (a: Cell, b: GridPosition | Cell) => a.row === b.row && a.field === b.field;
export const findCell = ({ row, field }: GridPosition): Cell | null =>
  field === null ? null : { row, field };

/** The rectangle between two corners, or null if one of them is not shown. */
function between(layout: Layout, a: Cell, b: Cell): CellRange | null {
  const { rows } = layout;
  const fields = listLayoutFields(layout);
  const [top, bottom] = [rows.indexOf(a.row), rows.indexOf(b.row)].sort((x, y) => x - y);
  const [left, right] = [fields.indexOf(a.field), fields.indexOf(b.field)].sort((x, y) => x - y);
  if (top === undefined || bottom === undefined || left === undefined || right === undefined) return null;
  if (top === -1 || left === -1) return null;
  return { rows: rows.slice(top, bottom + 1), fields: fields.slice(left, right + 1) };
}

/** Caches the chosen range of each state, because every cell of the table reads it. */
const chosenRanges = new WeakMap<GridState, CellRange | null>();

/** Returns the marked cells, or else the focused cell. */
export function findChosenRange(state: GridState): CellRange | null {
  const known = chosenRanges.get(state);
  if (known !== undefined) return known;
  const range = findChosen(state);
  chosenRanges.set(state, range);
  return range;
}

function findChosen({ layout, marked, cursor }: GridState): CellRange | null {
  if (marked !== null) return between(layout, marked.first, marked.last);
  const cell = cursor?.part === 'cell' ? findCell(cursor) : null;
  return cell === null ? null : between(layout, cell, cell);
}

/** Returns the range to which keys and the clipboard apply, or null if no cell has the focus. */
export const findTargetRange = (state: GridState): CellRange | null =>
  state.cursor?.part === 'cell' && state.cursor.field !== null ? findChosenRange(state) : null;

export function isMarked(state: GridState, { row, field }: Cell): boolean {
  const range = state.marked === null ? null : findChosenRange(state);
  return range?.rows.includes(row) === true && range.fields.includes(field);
}

/** True if the cell has the handle for filling the rows below. */
export function hasFillHandle(state: GridState, { row, field }: Cell): boolean {
  const range = findChosenRange(state);
  return range !== null && range.rows.at(-1) === row && range.fields.at(-1) === field;
}

function withMarks(state: GridState, first: Cell, last: Cell): GridState {
  const range = between(state.layout, first, last);
  if (range === null) return clearMarks(state);
  return {
    ...state,
    marked: { first, last },
    cursor: { ...first, part: 'cell' },
    focus: { ...first, on: 'cell', how: 'still' },
    announcement: `${blockSizeWords(range.rows.length, range.fields.length)} selected`,
  };
}

export const clearMarks = (state: GridState): GridState =>
  state.marked === null ? state : { ...state, marked: null, announcement: '' };

export const markCells = (state: GridState, first: Cell, last: Cell): Outcome =>
  outcome(withMarks(state, first, last), 'stops', { kind: 'show', cell: last });

/** Moves the focus without waiting for a save's reply, because the text typed next belongs to the new cell. */
export const focusCell = (state: GridState, cell: Cell, on: FocusRequest['on']): GridState => ({
  ...clearMarks(state),
  cursor: { ...cell, part: on === 'editor' ? 'editor' : 'cell' },
  focus: { ...cell, on, ...(on === 'editor' && { how: 'select' as const }) },
});

export type GridEvent =
  | { kind: 'layout'; layout: Layout }
  /** `isInside`: true if the focus is in the table, even if it is not in a row. */
  | { kind: 'focus'; at: GridPosition | null; isInside: boolean }
  | { kind: 'pointer-down'; cell: Cell; isHandle: boolean; isShift: boolean }
  | { kind: 'pointer-over'; cell: Cell }
  | { kind: 'pointer-up' }
  | { kind: 'click'; at: GridPosition; isRowEdited: boolean; isTextSelected: boolean }
  | { kind: 'press' }
  | { kind: 'waits'; for: PendingStep }
  | { kind: 'arrives' }
  /** A search has ended without another problem. */
  | { kind: 'ends'; direction: Direction; at: string }
  /** The operator has pressed a key or clicked anywhere. */
  | { kind: 'acts' }
  /** The operator has begun something else, so a waiting step is dropped. */
  | { kind: 'elsewhere' }
  | { kind: 'begins'; row: number; edit: EditOrigin }
  | { kind: 'saving'; row: number; after?: StepAfterSave }
  | { kind: 'saved'; row: number }
  | { kind: 'failed'; row: number; message: string | null; isOfEdit: boolean };

export function applyGridEvent(state: GridState, event: GridEvent): Outcome {
  switch (event.kind) {
    case 'layout':
      return outcome(withLayout(state, event.layout), 'on');
    case 'focus':
      return outcome(withFocus(state, event), 'on');
    case 'pointer-down':
      return pointerDown(state, event);
    case 'pointer-over':
      return pointerOver(state, event.cell);
    case 'pointer-up':
      return pointerUp(state);
    case 'click':
      return clicked(state, event);
    case 'press': {
      const pending = state.pending?.kind === 'page' ? null : state.pending;
      return outcome({ ...state, pending, typingRow: null }, 'on');
    }
    case 'waits': {
      const problemRow = event.for.kind === 'edit' ? event.for.row : state.problemRow;
      return outcome({ ...state, pending: event.for, problemRow, end: null }, 'on');
    }
    case 'arrives':
      return outcome(withArrival(state), 'on');
    case 'ends': {
      const { direction, at } = event;
      return outcome({ ...state, pending: null, end: { direction, at } }, 'on');
    }
    case 'acts':
      return outcome(state.end === null ? state : { ...state, end: null }, 'on');
    case 'elsewhere': {
      // Keeps an edit that waits, because a second press of its button must not cancel it.
      const isKept = state.pending === null || state.pending.kind === 'edit';
      return outcome(isKept ? state : { ...state, pending: null }, 'on');
    }
    case 'begins': {
      const { row, edit } = event;
      const edits = new Map(state.edits).set(row, edit);
      const begun = { ...focusCell(state, { row, field: edit.field }, 'editor'), edits };
      return outcome({ ...begun, failures: without(state.failures, row) }, 'on');
    }
    default:
      return outcome(withSave(state, event), 'on');
  }
}

function without<V>(map: ReadonlyMap<number, V>, row: number): ReadonlyMap<number, V> {
  const next = new Map(map);
  return next.delete(row) ? next : map;
}

/** Replaces the shown rows and columns. Cells stay marked if both corners of the marked range are still shown. */
function withLayout(state: GridState, layout: Layout): GridState {
  const isSameList = <T>(a: readonly T[], b: readonly T[]) =>
    a.length === b.length && a.every((one, at) => one === b[at]);
  if (isSameList(state.layout.rows, layout.rows) && isSameList(state.layout.columns, layout.columns))
    return state;
  const { marked, cursor, drag } = state;
  const isShown = ({ row, field }: Cell) => layout.rows.includes(row) && layout.columns.includes(field);
  const hasMarks = marked !== null && isShown(marked.first) && isShown(marked.last);
  const next = { ...(hasMarks ? state : clearMarks(state)), layout };
  const cell = cursor === null ? null : findCell(cursor);
  const hasCursor = cursor !== null && (cell === null ? layout.rows.includes(cursor.row) : isShown(cell));
  const hasDrag = drag !== null && isShown(drag.from) && isShown(drag.corner);
  return { ...next, cursor: hasCursor ? cursor : null, drag: hasDrag ? drag : null };
}

function withFocus(
  state: GridState,
  { at, isInside }: { at: GridPosition | null; isInside: boolean },
): GridState {
  const { cursor, marked } = state;
  const isFirst = at?.part === 'cell' && marked !== null && isSame(marked.first, at);
  const next = !isInside || isFirst ? state : clearMarks(state);
  const isKept = cursor?.row === at?.row && cursor?.field === at?.field && cursor?.part === at?.part;
  return isKept ? next : { ...next, cursor: at };
}

function pointerDown(
  state: GridState,
  { cell, isHandle, isShift }: { cell: Cell; isHandle: boolean; isShift: boolean },
): Outcome {
  const { cursor } = state;
  if (isHandle) {
    const range = findChosenRange(state);
    const [row, field] = [range?.rows[0], range?.fields[0]];
    if (range === null || row === undefined || field === undefined) return outcome(state, 'on');
    const drag = { from: { row, field }, corner: cell, fills: range.rows.length, hasMoved: false };
    return outcome({ ...state, drag }, 'stops');
  }
  const focused = cursor === null ? null : findCell(cursor);
  if (isShift && focused !== null) return markCells(state, state.marked?.first ?? focused, cell);
  const drag = { from: cell, corner: cell, fills: null, hasMoved: false };
  return outcome({ ...clearMarks(state), drag }, 'on');
}

function pointerOver(state: GridState, cell: Cell): Outcome {
  const { drag, marked, layout } = state;
  if (drag === null || (drag.fills === null && marked === null && isSame(cell, drag.from)))
    return outcome(state, 'on');
  const isAbove = layout.rows.indexOf(cell.row) < layout.rows.indexOf(drag.corner.row);
  const last = drag.fills === null ? cell : { ...drag.corner, row: isAbove ? drag.corner.row : cell.row };
  return markCells({ ...state, drag: { ...drag, hasMoved: true } }, drag.from, last);
}

function pointerUp(state: GridState): Outcome {
  const { drag } = state;
  if (drag === null) return outcome(state, 'on');
  const range = state.marked === null ? null : findChosenRange(state);
  const isFilled = drag.fills !== null && range !== null && range.rows.length > drag.fills;
  const fill = isFilled ? [{ kind: 'fill', range, height: drag.fills ?? 1 } as const] : [];
  return outcome({ ...state, drag: null }, 'on', ...fill);
}

/** A click on a cell edits the cell, unless the click selects text. A second click into its field moves the caret. */
function clicked(
  state: GridState,
  { at, isRowEdited, isTextSelected }: { at: GridPosition; isRowEdited: boolean; isTextSelected: boolean },
): Outcome {
  const cell = findCell(at);
  if (cell === null) return outcome(state, 'on');
  const edit = state.edits.get(at.row);
  if (!isRowEdited) {
    const isBegun = at.part === 'cell' && !isTextSelected;
    return outcome(state, 'on', ...(isBegun ? [{ kind: 'begin', cell, begun: 'over' } as const] : []));
  }
  if (at.part !== 'editor' || edit === undefined || edit.begun === 'problem') return outcome(state, 'on');
  const begun: EditStart = state.isPressElsewhere ? 'over' : 'text';
  const edits = new Map(state.edits).set(at.row, { ...edit, begun });
  return outcome({ ...state, edits }, 'on', ...(begun === 'over' ? [{ kind: 'select' } as const] : []));
}

/** Focuses the cell in the nearest row of the page that was loading. */
function withArrival({ pending, ...state }: GridState): GridState {
  const next = { ...state, pending: null };
  const row = pending?.kind === 'page' ? state.layout.rows.at(pending.isDown ? 0 : -1) : undefined;
  if (pending?.kind !== 'page' || row === undefined) return next;
  return focusCell(next, { row, field: pending.field }, 'cell');
}

type SaveEvent = Extract<GridEvent, { kind: 'saving' | 'saved' | 'failed' }>;

function withSave(state: GridState, event: SaveEvent): GridState {
  const { row } = event;
  const failures = without(state.failures, row);
  if (event.kind === 'saving') {
    const queue = state.saving.get(row);
    const next = queue === undefined || event.after === undefined ? (queue ?? []) : [...queue, event.after];
    return { ...state, failures, saving: new Map(state.saving).set(row, next) };
  }
  const saving = without(state.saving, row);
  if (event.kind === 'saved' || event.message === null) return { ...state, failures, saving };
  const { message, isOfEdit } = event;
  return { ...state, saving, failures: new Map(failures).set(row, { message, isOfEdit }) };
}
