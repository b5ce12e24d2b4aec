import type { DashboardStats } from '@draftshelf/contract/operate/dashboard';
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheck, IconEye } from '@tabler/icons-react';
import { Fragment, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { findStore, isDemoStore, useConnections } from '../../api/connections.ts';
import { createLoader } from '../../api/query-client.ts';
import { formatCount } from '../../lib/intl.ts';
import { historyPath, importPath, queuePath } from '../../lib/paths.ts';
import { isRemembered, remember, rememberStoreSeen } from '../../lib/storage.ts';
import { PlainButton, RelativeTime, SmallText, TextButton } from '../../ui/basics.tsx';
import { ReadView } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { Hint } from '../../ui/hint.tsx';
import { useMedia } from '../../ui/hooks.ts';
import { PageHeader, UploadLink } from '../../ui/page-header.tsx';
import {
  dashboardReads,
  type ShownActivity,
  type ShownCurrent,
  useActivity,
  useCurrent,
  useFirstSteps,
  useStats,
  useUndoneCount,
} from '../import/index.ts';
import { SampleButton } from '../queue/index.ts';
import classes from './dashboard.module.css';
import { listFirstSteps, listNeeds } from './dashboard-words.ts';
import { CurrentImportsPanel, ListPlaceholders, PushedProductsPanel } from './panels.tsx';

export function Component() {
  const wide = useMedia('(min-width: 768px)');
  const [stats, activity, current] = [useStats(), useActivity(), useCurrent()];
  // The number of undone products is read again after each new activity, because each undo ends with an activity.
  const undone = useUndoneCount(activity.data ? String(activity.data[0]?.id) : null);
  return (
    <Stack gap="lg">
      <title>Dashboard · Draftshelf</title>
      <PageHeader title="Dashboard">
        {wide && <ResetButton />}
        <UploadLink />
      </PageHeader>
      <ReadView of={stats} what="the statistics" meanwhile={<StatCards />} retries="every five seconds">
        {(counts) => <StatCards counts={counts} undone={undone} />}
      </ReadView>
      <NeedsYou imports={current.data} />
      <div className={`${classes.columns} grid gap-lg`}>
        <div className={`stack ${classes.main} gap-lg`}>
          <CurrentImportsPanel
            reading={current}
            isFirstUse={activity.data?.length === 0 && stats.data?.filesProcessed === 0}
          />
          <FirstStepsPanel stats={stats.data} />
        </div>
        <div className="stack gap-lg">
          <PushedProductsPanel />
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

Component.loader = createLoader(dashboardReads);

/** A button that resets the dashboard's numbers without asking first. Imports are not changed. */
function ResetButton() {
  const reset = useCall('resetDashboard', {
    failed: () => ({ title: 'Reset Failed', text: 'Failed to reset dashboard data' }),
    done: () => ({ title: 'Dashboard Reset', text: 'Dashboard data has been cleared successfully' }),
  });
  return (
    <Hint text="Clear all dashboard data, activity logs, and reset statistics">
      <PlainButton
        loading={reset.isPending}
        // The call has a JSON header and no body.
        onClick={() => reset.mutate({ emptyJson: true })}
      >
        Reset Dashboard
      </PlainButton>
    </Hint>
  );
}

const cards = [
  { key: 'filesProcessed', label: 'Files Processed', to: null },
  { key: 'productsCreated', label: 'Products Created', to: null },
  { key: 'inQueue', label: 'In Queue', to: queuePath },
  { key: 'errors', label: 'Errors', to: `${historyPath}?status=failed` },
] as const;

type StatCardsProps = {
  counts?: NonNullable<ReturnType<typeof useStats>['data']>;
  undone?: number | undefined;
};

const StatCards = ({ counts, undone = 0 }: StatCardsProps) => (
  <section aria-label="Statistics">
    <dl className={`flush ${classes.stats} grid`}>
      {cards.map(({ key, label, to }) => (
        <div key={key} className={`${classes.stat} line-before relative`}>
          <dt className="quiet nowrap">
            {to === null ? (
              label
            ) : (
              <Link to={to} className="stretched plain-link">
                {label}
              </Link>
            )}
          </dt>
          <dd className="row figure numbers" data-bad={key === 'errors' && (counts?.errors ?? 0) > 0}>
            {counts === undefined ? <Skeleton height={24} width={48} /> : formatCount(counts[key])}
            {key === 'productsCreated' && undone > 0 && (
              <span className="quiet normal nowrap">{formatCount(undone)} undone</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

/** While the imports load, the panel already has its final height. */
function NeedsYou({ imports }: { imports: readonly ShownCurrent[] | undefined }) {
  if (imports === undefined) return <p className={`row flush quiet ${classes.needs}`} />;
  const needs = listNeeds(imports);
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
                <Link to={path} className={`${classes.needsLink} plain-link`}>
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

const itemsMax = 10;

const types: Record<string, { word: string; kind: string }> = {
  completed: { word: 'Completed', kind: 'valid' },
  processing: { word: 'Processing', kind: 'running' },
  error: { word: 'Error', kind: 'error' },
};
const note = { word: 'Note', kind: 'waiting' };

const ActivityPanel = ({ reading }: { reading: ReturnType<typeof useActivity> }) => (
  <section className={`panel ${classes.activity}`} aria-labelledby="recent-activity">
    <div className="row gap-sm between baseline">
      <Title order={2} id="recent-activity">
        Recent Activity
      </Title>
      <Link to={historyPath} className={`${classes.more} size-sm`}>
        Show History
      </Link>
    </div>
    <ReadView
      of={reading}
      what="the activity"
      meanwhile={
        <ListPlaceholders className={`row ${classes.item} baseline`}>
          <Skeleton height={18} />
        </ListPlaceholders>
      }
      retries="every five seconds"
    >
      {(items) =>
        items.length === 0 ? (
          <Text c="dimmed" ta="center" py="lg">
            No recent activity
          </Text>
        ) : (
          <ul className="list above-xs">
            {items.slice(0, itemsMax).map((item) => (
              <Item key={item.id} item={item} />
            ))}
          </ul>
        )
      }
    </ReadView>
  </section>
);

function Item({ item }: { item: ShownActivity }) {
  const { word, kind } = (Object.hasOwn(types, item.type) && types[item.type]) || note;
  return (
    <li className={`row ${classes.item} baseline`}>
      <span className={`${classes.dot} rigid`} data-kind={kind}>
        <span className="visually-hidden">{word}</span>
      </span>
      <span className="grow break-words clamp size-sm" title={item.message}>
        {item.importId === null ? (
          item.message
        ) : (
          <Link to={importPath(item.importId)} className={`${classes.messageLink} plain-link`} dir="auto">
            {item.message}
          </Link>
        )}
      </span>
      <SmallText span className="rigid numbers">
        <RelativeTime time={item.createdAt} />
      </SmallText>
    </li>
  );
}

/** Shown until all steps are done or hidden. It is the last panel, because it loads late and would move others. */
function FirstStepsPanel({ stats }: { stats: DashboardStats | undefined }) {
  const [isOver, setOver] = useState(() => isRemembered('steps-over'));
  const steps = useFirstSteps(isOver || stats === undefined ? null : JSON.stringify(stats));
  const connections = useConnections().data;
  const isRead = steps !== undefined && connections !== undefined;
  const list = isRead
    ? listFirstSteps({
        steps,
        seenStore: isRemembered('store-seen'),
        hasOwnStore: findStore(connections)?.status === 'connected' && !isDemoStore(connections),
      })
    : [];
  const areDone = isRead && list.every(({ done }) => done);
  useEffect(() => {
    if (areDone) remember('steps-over');
  }, [areDone]);
  if (isOver || !isRead || areDone) return null;
  return (
    <section className={`panel ${classes.steps}`} aria-labelledby="first-steps">
      <div className="row gap-sm between baseline">
        <Title order={2} id="first-steps">
          First steps
        </Title>
        <TextButton
          color="gray"
          onClick={() => {
            remember('steps-over');
            setOver(true);
          }}
        >
          Hide
        </TextButton>
      </div>
      <ol className={`row-wrap list ${classes.stepList} above-xs size-sm`}>
        {list.map(({ words, done, path }) => (
          <li
            key={words}
            className="row gap-tight"
            data-done={done || undefined}
            data-later={path === null || undefined}
          >
            {done ? <IconCircleCheck size={16} aria-hidden /> : <IconCircle size={16} aria-hidden />}
            {done || path === null ? (
              <span>
                {words}
                {done && <span className="visually-hidden"> (done)</span>}
              </span>
            ) : (
              <Link
                to={path}
                className={`${classes.needsLink} plain-link`}
                onClick={() => path.startsWith('/shopify') && rememberStoreSeen()}
              >
                {words}
              </Link>
            )}
          </li>
        ))}
      </ol>
      {steps.uploaded && !steps.pushed && (
        <Group gap="xs" mt="xs">
          <SampleButton isCompact />
        </Group>
      )}
    </section>
  );
}
