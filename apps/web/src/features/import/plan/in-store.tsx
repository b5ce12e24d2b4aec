import type { Plan } from '@draftshelf/contract/push/plan';
import { Title } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { buildDownloadUrl } from '../../../api/call.ts';
import { findStore, useConnections } from '../../../api/connections.ts';
import { connectionsPath, undoParam } from '../../../lib/paths.ts';
import {
  BodyText,
  ClockTime,
  DownloadLink,
  PageLink,
  QuietText,
  RelativeTime,
  SmallButton,
  TextButton,
} from '../../../ui/basics.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { useAddressParam, useHasBeenTrue } from '../../../ui/hooks.ts';
import { useInventorySync } from '../../store/index.ts';
import importClasses from '../import.module.css';
import type { ShownImport } from '../imports-api.ts';
import { BudgetGauge } from '../lookups/budget-gauge.tsx';
import { PushRateChart } from '../report/report-parts.tsx';
import { heldReasonWords } from '../status/currency-gate.tsx';
import { useStoreRun } from '../store-runs.tsx';
import { findUndoState, resultWords, undoneRunWords } from '../undo/undo-words.ts';
import classes from './plan.module.css';
import { useBeginPlan, useIsBeginningPlan, usePlan, usePlanView } from './plan-api.ts';
import {
  comparisonSentence,
  editedSinceWords,
  isPlanComparable,
  outdatedWords,
  planEstimateWords,
  planFailureWords,
} from './plan-words.ts';
import { PlannedSums, PlanProgress, PlanSentence } from './planned-sums.tsx';

export function StorePlan({ record }: { record: ShownImport }) {
  const reading = usePlan(record.id);
  const [, show] = usePlanView();
  const store = findStore(useConnections().data);
  const plan = reading.data;
  if (plan === undefined) return <ReadFailure what="the plan" reads={[reading]} />;
  const needsStore = store !== undefined && store.status !== 'connected';
  return (
    <div className="stack grow gap-hair" data-unplanned={isUnplanned(plan) || undefined}>
      {!(needsStore && isUnplanned(plan)) && (
        <Statement plan={plan} isHeld={heldReasonWords(record) !== null} onShow={show} />
      )}
      {needsStore ? (
        <BodyText>
          <PageLink to={connectionsPath} inherit>
            Connect the store
          </PageLink>{' '}
          to see what a push would do there.
        </BodyText>
      ) : (
        <NextPlan plan={plan} importId={record.id} />
      )}
    </div>
  );
}

/** True if there is no current plan: none was made, the last was stopped, or the file has been re-read since. */
const isUnplanned = ({ state, push, outdated }: Plan) =>
  state === 'none' || state === 'stopped' || (state === 'ready' && push === null && outdated.rows);

function Statement({ plan, isHeld, onShow }: ComponentProps<typeof PlannedSums>): ReactNode {
  switch (plan.state) {
    case 'running':
      return <PlanProgress plan={plan} />;
    case 'failed':
      return (
        <BodyText c="var(--text-bad)" className="break-words">
          {planFailureWords(plan)}
        </BodyText>
      );
    case 'ready':
      if (isUnplanned(plan)) return <Estimate plan={plan} />;
      if (plan.push === null) return <PlannedSums {...{ plan, isHeld, onShow }} />;
      if (isPlanComparable(plan))
        return <PlanSentence pieces={comparisonSentence(plan.push)} onShow={onShow} />;
      return <BodyText>Compare again to see what the next push would do.</BodyText>;
    default:
      return <Estimate plan={plan} />;
  }
}

const Estimate = ({ plan }: { plan: Plan }) => (
  <QuietText lh="26px" className="break-words numbers">
    {planEstimateWords(plan.estimate)}
  </QuietText>
);

