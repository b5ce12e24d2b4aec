import type { ComponentProps } from 'react';
import classes from './table.module.css';

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

type TableProps = ComponentProps<'table'> & TableLook;

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
