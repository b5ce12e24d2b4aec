import { type RefObject, useEffect } from 'react';

/** Cells and controls on which the cursor can stand. */
const cellSelector = 'td[tabindex]';
const stopSelector = `${cellSelector}, a[href], button, summary, input[type="checkbox"]`;
/** Fields that use the arrow keys themselves. */
const textFieldSelector = 'input:not([type="checkbox"])';
/** A row that is being edited is a form: its fields and buttons stay in the Tab order. */
const formSelector = '[data-editing]';

/**
 * Makes a table's head one Tab stop, and its body: the last focused cell or control, else the first. While the focus is
 * in a cell, Tab also goes through its row. Also covers parts added later.
 */
export function useTableCursor(around: RefObject<HTMLElement | null>, isOn = true): void {
  useEffect(() => {
    if (isOn && around.current !== null) return startTableCursor(around.current);
  }, [around, isOn]);
}

function startTableCursor(around: HTMLElement): () => void {
  const releases = [...around.querySelectorAll<HTMLElement>('thead, tbody')].map(keepOneTabStop);
  around.addEventListener('keydown', moveCursor);
  return () => {
    for (const release of releases) release();
    around.removeEventListener('keydown', moveCursor);
  };
}

function keepOneTabStop(part: HTMLElement): () => void {
  let current: HTMLElement | undefined;
  let hasFocus = false;
  const refresh = () => {
    const all = [...part.querySelectorAll<HTMLElement>(stopSelector)];
    const stops = all.filter(isOutsideForms);
    for (const stop of all) if (stop.matches(cellSelector) && !isOutsideForms(stop)) stop.tabIndex = -1;
    if (current === undefined || !stops.includes(current)) {
      current = stops.find((stop) => stop.matches('td')) ?? stops[0];
    }
    // Tab leads from a cell to the controls in it, which arrow keys pass over.
    const cell = current?.closest(cellSelector);
    const row = hasFocus ? cell?.closest('tr') : null;
    for (const stop of stops) {
      const isStop =
        stop === current || cell?.contains(stop) || (row?.contains(stop) && stop.matches(cellSelector));
      const tabIndex = isStop ? 0 : -1;
      if (stop.getAttribute('tabindex') !== String(tabIndex)) stop.tabIndex = tabIndex;
    }
  };
  const enter = (target: EventTarget | null) => {
    const stop = target instanceof Element ? target.closest<HTMLElement>(stopSelector) : null;
    if (stop === null || !isOutsideForms(stop)) return;
    current = stop;
    hasFocus = true;
    refresh();
  };
  const onFocus = ({ target }: FocusEvent) => enter(target);
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && part.contains(relatedTarget)) return;
    hasFocus = false;
    refresh();
  };
  refresh();
  if (part.contains(document.activeElement)) enter(document.activeElement);
  const observer = new MutationObserver(refresh);
  observer.observe(part, { subtree: true, childList: true, attributeFilter: ['data-editing'] });
  part.addEventListener('focusin', onFocus);
  part.addEventListener('focusout', onBlur);
  return () => {
    observer.disconnect();
    part.removeEventListener('focusin', onFocus);
    part.removeEventListener('focusout', onBlur);
  };
}

const isOutsideForms = (stop: Element) => stop.closest(formSelector) === null;

/**
 * Moves between cells, and controls outside of cells: up and down within the column, left and right, Home and End
 * within the row, with Ctrl to the first and last row. Fields keep their keys.
 */
function moveCursor(event: KeyboardEvent): void {
  const { target, currentTarget } = event;
  if (!(currentTarget instanceof HTMLElement)) return;
  if (event.altKey || event.shiftKey || !(target instanceof HTMLElement) || target.matches(textFieldSelector))
    return;
  const row = target.closest('tr');
  if (row === null) return;
  const stop =
    event.ctrlKey || event.metaKey
      ? cornerOf(event.key, currentTarget, row)
      : neighborOf(event.key, target, row);
  if (stop === undefined) return;
  event.preventDefault();
  stop.focus();
}

function cornerOf(key: string, around: HTMLElement, row: HTMLTableRowElement): HTMLElement | undefined {
  const rows = [...around.querySelectorAll('tbody tr')];
  if (key === 'Home') return stopsIn(rows[0] ?? row)[0];
  return key === 'End' ? stopsIn(rows.at(-1) ?? row).at(-1) : undefined;
}

function neighborOf(key: string, target: HTMLElement, row: HTMLTableRowElement): HTMLElement | undefined {
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const rows = row.closest('table')?.rows ?? [];
    return below([...rows][row.rowIndex + (key === 'ArrowDown' ? 1 : -1)], target);
  }
  const cell = target.closest<HTMLElement>(cellSelector);
  const stops = stopsIn(row).filter((stop) => stop.matches(cellSelector) || !stop.closest(cellSelector));
  const at = stops.indexOf(cell ?? target);
  if (key === 'ArrowRight') return stops[at + 1];
  if (key === 'ArrowLeft') return stops[at - 1];
  if (key === 'Home') return stops[0];
  return key === 'End' ? stops.at(-1) : undefined;
}

/** The stop at the same place of another row, else the nearest one before it. */
function below(row: HTMLTableRowElement | undefined, from: HTMLElement): HTMLElement | undefined {
  if (row === undefined) return undefined;
  const cell = from.closest<HTMLTableCellElement>('td, th');
  const isCell = from === cell;
  for (let at = cell?.cellIndex ?? 0; at >= 0; at -= 1) {
    const other = row.cells[at];
    if (other === undefined) continue;
    if (isCell && other.matches(stopSelector)) return other;
    const place = cell === null || isCell ? 0 : stopsIn(cell).indexOf(from);
    const stops = stopsIn(other);
    const stop = stops[Math.min(Math.max(place, 0), stops.length - 1)];
    if (stop !== undefined) return stop;
    if (other.matches(stopSelector)) return other;
  }
  return stopsIn(row)[0];
}

const stopsIn = (part: Element) => [...part.querySelectorAll<HTMLElement>(`${stopSelector}, input`)];
