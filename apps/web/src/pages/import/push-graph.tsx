import { Suspense } from 'react';
import type { ShownImport } from '../../api/imports.ts';
import { lazily } from '../../lib/load-chunk.ts';
import classes from './import.module.css';

const PushSpark = lazily(() =>
  import('../../components/report/push-spark.tsx').then((chunk) => chunk.PushSpark),
);
const BudgetGauge = lazily(() =>
  import('../../components/budget/budget-gauge.tsx').then((chunk) => chunk.BudgetGauge),
);

/** The sentence of a push that waits for points of the store's budget begins with this. */
const waitsForPoints = 'Waiting for Shopify’s rate limit';

/** The rate of a push that runs, or the store's budget while the push waits for it. */
export function PushGraph({ record }: { record: ShownImport }) {
  if (record.status !== 'uploading') return null;
  const isWaiting = record.waitingFor?.startsWith(waitsForPoints) ?? false;
  return (
    <div className={classes.pushGraph}>
      <Suspense fallback={null}>
        {isWaiting ? <BudgetGauge /> : <PushSpark importId={record.id} isRunning />}
      </Suspense>
    </div>
  );
}
