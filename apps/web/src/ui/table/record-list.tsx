import { Group, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import { type ReactElement, useSyncExternalStore } from 'react';
import { formatCount } from '../../lib/intl.ts';
import { Button, IconButton } from '../button.tsx';
import { QuietText } from '../text.tsx';
import { type Column, PlainTable, RecordTable, type TableLook } from './record-table.tsx';
import classes from './table.module.css';

type RecordListProps<R> = TableLook & {
  label: string;
  /** With fixed widths: no text may move them. */
  columns: readonly Column<R>[];
  /** Undefined while they load. */
  records: readonly R[] | undefined;
  /** A list item with a key. */
  card: (record: R) => ReactElement;
  /** Width of the table. Where it does not fit, the records are cards. */
  tableRem: number;
  className?: string | undefined;
  /** The records belong to the previous filters. */
  isStale?: boolean;
  /** The rows are one Tab stop, in which arrow keys move. */
  isOneStop?: boolean;
};

/** While records load, placeholders have the final shape. */
export function RecordList<R extends { id: string | number }>({
  records,
  card,
  tableRem,
  className = '',
  isStale,
  isOneStop,
  ...props
}: RecordListProps<R>) {
  const table = { isFixed: true, isDense: true, ...props } as const;
  const fits = useTableFits(tableRem);
  const place = { className: `${classes.list} ${className}` };
  if (records === undefined) {
    return (
      <div {...place} aria-hidden>
        {fits ? <PlaceholderTable {...table} /> : <PlaceholderCards />}
      </div>
    );
  }
  return (
    <div {...place} data-stale={isStale || undefined} aria-busy={isStale}>
      {fits ? (
        <RecordTable
          {...table}
          isOneStop={isOneStop}
          regionLabel={`${props.label} table`}
          records={records}
          keyOf={({ id }) => id}
          hasHover
        />
      ) : (
        <ul className="list stack" aria-label={props.label}>
          {records.map(card)}
        </ul>
      )}
    </div>
  );
}

const placeholders = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

const PlaceholderTable = ({
  columns,
  ...table
}: TableLook & { label: string; columns: readonly Column<never>[] }) => (
  <PlainTable
    {...table}
    aria-busy
    columns={columns.map((column) => ({ ...column, cell: () => <Skeleton height={18} /> }))}
    records={placeholders}
    keyOf={(place) => place}
  />
);

const PlaceholderCards = () => (
  <div className="list stack">
    {placeholders.slice(0, 4).map((place) => (
      <Skeleton key={place} height={140} />
    ))}
  </div>
);

/** The sidebar, the padding of the main area, and a scroll bar. */
const besideRem = 13.5 + 3 + 1;
/** Narrower windows are phones, which always show cards. */
const windowRemMin = 48;

/** A table that does not fit would cut off its actions. */
export function useTableFits(widthRem: number): boolean {
  const windowRem = Math.max(windowRemMin, widthRem + besideRem);
  return useMediaQuery(`(min-width: ${windowRem}em)`, undefined, { getInitialValueInEffect: false });
}

/** Half rem steps, in a window that is no phone. */
export const useContentRem = (): number =>
  useSyncExternalStore(onResize, () => {
    contentRem ??= measureContentRem();
    return contentRem;
  });

/** Kept until a resize: measuring makes the browser compute all styles that were just drawn. */
let contentRem: number | undefined;

function measureContentRem(): number {
  const rootPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.floor(2 * (window.innerWidth / rootPx - besideRem)) / 2;
}

function onResize(changed: () => void): () => void {
  const measureAgain = () => {
    contentRem = measureContentRem();
    changed();
  };
  // Resizes were not heard until now.
  contentRem = undefined;
  window.addEventListener('resize', measureAgain);
  return () => window.removeEventListener('resize', measureAgain);
}

type PagerProps = {
  page: number;
  pages: number;
  /** 'Rows 26–50 of 60'. */
  range: string;
  onPage: (page: number) => void;
};

export function Pager({ page, pages, range, onPage }: PagerProps) {
  const step = (label: string, target: number, Icon: typeof IconChevronLeft) => (
    <IconButton
      icon={Icon}
      size="lg"
      label={label}
      disabled={target === page || target < 1 || target > pages}
      onClick={() => onPage(target)}
    />
  );
  return (
    <Group justify="space-between" gap="sm">
      <QuietText role="status" className="numbers">
        {range}
      </QuietText>
      {pages > 1 && (
        <Group component="nav" gap={2} aria-label="Pages">
          {step('First page', 1, IconChevronsLeft)}
          {step('Previous page', page - 1, IconChevronLeft)}
          {pageNumbers(page, pages).map((number) => (
            <Button
              key={number}
              size="compact-md"
              px="xs"
              miw={36}
              h={34}
              className="numbers"
              variant={number === page ? 'filled' : 'subtle'}
              color={number === page ? undefined : 'gray'}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onPage(number)}
            >
              {formatCount(number)}
            </Button>
          ))}
          {step('Next page', page + 1, IconChevronRight)}
          {step('Last page', pages, IconChevronsRight)}
        </Group>
      )}
    </Group>
  );
}

/** The specification's maximum. */
const pageButtonsMax = 5;

/** Around the current page and within the range. */
export function pageNumbers(current: number, pages: number): number[] {
  const shown = Math.min(pageButtonsMax, pages);
  const first = Math.min(
    Math.max(1, current - Math.floor(pageButtonsMax / 2)),
    Math.max(1, pages - shown + 1),
  );
  return Array.from({ length: shown }, (_, index) => first + index);
}

/** At least 1. */
export const pageCount = (total: number, perPage: number): number => Math.max(1, Math.ceil(total / perPage));
