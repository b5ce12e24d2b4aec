import type { PointerEvent } from 'react';
import { inRange, keepWidth } from './column-choice.ts';
import classes from './row-table.module.css';
import type { ShownColumn } from './shown-columns.ts';

/** The edge of a column, by which it is widened with the pointer; a double click gives it its usual width again. */
export function ColumnGrip({ column }: { column: ShownColumn }) {
  return (
    <span
      className={classes.grip}
      aria-hidden
      onPointerDown={(event) => drag(event, column)}
      onDoubleClick={() => keepWidth(column, null)}
    />
  );
}

function drag(event: PointerEvent<HTMLElement>, column: ShownColumn): void {
  const grip = event.currentTarget;
  const head = grip.closest('th');
  const col = head?.closest('table')?.querySelectorAll('col')[head.cellIndex];
  if (event.button !== 0 || !head || !col) return;
  event.preventDefault();
  grip.setPointerCapture(event.pointerId);
  const rootPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const [startX, startPx] = [event.clientX, head.getBoundingClientRect().width];
  let rem: number | null = null;
  const onMove = ({ clientX }: globalThis.PointerEvent) => {
    rem = inRange((startPx + clientX - startX) / rootPx);
    col.style.width = `${rem}rem`;
  };
  const onUp = () => {
    grip.removeEventListener('pointermove', onMove);
    if (rem !== null) keepWidth(column, rem);
  };
  grip.addEventListener('pointermove', onMove);
  grip.addEventListener('lostpointercapture', onUp, { once: true });
}
