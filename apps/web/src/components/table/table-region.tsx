import type { ReactNode } from 'react';
import { moveBetweenRows } from './row-navigation.ts';
import classes from './table-region.module.css';

/** A region that scrolls sideways. It is focusable, so that it can be scrolled by keyboard. */
export function TableRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (axe)
    <section className={classes.region} aria-label={label} tabIndex={0} onKeyDown={moveBetweenRows}>
      {children}
    </section>
  );
}
