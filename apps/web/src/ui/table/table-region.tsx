import { type ReactNode, useRef } from 'react';
import { moveBetweenRows } from './row-navigation.ts';
import { useTableCursor } from './table-cursor.ts';
import classes from './table-region.module.css';

type TableRegionProps = {
  label: string;
  /** The table's rows are one Tab stop, in which arrow keys move. */
  isOneStop?: boolean | undefined;
  children: ReactNode;
};

/** A region that scrolls sideways. It is focusable, so that it can be scrolled by keyboard. */
export function TableRegion({ label, isOneStop = false, children }: TableRegionProps) {
  const region = useRef<HTMLElement>(null);
  useTableCursor(region, isOneStop);
  return (
    <section
      ref={region}
      className={classes.region}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (axe)
      tabIndex={0}
      onKeyDown={isOneStop ? undefined : moveBetweenRows}
    >
      {children}
    </section>
  );
}
