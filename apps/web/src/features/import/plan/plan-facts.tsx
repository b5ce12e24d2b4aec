import type { Plan } from '@draftshelf/contract/push/plan';
import { Text } from '@mantine/core';
import { Moment, RelativeTime } from '../../../ui/time.tsx';
import classes from './in-store.module.css';
import { editedSinceWords } from './plan-words.ts';

/** How old a plan and the copy of the store are, and after its push, what was edited since. */
export function PlanFacts({ plan }: { plan: Plan }) {
  const outdated = plan.push === null ? null : editedSinceWords(plan.outdated);
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
