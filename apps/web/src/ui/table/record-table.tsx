import { type ComponentProps, type CSSProperties, type ReactNode, useRef } from 'react';
import classes from './table.module.css';
import { useTableCursor } from './table-cursor.ts';

export type ColumnHead = {
  head: string;
  /** Replaces the head on the screen. */
  label?: ReactNode;
  sorted?: 'ascending' | 'descending' | undefined;
  /** Below the head, but not a part of the column's name. */
  below?: ReactNode;
  /** Only screen readers get the head. */
  isHeadHidden?: boolean;
  align?: 'right';
  /** Class of the head and the cells. */
  className?: string | undefined;
  /** Width. In a fixed layout, a column without it takes the rest. */
  rem?: number | undefined;
  /** Width in a list with little room. */
  narrowRem?: number;
  /** Class that may set another width. */
  width?: string | undefined;
};

export type Column<R> = ColumnHead & { cell: (record: R) => ReactNode };

const widths = (rem?: number, narrowRem?: number) =>
  ({ '--wide': rem && `${rem}rem`, '--narrow': narrowRem && `${narrowRem}rem` }) as CSSProperties;

export const TableHead = ({ columns }: { columns: readonly ColumnHead[] }) => (
  <>
    <colgroup>
      {columns.map(({ head, width, rem, narrowRem }) => (
        <col key={head} className={width} style={widths(rem, narrowRem)} />
      ))}
    </colgroup>
    <thead>
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
    </thead>
  </>
);

type PlainTableProps<R> = Omit<ComponentProps<typeof Table>, 'children'> & {
  label: string;
  columns: readonly Column<R>[];
  records: readonly R[];
  keyOf: (record: R) => string | number;
};

export function PlainTable<R>({ label, columns, records, keyOf, ...look }: PlainTableProps<R>) {
  return (
    <Table aria-label={label} {...look}>
      <TableHead columns={columns} />
      <tbody>
        {records.map((record) => (
          <tr key={keyOf(record)}>
            {columns.map(({ head, align, className, cell }) => (
              <td key={head} data-align={align} className={className}>
                {cell(record)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Scrolls sideways if it is too wide. */
export function RecordTable<R>({
  regionLabel,
  isOneStop,
  ...table
}: PlainTableProps<R> & {
  /** Default: the table's name. */
  regionLabel?: string;
  /** The rows are one Tab stop, in which arrow keys move. */
  isOneStop?: boolean | undefined;
}) {
  return (
    <TableRegion label={regionLabel ?? table.label} isOneStop={isOneStop}>
      <PlainTable {...table} />
    </TableRegion>
  );
}

export type TableLook = {
  /** Less space around each cell. */
  isDense?: boolean;
  /** The columns keep their widths whatever they contain. */
  isFixed?: boolean;
  hasHover?: boolean;
  hasFrame?: boolean;
  /** The heads stay below the top bar while the rows scroll. */
  hasStickyHead?: boolean;
  /** No line between the rows. */
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

type TableRegionProps = {
  label: string;
  /** The rows are one Tab stop, in which arrow keys move. */
  isOneStop?: boolean | undefined;
  children: ReactNode;
};

/** Scrolls sideways. It is focusable, so that it can be scrolled by keyboard. */
export function TableRegion({ label, isOneStop = false, children }: TableRegionProps) {
  const region = useRef<HTMLElement>(null);
  useTableCursor(region, isOneStop);
  return (
    <section
      ref={region}
      className={`${classes.region} at-most-full`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (axe)
      tabIndex={0}
      onKeyDown={isOneStop ? undefined : moveBetweenRows}
    >
      {children}
    </section>
  );
}

const focusable = 'a[href], button:not(:disabled), input, [tabindex="0"]';

/** Moves to the same control in the row above or below. Inputs keep their arrow keys. */
function moveBetweenRows(event: {
  key: string;
  target: EventTarget;
  currentTarget: Element;
  preventDefault: () => void;
}): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  if (!(event.target instanceof HTMLElement) || event.target instanceof HTMLInputElement) return;
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')];
  const row = event.target.closest('tbody tr');
  const at = row === null ? -1 : rows.indexOf(row);
  const place = row === null ? 0 : [...row.querySelectorAll(focusable)].indexOf(event.target);
  const target = rows[event.key === 'ArrowDown' ? at + 1 : at - 1];
  if (target === undefined) return;
  const controls = target.querySelectorAll<HTMLElement>(focusable);
  const control = controls[Math.min(Math.max(place, 0), controls.length - 1)];
  if (control === undefined) return;
  event.preventDefault();
  control.focus();
}
