import { Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { Link } from 'react-router';
import { loaderOf } from '../../api/loader.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Hint } from '../../ui/hint.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { dashboardReads, useActivity, useCurrent, useReset, useStats, useUndone } from '../import/index.ts';
import { ActivityPanel } from './activity-panel.tsx';
import { CurrentPanel } from './current-panel.tsx';
import classes from './dashboard.module.css';
import { FirstStepsPanel } from './first-steps-panel.tsx';
import { NeedsYou } from './needs-you.tsx';
import { PushedPanel } from './pushed-panel.tsx';
import { StatCards } from './stat-cards.tsx';

export function Component() {
  const wide = useMediaQuery('(min-width: 768px)', undefined, { getInitialValueInEffect: false });
  const [stats, activity, current] = [useStats(), useActivity(), useCurrent()];
  // The end of an undo is an activity.
  const undone = useUndone(activity.data ? String(activity.data[0]?.id) : null);
  return (
    <Stack gap="lg">
      <title>Dashboard · Draftshelf</title>
      <PageHeader title="Dashboard">
        {wide && <ResetButton />}
        <Button component={Link} to="/upload" leftSection={<IconUpload size={16} aria-hidden />}>
          Upload CSV
        </Button>
      </PageHeader>
      <StatCards stats={stats.data} undone={undone} error={stats.error} />
      <NeedsYou imports={current.data} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <CurrentPanel
            reading={current}
            isFirstUse={activity.data?.length === 0 && stats.data?.filesProcessed === 0}
          />
          <FirstStepsPanel stats={stats.data} />
        </div>
        <div className={classes.side}>
          <PushedPanel />
          <ActivityPanel items={activity.data} error={activity.error} />
        </div>
      </div>
      {!wide && (
        <Group justify="center">
          <ResetButton />
        </Group>
      )}
    </Stack>
  );
}

Component.loader = loaderOf(dashboardReads);

/** Acts on the click, as specified. Imports stay. */
function ResetButton() {
  const reset = useReset();
  const toast = useToast();
  return (
    <Hint text="Clear all dashboard data, activity logs, and reset statistics">
      <Button
        variant="default"
        loading={reset.isPending}
        onClick={() =>
          reset.mutate(undefined, {
            onSuccess: () =>
              toast({ title: 'Dashboard Reset', text: 'Dashboard data has been cleared successfully' }),
            onError: () =>
              toast({ title: 'Reset Failed', text: 'Failed to reset dashboard data', tone: 'failure' }),
          })
        }
      >
        Reset Dashboard
      </Button>
    </Hint>
  );
}
