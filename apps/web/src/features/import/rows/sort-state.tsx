import { type CanonicalInlineField, columnHeading, sortFields } from '@draftshelf/domain/base/field-look';
import { type RowSort, type SortField, splitRowSort } from '@draftshelf/domain/review/row-sort';
import { Box, Group, NativeSelect, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { PointerEvent } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { BodyText, TextButton } from '../../../ui/basics.tsx';
import { useTabStop } from '../../../ui/table/tab-stops.tsx';
import { createRowSort, cycleSort, setAddressPart } from '../rows-address.ts';
import { clampWidth, type ShownColumn, saveColumnWidth } from './row-columns.ts';
import table from './row-table.module.css';
import { useRowsReview } from './rows-review.ts';

/** Returns a function that finds a field's sort direction and, with two sorts, its rank. Undefined for other fields. */
export function useFindSort() {
  const { sort } = useRowsReview().address;
  const sorts = sort === undefined ? [] : splitRowSort(sort);
  return (field: CanonicalInlineField) => {
    const at = sorts.findIndex((sorted) => sorted.field === field);
    const sorted = sorts[at];
    return sorted && { direction: sorted.direction, place: sorts.length > 1 ? at + 1 : null };
  };
}

export function SortHead({ field }: { field: CanonicalInlineField }) {
  const { sortRows } = useRowsReview();
  const sorted = useFindSort()(field);
  const Arrow = sorted?.direction === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <UnstyledButton
      {...useTabStop()}
      className={`${table.sortHead} inline-flex line-on-hover gap-hair center at-most-full`}
      aria-label={`Sort by ${columnHeading(field)}`}
      title="With Shift: sort only equal rows by it"
      onClick={({ shiftKey }) => sortRows((now) => cycleSort(field, now, shiftKey))}
    >
      {columnHeading(field)}
      {sorted && <Arrow size={14} aria-hidden />}
      {sorted?.place}
    </UnstyledButton>
  );
}

/** The handle that changes a column's width by dragging. A double click restores the usual width. */
export const ColumnGrip = ({ column }: { column: ShownColumn }) => (
  <span
    className={table.grip}
    aria-hidden
    onPointerDown={(event) => drag(event, column)}
    onDoubleClick={() => saveColumnWidth(column, null)}
  />
);

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
    rem = clampWidth((startPx + clientX - startX) / rootPx);
    col.style.width = `${rem}rem`;
  };
  const onUp = () => {
    grip.removeEventListener('pointermove', onMove);
    if (rem !== null) saveColumnWidth(column, rem);
  };
  grip.addEventListener('pointermove', onMove);
  grip.addEventListener('lostpointercapture', onUp, { once: true });
}

export function SortSummary({ sort }: { sort: RowSort }) {
  const { address, show, query, sortRows } = useRowsReview();
  const [first = 'title', second] = sort.split(',') as SortField[];
  return (
    <Group gap="xs" pb={6}>
      <BodyText role="status" className="numbers">
        {sortWords(sort, query.isPlaceholderData)}
      </BodyText>
      <SortSelect
        label="Sort equal rows by"
        none="Equal rows in file order"
        prefix="then by "
        value={second}
        except={splitRowSort(first)[0]?.field}
        onChange={(by) => sortRows(() => createRowSort(first, by))}
      />
      <TextButton onClick={() => show(setAddressPart(address, 'sort', null))}>File Order</TextButton>
    </Group>
  );
}

/** The control that sorts cards, which have no column heads. */
export function CardSort() {
  const { address, sortRows } = useRowsReview();
  return (
    <Box mt="sm">
      <SortSelect
        label="Sort by"
        none="In file order"
        prefix="By "
        value={address.sort?.split(',')[0] as SortField | undefined}
        onChange={(by) => sortRows(() => by)}
      />
    </Box>
  );
}

type SortSelectProps = {
  label: string;
  /** Label of the option for no field. */
  none: string;
  prefix?: string;
  value: SortField | undefined;
  except?: CanonicalInlineField | undefined;
  onChange: (by: SortField | undefined) => void;
};

function SortSelect({ label, none, prefix = '', value, except, onChange }: SortSelectProps) {
  const fields = sortFields.filter((field) => field !== except);
  const items = (sign: '' | '-', suffix: string) =>
    fields.map((field) => ({ value: `${sign}${field}`, label: `${prefix}${columnHeading(field)}${suffix}` }));
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? undefined : (currentTarget.value as SortField))
      }
      data={[
        { value: '', label: none },
        { group: 'Ascending', items: items('', '') },
        { group: 'Descending', items: items('-', ', descending') },
      ]}
    />
  );
}

/** Example: '25 of 28 matching rows', or '3 of these 25 rows still match'. `matching`: null if not counted. */
export function shownRowsWords({
  onPage,
  stillMatch,
  matching,
}: {
  onPage: number;
  stillMatch: number;
  matching: number | null;
}): string {
  if (stillMatch < onPage) {
    if (onPage === 1) return '1 row, which no longer matches';
    const matches = stillMatch === 1 ? 'matches' : 'match';
    return `${formatCount(stillMatch)} of these ${countOf(onPage, 'row')} still ${matches}`;
  }
  if (matching === null) return `${countOf(onPage, 'matching row')} on this page`;
  return `${formatCount(onPage)} of ${countOf(matching, 'matching row')}`;
}

/** Example: 'Sorted by Brand, ascending, then by Price, descending'. */
export function sortWords(sort: RowSort, isLoading: boolean): string {
  const sorts = splitRowSort(sort);
  if (isLoading) return `Sorting by ${sorts.map(({ field }) => columnHeading(field)).join(' and ')}…`;
  const by = sorts.map(({ field, direction }) => `${columnHeading(field)}, ${direction}`);
  return `Sorted by ${by.join(', then by ')}`;
}
