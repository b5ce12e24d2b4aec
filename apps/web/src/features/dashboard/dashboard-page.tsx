import { Group, Skeleton, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCircleCheck, IconEye, IconUpload } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { loaderOf } from '../../api/loader.ts';
import { formatCount } from '../../lib/intl.ts';
import { historyPath, queuePath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Hint } from '../../ui/hint.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import {
  dashboardReads,
  type ShownCurrent,
  useActivity,
  useCurrent,
  useReset,
  useStats,
  useUndone,
} from '../import/index.ts';
import { ActivityPanel } from './activity-panel.tsx';
import { CurrentPanel } from './current-panel.tsx';
import classes from './dashboard.module.css';
import { FirstStepsPanel } from './first-steps-panel.tsx';
import { needsOf } from './needs-words.ts';
import { PushedPanel } from './pushed-panel.tsx';

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
      <Read of={stats} what="the statistics" meanwhile={<StatCards />} retries="every five seconds">
        {(counts) => <StatCards counts={counts} undone={undone} />}
      </Read>
      <NeedsYou imports={current.data} />
      <div className={classes.columns}>
        <div className={`stack ${classes.main}`}>
          <CurrentPanel
            reading={current}
            isFirstUse={activity.data?.length === 0 && stats.data?.filesProcessed === 0}
          />
          <FirstStepsPanel stats={stats.data} />
        </div>
        <div className={`stack ${classes.side}`}>
          <PushedPanel />
          <ActivityPanel reading={activity} />
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

/** The specification's four numbers, and where their imports are listed. */
const cards = [
  { key: 'filesProcessed', label: 'Files Processed', to: null },
  { key: 'productsCreated', label: 'Products Created', to: null },
  { key: 'inQueue', label: 'In Queue', to: queuePath },
  { key: 'errors', label: 'Errors', to: `${historyPath}?status=failed` },
] as const;

type StatCardsProps = {
  /** Undefined while they load. */
  counts?: NonNullable<ReturnType<typeof useStats>['data']>;
  /** Created products that were undone; undefined while that is not known. */
  undone?: number | undefined;
};

function StatCards({ counts, undone = 0 }: StatCardsProps) {
  return (
    <section aria-label="Statistics">
      <dl className={`flush ${classes.stats}`}>
        {cards.map(({ key, label, to }) => (
          <div key={key} className={classes.stat}>
            <dt className="quiet">
              {to === null ? (
                label
              ) : (
                <Link to={to} className={classes.statLink}>
                  {label}
                </Link>
              )}
            </dt>
            <dd className="row flush numbers" data-bad={key === 'errors' && (counts?.errors ?? 0) > 0}>
              {counts === undefined ? <Skeleton height={24} width={48} /> : formatCount(counts[key])}
              {key === 'productsCreated' && undone > 0 && (
                <span className={`quiet ${classes.undone}`}>{formatCount(undone)} undone</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** One line that says what waits for the operator. It keeps its height while that is loading. */
function NeedsYou({ imports }: { imports: readonly ShownCurrent[] | undefined }) {
  if (imports === undefined) return <p className={`row flush quiet ${classes.needs}`} />;
  const needs = needsOf(imports);
  return (
    <p className={`row flush quiet ${classes.needs}`} data-needed={needs.length > 0}>
      {needs.length === 0 ? (
        <>
          <IconCircleCheck size={16} aria-hidden /> Nothing to review or push.
        </>
      ) : (
        <>
          <IconEye size={16} aria-hidden />
          <span>
            {needs.map(({ words, path }, at) => (
              <Fragment key={path}>
                {at > 0 && ', '}
                <Link to={path} className={classes.needsLink}>
                  {words}
                </Link>
              </Fragment>
            ))}
            .
          </span>
        </>
      )}
    </p>
  );
}
