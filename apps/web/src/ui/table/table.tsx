import type { ComponentProps } from 'react';
import classes from './table.module.css';

export type TableLook = {
  /** Rows for work on many records: less space around each cell. */
  isDense?: boolean;
  /** The columns have the widths that they are given, whatever is in them. */
  isFixed?: boolean;
  hasHover?: boolean;
  hasFrame?: boolean;
  /** The heads stay below the top bar while the rows scroll. */
  hasStickyHead?: boolean;
  /** No line between the rows. */
  isPlain?: boolean;
};

type TableProps = ComponentProps<'table'> & TableLook;

/** A table in the theme's look. Its parts are plain elements. */
export function Table({ className = '', ...props }: TableProps) {
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
