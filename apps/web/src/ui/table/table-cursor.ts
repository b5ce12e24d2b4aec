/** Selects cells on which the cursor can stand. */
const cellSelector = 'td[tabindex]';
const stopSelector = `${cellSelector}, a[href], button, summary, input[type="checkbox"]`;
/** Selects fields that use the arrow keys themselves. */
const textFieldSelector = 'input:not([type="checkbox"])';

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/**
 * Returns the stop to which a key leads. Up and down arrows move within the column; left and right arrows, Home and
 * End within the row; Ctrl+Home and Ctrl+End to the first and last row. Text fields keep their keys.
 */
export function findStopBeside({ key, ...press }: Press, from: EventTarget | null): HTMLElement | undefined {
  if (press.altKey || press.shiftKey || !(from instanceof HTMLElement) || from.matches(textFieldSelector))
    return;
  const row = from.closest('tr');
  if (row === null) return;
  return press.ctrlKey || press.metaKey ? cornerOf(key, row) : neighborOf(key, from, row);
}

/** Moves the focus to the stop beside the focused one, or with the down arrow from around the table into its rows. */
export function moveFocus(
  event: Press & Pick<KeyboardEvent, 'target' | 'preventDefault'> & { currentTarget: Element },
): void {
  const { key, target, currentTarget } = event;
  const isInto = target === currentTarget && key === 'ArrowDown';
  const stop = isInto ? stopsIn(currentTarget, 'tbody ')[0] : findStopBeside(event, target);
  if (stop === undefined) return;
  event.preventDefault();
  stop.focus();
}

function cornerOf(key: string, row: HTMLTableRowElement): HTMLElement | undefined {
  const rows = [...(row.closest('table')?.querySelectorAll('tbody tr') ?? [])];
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

/** Returns the stop at the same position in another row, else the nearest stop before that position. */
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

const stopsIn = (part: Element, around = '') => [
  ...part.querySelectorAll<HTMLElement>(`${around}:is(${stopSelector}, input)`),
];
