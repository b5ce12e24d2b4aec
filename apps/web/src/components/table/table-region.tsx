import type { ReactNode } from 'react';
import { moveBetweenRows } from './row-navigation.ts';
import classes from './table-region.module.css';

/** A table's own place to scroll sideways; focusable, so that the keyboard reaches what is beyond the edge. */
export function TableRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (axe: scrollable-region-focusable)
    <section className={classes.region} aria-label={label} tabIndex={0} onKeyDown={moveBetweenRows}>
      {children}
    </section>
  );
}
