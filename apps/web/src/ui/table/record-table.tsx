import { Group, Skeleton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import {
  type ComponentProps,
  type CSSProperties,
  type ReactElement,
  type ReactNode,
  useSyncExternalStore,
} from 'react';
import { formatCount } from '../../lib/intl.ts';
import { Button, IconButton, QuietText } from '../basics.tsx';
import { useMedia } from '../hooks.ts';
import { TabStopGroup } from './tab-stops.tsx';
import classes from './table.module.css';
import { moveFocus } from './table-cursor.ts';

export type ColumnHead = {
  head: string;
  /** Shown on the screen in place of the head. */
  label?: ReactNode;
  sorted?: 'ascending' | 'descending' | undefined;
  /** Shown below the head, without being part of the column's name. */
  below?: ReactNode;
  /** Only screen readers get the head. */
  isHeadHidden?: boolean;
  align?: 'right';
  /** Class of the head and of the cells. */
  className?: string | undefined;
  /** Width. In a fixed layout, a column without a width gets the remaining space. */
  rem?: number | undefined;
  /** Width in a narrow list. */
  narrowRem?: number;
  /** A class that sets the width, in place of `rem`. */
  width?: string | undefined;
};

export type Column<R> = ColumnHead & { cell: (record: R) => ReactNode };

const widths = (rem?: number, narrowRem?: number) =>
  ({ '--wide': rem && `${rem}rem`, '--narrow': narrowRem && `${narrowRem}rem` }) as CSSProperties;

type TableHeadProps = { columns: readonly ColumnHead[]; isOneStop?: boolean | undefined };

export const TableHead = ({ columns, isOneStop = false }: TableHeadProps) => (
  <>
    <colgroup>
      {columns.map(({ head, width, rem, narrowRem }) => (
        <col key={head} className={width} style={widths(rem, narrowRem)} />
      ))}
    </colgroup>
    <TablePart as="thead" isOneStop={isOneStop}>
      <tr>
        {columns.map(({ head, label, sorted, below, isHeadHidden, align, className }) => (
          <th
            key={head}
            data-align={align}
            className={className}
            aria-label={below || label ? head : undefined}
            aria-sort={sorted}
          >
            {isHeadHidden ? <span className="visually-hidden">{head}</span> : (label ?? head)}
            {below}
          </th>
        ))}
      </tr>
    </TablePart>
  </>
);

type TablePartProps = { as: 'thead' | 'tbody'; isOneStop: boolean; children: ReactNode };

const TablePart = ({ isOneStop, as: Part, children }: TablePartProps) =>
  isOneStop ? <TabStopGroup as={Part}>{children}</TabStopGroup> : <Part>{children}</Part>;

type PlainTableProps<R> = Omit<ComponentProps<typeof Table>, 'children'> & {
  label: string;
  columns: readonly Column<R>[];
  records: readonly R[];
  keyOf: (record: R) => string | number;
  /** Whether the head is one Tab stop and the body another. Arrow keys move within each of the two. */
  isOneStop?: boolean | undefined;
};

export function PlainTable<R>({ label, isOneStop = false, ...props }: PlainTableProps<R>) {
  const { columns, records, keyOf, ...look } = props;
  return (
    <Table aria-label={label} {...look}>
      <TableHead columns={columns} isOneStop={isOneStop} />
      <TablePart as="tbody" isOneStop={isOneStop}>
        {records.map((record) => (
          <tr key={keyOf(record)}>
            {columns.map(({ head, align, className, cell }) => (
              <td key={head} data-align={align} className={className}>
                {cell(record)}
              </td>
            ))}
          </tr>
        ))}
      </TablePart>
    </Table>
  );
}

/** A table that scrolls sideways if it is too wide. */
export function RecordTable<R>({
  regionLabel,
  ...table
}: PlainTableProps<R> & {
  /** Name of the scrolling region. Default: the table's name. */
  regionLabel?: string;
}) {
  return (
    <TableRegion label={regionLabel ?? table.label}>
      <PlainTable {...table} />
    </TableRegion>
  );
}

type TableLook = {
  /** Less space around cells. */
  isDense?: boolean;
  /** Column widths do not depend on the content. */
  isFixed?: boolean;
  hasHover?: boolean;
  hasFrame?: boolean;
  /** The head stays below the top bar while the rows scroll. */
  hasStickyHead?: boolean;
  /** No lines between rows. */
  isPlain?: boolean;
};

export function Table({ className = '', ...props }: ComponentProps<'table'> & TableLook) {
  const { isDense, isFixed, hasHover, hasFrame, hasStickyHead, isPlain, ...table } = props;
  return (
    <table
      {...table}
      className={`${classes.table} size-sm full ${className}`}
      data-dense={isDense || undefined}
      data-fixed={isFixed || undefined}
      data-hover={hasHover || undefined}
      data-frame={hasFrame || undefined}
      data-sticky={hasStickyHead || undefined}
      data-plain={isPlain || undefined}
    />
  );
}

/** A region that scrolls sideways. It is focusable, so that the keyboard can scroll it. */
export const TableRegion = ({ label, children }: { label: string; children: ReactNode }) => (
  <section
    className={`${classes.region} at-most-full`}
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (axe)
    tabIndex={0}
    // Captured, so that arrow keys are handled before the controls' own keys.
    onKeyDownCapture={moveFocus}
  >
    {children}
  </section>
);

type ValueTableProps = { label?: string; heads: readonly string[]; children: ReactNode };

/** A table of values. The parent element scrolls. */
export const ValueTable = ({ label, heads, children }: ValueTableProps) => (
  <table className="value-table" aria-label={label}>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

type RecordListProps<R> = TableLook & {
  label: string;
  /** Columns with fixed widths, so that no text changes them. */
  columns: readonly Column<R>[];
  /** Undefined while the records load. */
  records: readonly R[] | undefined;
  /** Returns a list item, with its React key. */
  card: (record: R) => ReactElement;
  /** Width of the table. In a narrower window, the records are shown as cards. */
  tableRem: number;
  className?: string | undefined;
  /** Whether the records still belong to the previous filters. */
  isStale?: boolean;
  /** Whether the rows are one Tab stop, within which arrow keys move the focus. */
  isOneStop?: boolean;
};

/** A list of records as a table or as cards. While records load, placeholders have the final shape. */
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
        {fits ? (
          <PlainTable
            {...table}
            aria-busy
            columns={table.columns.map((column) => ({ ...column, cell: () => <Skeleton height={18} /> }))}
            records={placeholders}
            keyOf={(place) => place}
          />
        ) : (
          <div className="list stack">
            {placeholders.slice(0, 4).map((place) => (
              <Skeleton key={place} height={140} />
            ))}
          </div>
        )}
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

/** Total width of the sidebar, the main area's padding and a scroll bar, in rem. */
const besideRem = 13.5 + 3 + 1;
/** Minimum width, in rem, of a window that shows tables. Phones are narrower and always show cards. */
const windowRemMin = 48;

/** Whether a table of this width fits beside the sidebar. If it does not, its actions would be cut off. */
export function useTableFits(widthRem: number): boolean {
  const windowRem = Math.max(windowRemMin, widthRem + besideRem);
  return useMedia(`(min-width: ${windowRem}em)`);
}

/** Returns the width of the content beside the sidebar, rounded down to half a rem. */
export const useContentRem = (): number =>
  useSyncExternalStore(onResize, () => {
    contentRem ??= measureContentRem();
    return contentRem;
  });

/** The last measured width. It is kept until a resize, because measuring makes the browser compute all styles. */
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
  // The window may have been resized before this listener was added, so the width is measured again.
  contentRem = undefined;
  window.addEventListener('resize', measureAgain);
  return () => window.removeEventListener('resize', measureAgain);
}

type PagerProps = {
  page: number;
  pages: number;
  /** Example: 'Rows 26–50 of 60'. */
  range: string;
  onPage: (page: number) => void;
};

export function Pager({ page, pages, range, onPage }: PagerProps) {
  const to = (target: number) =>
    target === page || target < 1 || target > pages ? null : () => onPage(target);
  return (
    <Group justify="space-between" gap="sm">
      <QuietText role="status" className="numbers">
        {range}
      </QuietText>
      {pages > 1 && (
        <PageSteps first={to(1)} previous={to(page - 1)} next={to(page + 1)} last={to(pages)}>
          {listPageNumbers(page, pages).map((number) => (
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
        </PageSteps>
      )}
    </Group>
  );
}

/** A step is null if there is no such page. */
type PageStepsProps = Record<'first' | 'previous' | 'next' | 'last', (() => void) | null> & {
  children?: ReactNode;
};

export function PageSteps({ first, previous, next, last, children }: PageStepsProps) {
  const step = (label: string, open: (() => void) | null, Icon: typeof IconChevronLeft) => (
    <IconButton icon={Icon} size="lg" label={label} disabled={open === null} onClick={() => open?.()} />
  );
  return (
    <Group component="nav" gap={2} aria-label="Pages">
      {step('First page', first, IconChevronsLeft)}
      {step('Previous page', previous, IconChevronLeft)}
      {children}
      {step('Next page', next, IconChevronRight)}
      {step('Last page', last, IconChevronsRight)}
    </Group>
  );
}

/** Maximum number of page buttons. */
const pageButtonsMax = 5;

/** Returns the page numbers around the current page. */
export function listPageNumbers(current: number, pages: number): number[] {
  const shown = Math.min(pageButtonsMax, pages);
  const first = Math.min(
    Math.max(1, current - Math.floor(pageButtonsMax / 2)),
    Math.max(1, pages - shown + 1),
  );
  return Array.from({ length: shown }, (_, index) => first + index);
}

export const countPages = (total: number, perPage: number): number => Math.max(1, Math.ceil(total / perPage));
