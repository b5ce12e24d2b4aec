import type { ShownImport } from '../../../api/imports.ts';
import { BudgetGauge } from '../../../components/budget/budget-gauge.tsx';
import { PushSpark } from '../../../components/report/push-spark.tsx';
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
