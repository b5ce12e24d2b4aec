import type { ReactNode } from 'react';
import { Shelf } from './brand.tsx';
import classes from './empty-state.module.css';

/** Fills a screen that has nothing to show: the shelf, and what to do instead. */
export function EmptyState({ children }: { children: ReactNode }) {
  return (
    <div className={`${classes.empty} stack center gap-lg`}>
      <Shelf />
      <div className={`${classes.text} centered`}>{children}</div>
    </div>
  );
}
