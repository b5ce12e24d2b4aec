import type { Row } from '@draftshelf/contract/review/rows';
import { formatCount } from '../../../lib/intl.ts';
import classes from './row-table.module.css';
import { useRowsReview } from './rows-review.ts';

/** Ticks a row, to change it together with others. With Shift, also the rows since the last tick. */
export function RowTick({ row: { row, ignored } }: { row: Row }) {
  const { ticks } = useRowsReview();
  if (ignored !== null) return null;
  return (
    <label className={`${classes.tickBox} center-grid`}>
      <input
        type="checkbox"
        aria-label={`Tick row ${formatCount(row)}`}
        checked={ticks.rows.has(row)}
        // A change event does not tell whether Shift was pressed.
        onClick={({ currentTarget, shiftKey }) =>
          ticks.click({ row, isOn: currentTarget.checked, isRange: shiftKey })
        }
        onChange={() => {}}
      />
    </label>
  );
}

/** Ticks all rows of the page. */
export function PageTick() {
  const { ticks } = useRowsReview();
  return (
    <label className={`${classes.tickBox} center-grid`}>
      <input
        type="checkbox"
        aria-label="Tick all rows of this page"
        checked={ticks.ofPage === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = ticks.ofPage === 'some';
        }}
        onChange={({ currentTarget }) => ticks.clickPage(currentTarget.checked)}
      />
    </label>
  );
}
