import type { DashboardStats } from '@draftshelf/contract/operate/dashboard';
import { Group, Title } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { isDemoStore, useConnections } from '../../api/connections.ts';
import { isRemembered, remember, rememberStore } from '../../lib/seen-steps.ts';
import { Button } from '../../ui/button.tsx';
import { useFirstSteps } from '../import/index.ts';
import { SampleButton } from '../queue/index.ts';
import classes from './dashboard.module.css';
import { type Step, stepsOf } from './first-steps.ts';

/**
 * The first steps with ticks, until all are done or the operator hides them. `stats`: when they change, a step may have
 * been done. The panel comes late, so it is the last one.
 */
export function FirstStepsPanel({ stats }: { stats: DashboardStats | undefined }) {
  const [isOver, setOver] = useState(() => isRemembered('steps-over'));
  const steps = useFirstSteps(isOver || stats === undefined ? null : JSON.stringify(stats));
  const connections = useConnections().data;
  const isConnected = connections?.some(
    ({ service, status }) => service === 'shopify' && status === 'connected',
  );
  const isRead = steps !== undefined && connections !== undefined;
  const list = isRead
    ? stepsOf({
        steps,
        seenStore: isRemembered('store-seen'),
        hasOwnStore: isConnected === true && !isDemoStore(connections),
      })
    : [];
  const areDone = isRead && list.every(({ done }) => done);
  useEffect(() => {
    if (areDone) remember('steps-over');
  }, [areDone]);
  if (isOver || !isRead || areDone) return null;
  return (
    <section className={`panel ${classes.steps}`} aria-labelledby="first-steps">
      <div className={`row ${classes.ends}`}>
        <Title order={2} id="first-steps">
          First steps
        </Title>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => {
            remember('steps-over');
            setOver(true);
          }}
        >
          Hide
        </Button>
      </div>
      <StepList steps={list} />
      {steps.uploaded && !steps.pushed && (
        <Group gap="xs" mt="xs">
          <SampleButton isCompact />
        </Group>
      )}
    </section>
  );
}

function StepList({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={`row-wrap list ${classes.stepList}`}>
      {steps.map(({ words, done, path }) => (
        <li key={words} className="row" data-done={done || undefined} data-later={path === null || undefined}>
          {done ? <IconCircleCheck size={16} aria-hidden /> : <IconCircle size={16} aria-hidden />}
          {done || path === null ? (
            <span>
              {words}
              {done && <span className="visually-hidden"> (done)</span>}
            </span>
          ) : (
            <Link
              to={path}
              className={classes.needsLink}
              onClick={() => path.startsWith('/shopify') && rememberStore()}
            >
              {words}
            </Link>
          )}
        </li>
      ))}
    </ol>
  );
}