/** The button stays mounted while a plan runs, so that it keeps the focus. */
function NextPlan({ plan, importId }: { plan: Plan; importId: string }) {
  const { begin } = useBeginPlan(importId, 'Couldn’t plan the push');
  const isBegun = useIsBeginningPlan(importId);
  const comparesAgain = useHasBeenTrue(plan.state === 'ready') && !isUnplanned(plan);
  const { sync, progressWords } = useInventorySync('Couldn’t compare again', importId);
  const isRunning = plan.state === 'running';
  const isReady = plan.state === 'ready' && !isUnplanned(plan);
  const outdated = plan.push === null ? null : editedSinceWords(plan.outdated);
  return (
    <div className={`row-wrap ${classes.storeLine} gap-x-sm`}>
      <Hint text={comparesAgain ? compareHint : null}>
        <SmallButton
          className="numbers"
          busy={isBegun || isRunning || sync.isPending}
          onClick={isReady ? () => sync.mutate(undefined) : begin}
        >
          {sync.isPending ? `Reading ${progressWords}` : comparesAgain ? 'Compare Again' : 'Plan the Push'}
        </SmallButton>
      </Hint>
      {isRunning && <QuietText className="numbers">{plan.message}</QuietText>}
      {plan.state === 'failed' && <Estimate plan={plan} />}
      {isReady && (
        <>
          {outdated !== null && <BodyText c="var(--text-warning)">{outdated}</BodyText>}
          <QuietText className="numbers">
            {/* Omitted for an outdated plan, because the sentence above shows the time of that plan. */}
            {plan.endedAt !== null && (plan.push !== null || outdatedWords(plan.outdated) === null) && (
              <>
                Planned <RelativeTime time={plan.endedAt} />.{' '}
              </>
            )}
            {plan.copiedAt === null ? (
              'Checked only against products that Draftshelf pushed. Compare Again checks the whole store.'
            ) : (
              <>
                Compared with the store as of <ClockTime time={plan.copiedAt} />.
              </>
            )}
          </QuietText>
          {!plan.outdated.rows && (
            <DownloadLink href={buildDownloadUrl('getPlanCsv', { id: importId })} className="target">
              Download Plan (CSV)
            </DownloadLink>
          )}
        </>
      )}
    </div>
  );
}

const compareHint = 'Reads the store’s products again, then plans again.';

export function StorePlanSection({ record, isPlannable }: { record: ShownImport; isPlannable: boolean }) {
  const isPushing = record.status === 'uploading' && !record.isUndoing && !record.changesGone;
  if (!isPushing && !isPlannable && record.shop === null) return null;
  return (
    <section aria-labelledby="in-store">
      <Title order={2} id="in-store" tabIndex={-1} className={importClasses.sectionHead}>
        In the store
      </Title>
      {/* A stage may change what can be undone, so a new stage changes the key, and the undo is read again. */}
      {record.shop !== null && (
        <UndoneSentence key={`${record.status} ${record.completedAt}`} record={record} />
      )}
      {isPushing ? (
        <div className={`${classes.graphs} grid shrink`}>
          <PushRateChart importId={record.id} isRunning />
          <BudgetGauge />
        </div>
      ) : (
        isPlannable && <StorePlan record={record} />
      )}
    </section>
  );
}

/** Example: 'This push was undone 2 minutes ago: 25 deleted, 2 stayed.' Empty until an undo of the last push ends. */
function UndoneSentence({ record: { id, startedAt } }: { record: ShownImport }) {
  const { data: undo } = useStoreRun('getPushUndo', id);
  const [, open] = useAddressParam(undoParam);
  if (undo?.endedAt == null || undo.results.length === 0) return null;
  if (startedAt !== null && undo.endedAt < startedAt) return null;
  const standing = findUndoState(undo);
  const unless = standing === 'kept' ? 'Nothing was undone' : 'The undo was stopped';
  return (
    <BodyText lh="26px" className="break-words">
      {standing === 'undone' ? `${undoneRunWords(undo)} was undone` : unless}{' '}
      <span className="numbers">
        <RelativeTime time={undo.endedAt} />: {resultWords(undo.results)}.
      </span>{' '}
      <TextButton onClick={() => open('push')}>Show Products</TextButton>
    </BodyText>
  );
}
