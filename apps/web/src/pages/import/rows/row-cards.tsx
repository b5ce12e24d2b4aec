import { ProductCard } from './product-card.tsx';
import classes from './rows.module.css';
import type { ProductRowProps } from './use-inline-edit.ts';

/** The rows of a page as cards. */
export function RowCards({ entries }: { entries: readonly ProductRowProps[] }) {
  return (
    <ul className={classes.rowCards} aria-label="Product rows">
      {entries.map((entry) => (
        <ProductCard key={entry.row.row} {...entry} />
      ))}
    </ul>
  );
}
