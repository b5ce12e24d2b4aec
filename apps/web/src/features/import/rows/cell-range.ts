import type { InlineField } from '@draftshelf/domain/base/field-look';
import { isTextField } from '../../../ui/keys.ts';
import { type CellRange, type Clipboard, isBlock } from './block-text.ts';
import classes from './row-table.module.css';

const cellSelector = 'td[data-field]';

/** `range` has one cell if none are marked. */
export type RangeActions = {
  /** Null: no cells are marked. */
  onMarked: (range: CellRange | null) => void;
  /** Cutting also clears the cells. */
  onCopy: (range: CellRange, clipboard: DataTransfer) => void;
  onPaste: (range: CellRange, clipboard: Clipboard) => void;
  /** `height`: how many rows at the top of the range fill those below. */
  onFillDown: (range: CellRange, height?: number) => void;
  onClear: (range: CellRange) => void;
};

type Place = { row: number; column: number };

/**
 * Marks cells: Shift with arrow keys or a click, dragging, Ctrl A for the page, Esc to end. The handle at their
 * corner fills rows by dragging. The focus stays on the first cell. With marked cells, the table is a grid for screen
 * readers.
 */
export function startCellRange(around: HTMLElement, actions: RangeActions): () => void {
  const table = around.querySelector('table');
  if (table === null) return () => {};
  let marked: { first: HTMLElement; last: HTMLElement } | null = null;
  let pressed: HTMLElement | null = null;
  const handle = document.createElement('span');
  handle.className = classes.handle ?? '';
  handle.dataset.fill = '';
  handle.ariaHidden = 'true';
  handle.title = 'Drag to fill the rows below';
  let filling: HTMLElement[][] | null = null;

  const rows = () => [...table.querySelectorAll<HTMLElement>('tbody tr[data-row]')];
  const cellsOf = (row: Element | undefined) => [...(row?.querySelectorAll<HTMLElement>(cellSelector) ?? [])];
  const placeOf = (cell: HTMLElement): Place => {
    const row = cell.closest<HTMLElement>('tr');
    return { row: row === null ? -1 : rows().indexOf(row), column: cellsOf(row ?? undefined).indexOf(cell) };
  };
  const cellIn = (target: EventTarget | null): HTMLElement | null => {
    const cell = target instanceof Element ? target.closest<HTMLElement>(cellSelector) : null;
    return cell !== null && table.contains(cell) ? cell : null;
  };
  const cellsBetween = (first: HTMLElement, last: HTMLElement) => {
    const [a, b] = [placeOf(first), placeOf(last)];
    const [top, left] = [Math.min(a.row, b.row), Math.min(a.column, b.column)];
    return rows()
      .slice(top, Math.max(a.row, b.row) + 1)
      .map((row) => cellsOf(row).slice(left, Math.max(a.column, b.column) + 1));
  };
  const rangeOf = (first: HTMLElement, last: HTMLElement): CellRange => {
    const cells = cellsBetween(first, last);
    return {
      rows: cells.map(([cell]) => Number(cell?.closest<HTMLElement>('tr')?.dataset.row)),
      fields: cells[0]?.map(({ dataset }) => dataset.field as InlineField) ?? [],
    };
  };
  const chosen = (): HTMLElement[][] => {
    if (marked !== null) return cellsBetween(marked.first, marked.last);
    const { activeElement: focused } = document;
    return focused === cellIn(focused) && focused !== null ? [[focused as HTMLElement]] : [];
  };
  const placeHandle = () => {
    const corner = chosen().at(-1)?.at(-1);
    if (corner?.dataset.editable === undefined) handle.remove();
    else if (handle.parentElement !== corner) corner.append(handle);
  };
  const draw = () => {
    if (marked !== null && !(table.contains(marked.first) && table.contains(marked.last))) marked = null;
    const inside = new Set(marked === null ? [] : cellsBetween(marked.first, marked.last).flat());
    for (const cell of table.querySelectorAll<HTMLElement>(cellSelector)) {
      if (inside.has(cell)) cell.setAttribute('aria-selected', 'true');
      else cell.removeAttribute('aria-selected');
    }
    for (const [name, value] of [
      ['role', 'grid'],
      ['aria-multiselectable', 'true'],
    ] as const) {
      if (marked === null) table.removeAttribute(name);
      else table.setAttribute(name, value);
    }
    placeHandle();
    actions.onMarked(marked === null ? null : rangeOf(marked.first, marked.last));
  };
  const mark = (first: HTMLElement, last: HTMLElement) => {
    marked = { first, last };
    if (document.activeElement !== first) first.focus({ preventScroll: true });
    draw();
    last.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const clear = () => {
    if (marked === null) return;
    marked = null;
    draw();
  };
  const current = (): CellRange | null => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || !focused.matches(cellSelector) || !table.contains(focused))
      return null;
    return marked === null ? rangeOf(focused, focused) : rangeOf(marked.first, marked.last);
  };

  const steps: Record<string, Place> = {
    ArrowUp: { row: -1, column: 0 },
    ArrowDown: { row: 1, column: 0 },
    ArrowLeft: { row: 0, column: -1 },
    ArrowRight: { row: 0, column: 1 },
  };
  const moved = (cell: HTMLElement, by: Place, toEnd: boolean): HTMLElement => {
    const all = rows();
    const { row, column } = placeOf(cell);
    const [height, width] = [all.length, cellsOf(all[row]).length];
    const to = (at: number, step: number, length: number) =>
      Math.min(Math.max(toEnd && step !== 0 ? step * length : at + step, 0), length - 1);
    return cellsOf(all[to(row, by.row, height)])[to(column, by.column, width)] ?? cell;
  };
  const actionOf = (event: KeyboardEvent, cell: HTMLElement): (() => void) | undefined => {
    const { key, shiftKey, altKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const step = steps[key];
    if (altKey) return undefined;
    if (step !== undefined && shiftKey) {
      const { first, last } = marked ?? { first: cell, last: cell };
      return () => mark(first, moved(last, step, isControl));
    }
    if (isControl && !shiftKey && key.toLowerCase() === 'a') {
      const all = rows();
      const [first, last] = [cellsOf(all[0])[0], cellsOf(all.at(-1)).at(-1)];
      return first && last ? () => mark(first, last) : undefined;
    }
    const range = current();
    if (range === null) return undefined;
    if (isControl && !shiftKey && key.toLowerCase() === 'd') return () => actions.onFillDown(range);
    if ((key === 'Delete' || key === 'Backspace') && !isControl) return () => actions.onClear(range);
    return key === 'Escape' && marked !== null ? clear : undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const cell = cellIn(event.target);
    if (cell === null || isTextField(event.target)) return;
    const action = actionOf(event, cell);
    if (action !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      action();
      return;
    }
    // Pasting edits the cell that has the focus, unless more are marked.
    const pastes = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
    if (pastes && marked !== null) event.stopPropagation();
  };
  const onPointerDown = (event: PointerEvent) => {
    const cell = cellIn(event.target);
    if (event.button !== 0 || event.pointerType !== 'mouse' || cell === null || isTextField(event.target))
      return;
    if (event.target === handle) {
      filling = chosen();
      return;
    }
    const focused = cellIn(document.activeElement);
    if (event.shiftKey && focused !== null) {
      // The click would edit the cell, and the browser would select text up to it.
      event.preventDefault();
      table.addEventListener('click', stop, { capture: true, once: true });
      mark(marked?.first ?? focused, cell);
      return;
    }
    clear();
    pressed = cell;
  };
  const onPointerOver = ({ target, buttons }: PointerEvent) => {
    const cell = cellIn(target);
    if (filling !== null && cell !== null && buttons === 1) return markFilled(filling, cell);
    if (pressed === null || cell === null || (cell === pressed && marked === null)) return;
    if (buttons !== 1 || !pressed.isConnected) return onPointerUp();
    getSelection()?.removeAllRanges();
    around.toggleAttribute('data-marking', true);
    mark(pressed, cell);
  };
  const markFilled = (source: HTMLElement[][], over: HTMLElement) => {
    const [first, corner] = [source[0]?.[0], source.at(-1)?.at(-1)];
    if (first === undefined || corner === undefined) return;
    const { row, column } = placeOf(corner);
    around.toggleAttribute('data-marking', true);
    mark(first, cellsOf(rows()[Math.max(row, placeOf(over).row)])[column] ?? corner);
  };
  const onPointerUp = () => {
    const source = filling;
    filling = null;
    if (source !== null && marked !== null) {
      const range = rangeOf(marked.first, marked.last);
      if (range.rows.length > source.length) actions.onFillDown(range, source.length);
    }
    pressed = null;
    around.toggleAttribute('data-marking', false);
  };
  const onMouseDown = (event: MouseEvent) => {
    const isMarking = event.shiftKey && cellIn(event.target) !== null && !isTextField(event.target);
    if (isMarking || event.target === handle) event.preventDefault();
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    if (marked !== null && target !== marked.first) clear();
    placeHandle();
  };
  const onCopy = (event: ClipboardEvent) => {
    const range = current();
    if (range === null || event.clipboardData === null || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    actions.onCopy(range, event.clipboardData);
    if (event.type === 'cut') actions.onClear(range);
  };
  const onPaste = (event: ClipboardEvent) => {
    const clipboard = {
      text: event.clipboardData?.getData('text/plain') ?? '',
      html: event.clipboardData?.getData('text/html') ?? '',
    };
    const range = current() ?? rangeOfField(event.target, clipboard);
    if (range === null) return;
    event.preventDefault();
    event.stopPropagation();
    actions.onPaste(range, clipboard);
  };
  /** The cell of a field that a block would replace as a whole: its edit ends, and the block is pasted into cells. */
  const rangeOfField = (field: EventTarget | null, clipboard: Clipboard): CellRange | null => {
    const cell = cellIn(field);
    if (!(field instanceof HTMLInputElement) || cell === null || !isBlock(clipboard)) return null;
    if (field.selectionStart !== 0 || field.selectionEnd !== field.value.length) return null;
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    return rangeOf(cell, cell);
  };

  const ending = new AbortController();
  const { signal } = ending;
  around.addEventListener('keydown', onKeyDown, { signal });
  around.addEventListener('pointerdown', onPointerDown, { signal });
  around.addEventListener('mousedown', onMouseDown, { signal });
  around.addEventListener('pointerover', onPointerOver, { signal });
  around.addEventListener('focusin', onFocusIn, { signal });
  // A click on the handle would edit its cell.
  handle.addEventListener('click', stop, { signal });
  document.addEventListener('pointerup', onPointerUp, { signal });
  document.addEventListener('copy', onCopy, { signal });
  document.addEventListener('cut', onCopy, { signal });
  document.addEventListener('paste', onPaste, { capture: true, signal });
  const observer = new MutationObserver(() => {
    if (marked !== null) draw();
  });
  observer.observe(table, { subtree: true, childList: true });
  placeHandle();
  return () => {
    ending.abort();
    observer.disconnect();
    clear();
    handle.remove();
  };
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
