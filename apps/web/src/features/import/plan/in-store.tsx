import type { Plan } from '@draftshelf/contract/push/plan';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Anchor, Text } from '@mantine/core';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useConnections } from '../../../api/connections.ts';
import { connectionsPath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import { later, overlay } from '../../../ui/later.tsx';
import type { ShownImport } from '../imports-api.ts';
import { heldWords } from '../status/currency-words.ts';
import classes from './in-store.module.css';
import { usePlan, usePlanBegin } from './plan-api.ts';
import { announcedWords, beforeWords, estimateWords, failedWords } from './plan-words.ts';
import { PlannedSums, PlanProgress, PushComparison } from './planned-sums.tsx';
import { usePlanView } from './use-plan-view.ts';

const PlanTools = later(() => import('./plan-tools.tsx').then((chunk) => chunk.PlanTools));
const PlanList = overlay(() => import('./plan-list.tsx').then((chunk) => chunk.PlanList));
const UndoneSentence = later(() => import('../undo/undone.tsx').then((chunk) => chunk.UndoneSentence));

/** What a push of an import would do in the store. After the push: whether it went as planned, or was undone. */
export function InStore({ record }: { record: ShownImport }) {
  const reading = usePlan(record.id);
  const plan = reading.data;
  if (plan !== undefined) return <Planned record={record} plan={plan} />;
  return <ReadFailure what="the plan" reads={[reading]} />;
}

function Planned({ record, plan }: { record: ShownImport; plan: Plan }) {
  const [view, show] = usePlanView();
  const mayStart = canDo('review', record.status) && view === null;
  const start = usePlanStart(record.id, mayStart ? unaskedPlan(plan) : null);
  const store = useConnections().data?.find(({ service }) => service === 'shopify');
  const needsStore = store !== undefined && store.status !== 'connected';
  return (
    <div className={`stack grow ${classes.body}`} data-unplanned={isUnplanned(plan) || undefined}>
      <div className="visually-hidden" role="status">
        {announcedWords(plan)}
      </div>
      {record.shop !== null && <UndoneSentence record={record} />}
      {!(needsStore && isUnplanned(plan)) && (
        <Statement plan={plan} isHeld={heldWords(record) !== null} onShow={show} />
      )}
      {needsStore ? <ConnectStore /> : <NextPlan plan={plan} importId={record.id} start={start} />}
      <PlanList record={record} plan={plan} opened={view !== null} view={view} onShow={show} />
    </div>
  );
}

const isUnplanned = ({ state }: Plan) => state === 'none' || state === 'stopped';

/** A plan to make without a request, which its `of` names, and after how long without a further change. */
type UnaskedPlan = { of: string; afterMs: number };

/** Edits often come one after the other. */
const restMs = 3000;

/**
 * The plan to make without a request if it is short: the first plan, the plan after an undo, or one in place of a plan
 * that is wrong by now; null: none.
 */
function unaskedPlan({ state, push, outdated, endedAt }: Plan): UnaskedPlan | null {
  if (state === 'none') return { of: 'first', afterMs: 0 };
  if (push !== null) return push.isUndone ? { of: `after the undo of ${push.run}`, afterMs: 0 } : null;
  const before = beforeWords(outdated);
  if (state !== 'ready' || before === null) return null;
  return { of: `in place of ${endedAt}, ${before}`, afterMs: restMs };
}

/** Plans a push on request. `unasked`: the plan to make once without a request; null: none. */
function usePlanStart(importId: string, unasked: UnaskedPlan | null) {
  const begin = usePlanBegin(importId);
  const failure = useFailureToast();
  const { mutate, isPending } = begin;
  const [begunPlan, setBegunPlan] = useState<string | null>(null);
  const { of = null, afterMs = 0 } = unasked ?? {};
  const isDue = of !== null && of !== begunPlan;
  useEffect(() => {
    if (!isDue) return;
    const rest = setTimeout(() => {
      setBegunPlan(of);
      // Nobody requested it, so a failure is not reported.
      mutate({ unasked: true });
    }, afterMs);
    return () => clearTimeout(rest);
  }, [isDue, of, afterMs, mutate]);
  const run = () =>
    mutate(
      { unasked: false },
      {
        onSuccess: failure.dismiss,
        onError: (error) => failure.show('Couldn’t plan the push', error.message),
      },
    );
  return { run, isPending: isPending || (isDue && afterMs === 0) };
}
type PlanStart = ReturnType<typeof usePlanStart>;

/** One line in every state, so that nothing below moves while the first plan is made by itself. */
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
      if (plan.push.isUndone) return <Text size="sm">Plan again to see what the next push would do.</Text>;
      if (plan.push.isLast) return <PushComparison push={plan.push} onShow={onShow} />;
      return (
        <Text size="sm">The last push wasn’t planned. Plan again to see what the next one would do.</Text>
      );
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

/** The buttons that plan a push. They stay in their places, and so does the focus. */
function NextPlan({ plan, importId, start }: NextPlanProps) {
  // Refresh keeps the focus while it makes the next plan.
  const wasReady = useEver(plan.state === 'ready');
  const isRunning = plan.state === 'running';
  return (
    <div className={`row-wrap ${classes.line}`}>
      <Button size="compact-sm" variant="default" busy={start.isPending || isRunning} onClick={start.run}>
        {isUnplanned(plan) || isRunning ? 'Plan the Push' : 'Plan Again'}
      </Button>
      {isRunning && (
        <Text size="sm" c="dimmed" className="numbers">
          {plan.message}
        </Text>
      )}
      {plan.state === 'failed' && <Estimate plan={plan} />}
      {wasReady && <PlanTools plan={plan} importId={importId} isPlanning={start.isPending || isRunning} />}
    </div>
  );
}
