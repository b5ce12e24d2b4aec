import type { Plan } from '@draftshelf/contract/plan';
import { Anchor, Text } from '@mantine/core';
import { planUrl } from '../../../api/plan.ts';
import { useInventorySync } from '../../../api/store.ts';
import { Button } from '../../../components/button.tsx';
import { useFailureToast } from '../../../components/feedback/toast.tsx';
import { Hint } from '../../../components/hint.tsx';
import { Moment, RelativeTime } from '../../../components/time.tsx';
import { formatCount } from '../../../lib/intl.ts';
import classes from './in-store.module.css';
import type { PlanStart } from './in-store.tsx';
import { outdatedWords } from './plan-words.ts';

type PlanFactsProps = { plan: Plan; importId: string; start: PlanStart };

/** How old a plan and the copy of the store are, and what has changed since. */
export function PlanFacts({ plan, importId, start }: PlanFactsProps) {
  const outdated = plan.push === null ? outdatedWords(plan.outdated) : null;
  return (
    <>
      {outdated !== null && (
        <Text size="sm" className={classes.outdated}>
          {outdated}
        </Text>
      )}
      <Text size="sm" c="dimmed" className="numbers">
        {plan.endedAt !== null && (
          <>
            Planned <RelativeTime time={plan.endedAt} />,{' '}
          </>
        )}
        {plan.copiedAt === null ? (
          'without a copy of the store'
        ) : (
          <>
            store as of <Moment time={plan.copiedAt} />
          </>
        )}
      </Text>
      <RefreshButton start={start} />
      {!plan.outdated.rows && (
        <Anchor href={planUrl(importId)} download size="sm" underline="always" className={classes.download}>
          Download Plan (CSV)
        </Anchor>
      )}
    </>
  );
}

/** Reads the store again, then plans again. */
function RefreshButton({ start }: { start: PlanStart }) {
  const { sync, progress } = useInventorySync();
  const failure = useFailureToast();
  const refresh = () =>
    sync.mutate(undefined, {
      onSuccess: start.run,
      onError: (error) => failure.show('Couldn’t Refresh the Copy of the Store', error.message),
    });
  const ofTotal = progress?.total == null ? '' : ` of ${formatCount(progress.total)}`;
  return (
    <Hint text="Reads the store’s products again, then plans again.">
      <Button
        size="compact-sm"
        variant="subtle"
        className="numbers"
        busy={sync.isPending || start.isPending}
        onClick={refresh}
      >
        {sync.isPending ? `Reading ${formatCount(progress?.synced ?? 0)}${ofTotal}…` : 'Refresh'}
      </Button>
    </Hint>
  );
}
