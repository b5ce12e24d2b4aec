import { headName, type InlineField } from '@draftshelf/domain/base/field-look';
import { sortsOf } from '@draftshelf/domain/review/row-sort';
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { PointerEvent } from 'react';
import { nextSort } from '../rows-address.ts';
import { inRange, keepWidth, type ShownColumn } from './column-choice.ts';
import classes from './row-table.module.css';
import { useRowsReview } from './rows-review.ts';

/** Returns the direction of a field's sort, and its place where there are two; undefined without one. */
export function useSortOf() {
  const { sort } = useRowsReview().address;
  const sorts = sort === undefined ? [] : sortsOf(sort);
  return (field: InlineField) => {
    const at = sorts.findIndex((sorted) => sorted.field === field);
    const sorted = sorts[at];
    return sorted && { direction: sorted.direction, place: sorts.length > 1 ? at + 1 : null };
  };
}

export function SortHead({ field }: { field: InlineField }) {
  const { sortRows } = useRowsReview();
  const sorted = useSortOf()(field);
  const Arrow = sorted?.direction === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <UnstyledButton
      className={`${classes.sortHead} inline-flex line-on-hover gap-hair center at-most-full`}
      aria-label={`Sort by ${headName(field)}`}
      title="With Shift: sort only equal rows by it"
      onClick={({ shiftKey }) => sortRows((now) => nextSort(field, now, shiftKey))}
    >
      {headName(field)}
      {sorted && <Arrow size={14} aria-hidden />}
      {sorted?.place}
    </UnstyledButton>
  );
}

/** A double click restores the usual width. */
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
