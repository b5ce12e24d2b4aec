import type { ComponentProps, ReactNode } from 'react';
import { Table, TableRegion } from './table.tsx';

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
  /** Class that sets the width. In a fixed layout, a column without it takes the rest. */
  width?: string | undefined;
  /** Width in rem, instead of a class. */
  rem?: number | undefined;
};

export type Column<R> = ColumnHead & { cell: (record: R) => ReactNode };

export const TableHead = ({ columns }: { columns: readonly ColumnHead[] }) => (
  <>
    <colgroup>
      {columns.map(({ head, width, rem }) => (
        <col key={head} className={width} style={rem === undefined ? undefined : { width: `${rem}rem` }} />
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
