import type { ShownImport } from '../../api/imports.ts';
import { BudgetGauge } from '../../components/budget/budget-gauge.tsx';
import { PushSpark } from '../../components/report/push-spark.tsx';

/** The sentence of a push that waits for points of the store's budget begins with this. */
const waitsForPoints = 'Waiting for Shopify’s rate limit';

/** The rate of a push that runs, or the store's budget while the push waits for it. */
export function PushGraph({ record: { id, waitingFor } }: { record: ShownImport }) {
  const isWaiting = waitingFor?.startsWith(waitsForPoints) ?? false;
  return isWaiting ? <BudgetGauge /> : <PushSpark importId={id} isRunning />;
}
