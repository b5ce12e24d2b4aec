import type { PrePushFacts } from '@draftshelf/contract/imports/before-push';
import { autoRetryPausesMs } from '@draftshelf/domain/work/auto-retry';
import { countOf, formatCount, formatDueTime, joinWords } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';

const retriesMax = autoRetryPausesMs.length;

type Retried = Pick<ShownImport, 'status' | 'nextRetryAt' | 'autoRetries'>;

/** Describes the next retry of a failed import, or states that no retries are left. Null if neither applies. */
export function retryWords({ status, nextRetryAt, autoRetries }: Retried, nowMs: number): string | null {
  if (status !== 'failed') return null;
  if (nextRetryAt !== null) {
    return `Tries again ${formatDueTime(nextRetryAt, nowMs)} (${autoRetries + 1} of ${retriesMax}).`;
  }
  return autoRetries < retriesMax
    ? null
    : `All ${retriesMax} retries failed. Once the cause is fixed, retry the import.`;
}

/** Example: 'Pushes at 03:24' or 'Pushes in a moment'. Null if no automatic push is planned. */
export const plannedPushWords = (
  { autoPushAt }: Pick<ShownImport, 'autoPushAt'>,
  nowMs: number,
): string | null => (autoPushAt === null ? null : `Pushes ${formatDueTime(autoPushAt, nowMs)}`);

export function undecidedWords({
  status,
  autoMode,
  autoPushAt,
  autoHeld,
  outcomes,
}: Pick<ShownImport, 'status' | 'autoMode' | 'autoPushAt' | 'autoHeld' | 'outcomes'>): string | null {
  const isRead = status === 'queued' || status === 'processed';
  const isDecided = autoPushAt !== null || autoHeld !== null;
  const wasPushed = Object.values(outcomes).some((products) => products > 0);
  if (autoMode !== 'full-auto' || !isRead || isDecided || wasPushed) return null;
  return 'Once rules are applied and look-ups have ended, full auto decides. It waits at most 10 minutes for look-ups.';
}

export function noWorkerWords({ autoPushAt }: Pick<ShownImport, 'autoPushAt'>, nowMs: number): string {
  const none = 'No push worker is running.';
  if (autoPushAt === null) return `${none} Once one runs, full auto decides.`;
  const isDue = Date.parse(autoPushAt) <= nowMs;
  return `${none} ${isDue ? 'Pushes when one runs' : `Pushes ${formatDueTime(autoPushAt, nowMs)} if one runs by then`}.`;
}

export const countToDecide = (facts: PrePushFacts['facts']): number =>
  facts.find(({ kind }) => kind === 'to-decide')?.count ?? 0;

/** Example: '12 pushed, 3 need you, 1 needs your decision'. Null unless the import is in review again after a push. */
export function pushResultWords(
  {
    status,
    totalProducts,
    createdProducts,
    outcomes,
    inStore,
  }: Pick<ShownImport, 'status' | 'totalProducts' | 'createdProducts' | 'outcomes' | 'inStore'>,
  beforePush: Pick<PrePushFacts, 'facts' | 'open'> | null = null,
): string | null {
  const toDecide = countToDecide(beforePush?.facts ?? []);
  const left = outcomes.failed + (beforePush === null ? outcomes.skipped - inStore : beforePush.open);
  if (status !== 'queued' || createdProducts === 0 || left + toDecide <= 0) return null;
  const isDecided = createdProducts + outcomes.skipped + outcomes.failed >= totalProducts;
  const parts = [
    isDecided ? `${formatCount(createdProducts)} pushed` : '',
    left > 0 ? countOf(left, 'needs you', 'need you') : '',
    toDecide > 0 ? countOf(toDecide, 'needs your decision', 'need your decision') : '',
  ];
  return joinWords(parts, ', ');
}
