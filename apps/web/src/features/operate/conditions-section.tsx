import type { Condition } from '@draftshelf/contract/operate/conditions';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import classes from '../../ui/sections.module.css';
import { RelativeTime } from '../../ui/time.tsx';
import { useConditions } from './conditions-api.ts';

/** What is wrong with the installation now, and what to do first. */
export function ConditionsSection() {
  const { data, isPending, isError, error, refetch } = useConditions();
  return (
    <Stack component="section" gap="sm" aria-labelledby="conditions">
      <Title order={2} id="conditions">
        Problems
      </Title>
      <div className={classes.problems}>
        {isPending && <Skeleton height={22} />}
        {isError && (
          <ErrorPanel title="Couldn’t load the problems." cause={error.message}>
            <Button onClick={() => refetch()}>Try Again</Button>
          </ErrorPanel>
        )}
        {data?.conditions.length === 0 && (
          <ul className={classes.statusLines} aria-label="Problems">
            <li data-tone="good">
              <IconCircleCheck size={18} aria-hidden />
              No Problems Found
            </li>
          </ul>
        )}
        {data !== undefined && data.conditions.length > 0 && (
          <ul className={classes.conditions} aria-label="Problems">
            {data.conditions.map((one) => (
              <ConditionLine key={one.id} {...one} />
            ))}
          </ul>
        )}
      </div>
    </Stack>
  );
}

function ConditionLine({ id, sentence, detail, todo, since }: Condition) {
  return (
    <li>
      <Text fw={550}>{sentence}</Text>
      {detail !== null && <Text size="sm">{detail}</Text>}
      <Text size="sm">{todo}</Text>
      <Text size="xs" c="dimmed">
        Since <RelativeTime time={since} />, <code>{id}</code> in docs/OPERATIONS.md
      </Text>
    </li>
  );
}
