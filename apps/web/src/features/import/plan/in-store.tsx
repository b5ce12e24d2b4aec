import type { Plan } from '@draftshelf/contract/push/plan';
import { Anchor, Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { useConnections } from '../../../api/connections.ts';
import { formatCount } from '../../../lib/intl.ts';
import { connectionsPath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import { Moment, RelativeTime } from '../../../ui/time.tsx';
import { useInventorySync } from '../../store/index.ts';
import type { ShownImport } from '../imports-api.ts';
import { heldWords } from '../status/currency-words.ts';
import classes from './in-store.module.css';
import { planUrl, useIsPlanBegun, usePlan, usePlanBegin } from './plan-api.ts';
import { editedSinceWords, estimateWords, failedWords, isComparison } from './plan-words.ts';
import { PlannedSums, PlanProgress, PushComparison } from './planned-sums.tsx';
import { usePlanView } from './use-plan-view.ts';

/** What a push of an import would do in the store. After the push: whether it went as planned, or was undone. */
export function InStore({ record }: { record: ShownImport }) {
  const reading = usePlan(record.id);
  const plan = reading.data;
  if (plan !== undefined) return <Planned record={record} plan={plan} />;
  return <ReadFailure what="the plan" reads={[reading]} />;
}

function Planned({ record, plan }: { record: ShownImport; plan: Plan }) {
  const [, show] = usePlanView();
  const start = usePlanStart(record.id);
  const store = useConnections().data?.find(({ service }) => service === 'shopify');
  const needsStore = store !== undefined && store.status !== 'connected';
  return (
    <div className={`stack grow ${classes.body}`} data-unplanned={isUnplanned(plan) || undefined}>
      {!(needsStore && isUnplanned(plan)) && (
        <Statement plan={plan} isHeld={heldWords(record) !== null} onShow={show} />
      )}
      {needsStore ? <ConnectStore /> : <NextPlan plan={plan} importId={record.id} start={start} />}
    </div>
  );
}

const isUnplanned = ({ state }: Plan) => state === 'none' || state === 'stopped';

/** Plans a push on request. */
function usePlanStart(importId: string) {
  const { begin } = usePlanBegin(importId, 'Couldn’t plan the push');
  return { run: begin, isPending: useIsPlanBegun(importId) };
}
type PlanStart = ReturnType<typeof usePlanStart>;

function Statement({ plan, isHeld, onShow }: ComponentProps<typeof PlannedSums>): ReactNode {
  switch (plan.state) {
    case 'running':
      return <PlanProgress plan={plan} />;
    case 'failed':
      return (
        <Text size="sm" c="var(--text-bad)" className="break-words">
          {failedWords(plan)}
        </Text>
      );
    case 'ready':
      if (plan.push === null) return <PlannedSums {...{ plan, isHeld, onShow }} />;
      if (isComparison(plan)) return <PushComparison push={plan.push} onShow={onShow} />;
      return <Text size="sm">Compare again to see what the next push would do.</Text>;
    default:
      return <Estimate plan={plan} />;
  }
}

function Estimate({ plan }: { plan: Plan }) {
  return (
    <Text size="sm" lh="26px" c="dimmed" className="break-words numbers">
      {estimateWords(plan.estimate)}
    </Text>
  );
}

function ConnectStore() {
  return (
    <Text size="sm">
      <Anchor component={Link} to={connectionsPath} inherit underline="always">
        Connect the store
      </Anchor>{' '}
      to see what a push would do there.
    </Text>
  );
}

type NextPlanProps = { plan: Plan; importId: string; start: PlanStart };

/** The button that plans a push, and compares it with the store again. It stays in its place, and so does the focus. */
function NextPlan({ plan, importId, start }: NextPlanProps) {
  const wasReady = useEver(plan.state === 'ready');
  const store = useStoreReading(importId);
  const isRunning = plan.state === 'running';
  return (
    <div className={`row-wrap ${classes.line}`}>
      <Hint text={wasReady ? compareHint : null}>
        <Button
          size="compact-sm"
          variant="default"
          className="numbers"
          busy={start.isPending || isRunning || store.isReading}
          onClick={plan.state === 'ready' ? store.read : start.run}
        >
          {store.isReading ? store.words : wasReady ? 'Compare Again' : 'Plan the Push'}
        </Button>
      </Hint>
      {isRunning && (
        <Text size="sm" c="dimmed" className="numbers">
          {plan.message}
        </Text>
      )}
      {plan.state === 'failed' && <Estimate plan={plan} />}
      {wasReady && <PlanTools plan={plan} importId={importId} />}
    </div>
  );
}

const compareHint = 'Reads the store’s products again, then plans again.';

/** Reads the store again, then plans again. */
function useStoreReading(importId: string) {
  const { sync, progress } = useInventorySync('Couldn’t compare again', importId);
  const ofTotal = progress?.total == null ? '' : ` of ${formatCount(progress.total)}`;
  return {
    isReading: sync.isPending,
    words: `Reading ${formatCount(progress?.synced ?? 0)}${ofTotal}…`,
    read: () => sync.mutate(undefined),
  };
}

/** How old a plan and the copy of the store are, and its download; after its push, what was edited since. */
function PlanTools({ plan, importId }: { plan: Plan; importId: string }) {
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
