import type { ShownImport } from '../imports-api.ts';
import { BudgetGauge } from '../lookups/budget-gauge.tsx';
import { PushSpark } from '../report/push-spark.tsx';
import classes from './in-store.module.css';

/** A push that runs: its rate, and the points of the store's budget that are left. */
export function PushGraph({ record }: { record: ShownImport }) {
  return (
    <div className={classes.graphs}>
      <PushSpark importId={record.id} isRunning />
      <BudgetGauge />
    </div>
  );
}
