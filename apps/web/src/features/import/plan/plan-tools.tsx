import type { Plan } from '@draftshelf/contract/push/plan';
import { Anchor, Text } from '@mantine/core';
import { Moment, RelativeTime } from '../../../ui/time.tsx';
import classes from './in-store.module.css';
import { planUrl } from './plan-api.ts';
import { editedSinceWords } from './plan-words.ts';

/** How old a plan and the copy of the store are, and its download; after its push, what was edited since. */
export function PlanTools({ plan, importId }: { plan: Plan; importId: string }) {
  if (plan.state !== 'ready') return null;
  const outdated = plan.push === null ? null : editedSinceWords(plan.outdated);
  return (
    <>
      {outdated !== null && (
        <Text size="sm" c="var(--text-warning)">
          {outdated}
        </Text>
      )}
      <PlanAge {...plan} />
      {!plan.outdated.rows && (
        <Anchor href={planUrl(importId)} download size="sm" underline="always" className={classes.link}>
          Download Plan (CSV)
        </Anchor>
      )}
    </>
  );
}

function PlanAge({ endedAt, copiedAt }: Plan) {
  return (
    <Text size="sm" c="dimmed" className="numbers">
      {endedAt !== null && (
        <>
          Planned <RelativeTime time={endedAt} />.{' '}
        </>
      )}
      {copiedAt === null ? (
        'Checked against products pushed from here. Compare Again checks the whole store.'
      ) : (
        <>
          Compared with the store as of <Moment time={copiedAt} />.
        </>
      )}
    </Text>
  );
}
