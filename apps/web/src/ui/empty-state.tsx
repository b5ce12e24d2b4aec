import type { ReactNode } from 'react';
import { Shelf } from './brand.tsx';
import classes from './empty-state.module.css';

export function EmptyState({ children }: { children: ReactNode }) {
  return (
    <div className={`${classes.empty} stack center gap-lg`}>
      <Shelf />
      <div className={`${classes.text} centered`}>{children}</div>
    </div>
  );
}
