import type { Plan } from '@draftshelf/contract/push/plan';
import { Anchor, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { Moment, RelativeTime } from '../../../ui/time.tsx';
import { useInventorySync } from '../../store/index.ts';
import classes from './in-store.module.css';
import { planAgain, planUrl } from './plan-api.ts';
import { editedSinceWords } from './plan-words.ts';

type PlanToolsProps = {
  plan: Plan;
  importId: string;
  /** The push is being planned. */
  isPlanning: boolean;
};

/** A plan's age, Refresh and download. They load as one part, so that no button moves when another one appears. */
export function PlanTools({ plan, importId, isPlanning }: PlanToolsProps) {
  const isReady = plan.state === 'ready';
  return (
    <>
      {isReady && <PlanAge plan={plan} />}
      <RefreshButton importId={importId} isPlanning={isPlanning} />
      {isReady && !plan.outdated.rows && (
        <Anchor href={planUrl(importId)} download size="sm" underline="always" className={classes.link}>
          Download Plan (CSV)
        </Anchor>
      )}
    </>
  );
}

/** How old a plan and the copy of the store are, and after its push, what was edited since. */
function PlanAge({ plan }: { plan: Plan }) {
  const outdated = plan.push === null ? null : editedSinceWords(plan.outdated);
  return (
    <>
      {outdated !== null && (
        <Text size="sm" c="var(--text-warning)">
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
          'store not refreshed yet'
        ) : (
          <>
            store as of <Moment time={plan.copiedAt} />
          </>
        )}
      </Text>
    </>
  );
}

/** Reads the store again, then plans again. */
function RefreshButton({ importId, isPlanning }: Omit<PlanToolsProps, 'plan'>) {
  const client = useQueryClient();
  const { sync, progress } = useInventorySync(() => planAgain(client, importId));
  const failure = useFailureToast();
  const refresh = () =>
    sync.mutate(undefined, {
      onSuccess: failure.dismiss,
      onError: (error) => failure.show('Couldn’t refresh the plan', error.message),
    });
  const ofTotal = progress?.total == null ? '' : ` of ${formatCount(progress.total)}`;
  return (
    <Hint text="Reads the store’s products again, then plans again.">
      <Button
        size="compact-sm"
        variant="subtle"
        className="numbers"
        busy={sync.isPending || isPlanning}
        onClick={refresh}
      >
        {sync.isPending ? `Reading ${formatCount(progress?.synced ?? 0)}${ofTotal}…` : 'Refresh'}
      </Button>
    </Hint>
  );
}
