import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useRef,
} from 'react';
import { flushSync } from 'react-dom';
import { useListener } from '../../../ui/hooks.ts';
import { isTextField } from '../../../ui/keys.ts';
import { Table } from '../../../ui/table/record-table.tsx';
import { findStopBeside } from '../../../ui/table/table-cursor.ts';
import { CellBlockDialog } from '../bulk-edit/bulk-edit.tsx';
import { hasSeveralCells } from './block-text.ts';
import { type Cell, findCell, findTargetRange } from './grid-state.ts';
import { useGridState } from './grid-store.ts';
import table from './row-table.module.css';
import { useRowsReview } from './rows-review.ts';
import { findGridPosition, type Grid } from './use-grid.ts';

type RowGridProps = {
  grid: Grid;
  isWide: boolean;
  /** The table's head and rows. They are not rendered again when the state of this component changes. */
  children: ReactNode;
};

/**
 * The table as a grid. Shift with arrow keys or a click, dragging, and Ctrl A mark cells. The handle of the marked
 * cells fills the rows below. While cells are marked, the table has the ARIA role of a grid.
 */
export function RowGrid({ grid, isWide, children }: RowGridProps) {
  const { record, heldRows } = useRowsReview();
  const around = useRef<HTMLDivElement>(null);
  const { dialog } = grid;
  useGridKeys(grid, around);
  useClipboard(grid);
  const pointer = usePointer(grid);
  const hasMarks = useGridState(grid, ({ marked }) => marked !== null);
  const isDragging = useGridState(grid, ({ drag }) => drag?.hasMoved === true);
  const announcement = useGridState(grid, (state) => state.announcement);
  return (
    <div
      ref={around}
      className={table.around}
      data-wide={isWide || undefined}
      data-marking={isDragging || undefined}
      {...pointer}
    >
      <Table
        className={table.rows}
        isFixed
        isDense
        hasHover
        hasStickyHead
        aria-label="Product rows"
        {...(hasMarks && { role: 'grid', 'aria-multiselectable': true })}
      >
        {children}
      </Table>
      <div className="visually-hidden" role="status">
        {announcement}
      </div>
      {dialog.last !== null && (
        <CellBlockDialog
          {...{ importId: record.id, edit: dialog.last, onApplied: heldRows.stay }}
          {...dialog.of(dialog.last)}
        />
      )}
    </div>
  );
}

/** Handles all keys of the table, before the screen handles its shortcuts. */
function useGridKeys(grid: Grid, around: RefObject<HTMLElement | null>): void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, repeat, isComposing } = event;
    const press = { key, shiftKey, ctrlKey, metaKey, altKey, repeat, isComposing };
    const isAltGraph = event.getModifierState('AltGraph');
    const outcome = grid.press({ ...press, isAltGraph }, findGridPosition(event.target));
    const isHere = outcome.pass === 'on' && around.current?.contains(event.target as Node);
    const stop = isHere ? findStopBeside(press, event.target) : undefined;
    if (outcome.pass === 'stops' || stop !== undefined) event.preventDefault();
    if (outcome.pass !== 'on') event.stopImmediatePropagation();
    // Renders the editor before the browser enters the text, so that composed and pasted text goes into it, too.
    const isDrawn = outcome.effects.some(({ kind }) => kind === 'begin' || kind === 'leave');
    if (isDrawn) flushSync(() => grid.commit(outcome));
    else grid.commit(outcome);
    stop?.focus();
  };
  const onPointerDown = () => grid.send({ kind: 'press' });
  useListener('document', 'keydown', onKeyDown, { capture: true });
  useListener('document', 'pointerdown', onPointerDown, { capture: true });
}

function useClipboard(grid: Grid): void {
  const { blocks } = grid;
  const onCopy = (event: ClipboardEvent) => {
    const range = findTargetRange(grid.get());
    if (range === null || event.clipboardData === null || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    grid.patch({ announcement: blocks.copy(range, event.clipboardData) });
    if (event.type === 'cut') blocks.clear(range);
  };
  const onPaste = (event: ClipboardEvent) => {
    const clipboard = {
      text: event.clipboardData?.getData('text/plain') ?? '',
      html: event.clipboardData?.getData('text/html') ?? '',
    };
    const { target } = event;
    const at = findGridPosition(target);
    const isWhole =
      target instanceof HTMLInputElement &&
      target.selectionStart === 0 &&
      target.selectionEnd === target.value.length;
    let range = findTargetRange(grid.get());
    if (at !== null && at.field !== null && isWhole && hasSeveralCells(clipboard)) {
      // Ends the edit and pastes the block into cells, because in the field the block would replace the whole text.
      const entry = grid.entryOf(at.row);
      if (entry !== undefined) grid.cancel(entry, at.field);
      range = { rows: [at.row], fields: [at.field] };
    }
    if (range === null) return;
    event.preventDefault();
    event.stopPropagation();
    void blocks.paste(range, clipboard);
  };
  useListener('document', 'copy', onCopy);
  useListener('document', 'cut', onCopy);
  useListener('document', 'paste', onPaste, { capture: true });
}

const cellOf = (target: EventTarget): Cell | null => {
  const place = findGridPosition(target);
  return place && findCell(place);
};

const isHandle = (target: EventTarget) => target instanceof Element && target.matches('[data-fill]');

/** Handles focus, presses and drags. Dialogs that the table has opened are not part of the table. */
function usePointer(grid: Grid) {
  const { send } = grid;
  const { drafts, heldRows } = useRowsReview();
  useListener('document', 'pointerup', () => send({ kind: 'pointer-up' }));
  return {
    onPointerDown: (event: PointerEvent) => {
      const { target, shiftKey } = event;
      const cell = cellOf(target);
      if (event.button !== 0 || event.pointerType !== 'mouse' || cell === null || isTextField(target)) return;
      // Keeps a click with Shift from editing the cell, and the browser from selecting the text up to the cell.
      if (shiftKey && grid.get().cursor?.field != null) event.preventDefault();
      send({ kind: 'pointer-down', cell, isHandle: isHandle(target), isShift: shiftKey });
    },
    onMouseDown: (event: MouseEvent) => {
      const { target, shiftKey } = event;
      const isInCell = cellOf(target) !== null;
      if (isInCell) grid.patch({ isPressElsewhere: target !== document.activeElement });
      if (isHandle(target) || (shiftKey && isInCell && !isTextField(target))) event.preventDefault();
    },
    onPointerOver: ({ target, buttons }: PointerEvent) => {
      const cell = cellOf(target);
      if (grid.get().drag === null || cell === null) return;
      if (buttons !== 1) return send({ kind: 'pointer-up' });
      send({ kind: 'pointer-over', cell });
      if (grid.get().drag?.hasMoved) getSelection()?.removeAllRanges();
    },
    onClickCapture: (event: MouseEvent) => {
      const isMarking = event.shiftKey && grid.get().marked !== null && cellOf(event.target) !== null;
      if (!isMarking) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onClick: ({ target }: MouseEvent) => {
      const at = findGridPosition(target, true);
      const row = heldRows.rows.find((one) => one.row === at?.row);
      if (at === null || row === undefined) return;
      const isTextSelected = getSelection()?.isCollapsed === false;
      send({ kind: 'click', at, isRowEdited: drafts.newestOf(row) !== null, isTextSelected });
    },
    onFocus: ({ target, currentTarget }: FocusEvent) =>
      send({ kind: 'focus', at: findGridPosition(target), isInside: currentTarget.contains(target) }),
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null))
        send({ kind: 'focus', at: null, isInside: false });
    },
  };
}
