import type { Plan } from '@draftshelf/contract/push/plan';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { type ReactNode, useEffect, useState } from 'react';
import { overlay } from '../../../ui/later.tsx';
import type { ShownImport } from '../imports-api.ts';
import { heldWords } from '../status/currency-words.ts';
import { usePlan, usePlanBegin } from './plan-api.ts';
import { announcedWords, beforeWords, headPieces, isWrong } from './plan-words.ts';
import { Pieces } from './planned-sums.tsx';
import { usePlanView } from './use-plan-view.ts';

const PlanList = overlay(() => import('./plan-list.tsx').then((chunk) => chunk.PlanList));

type PlanInHeadProps = {
  record: ShownImport;
  /** What is shown while no plan says what a push would do. */
  otherwise: ReactNode;
};

/** What a push would do, in a few words; the first plan and one in place of a plan that is wrong make themselves. */
export function PlanInHead({ record, otherwise }: PlanInHeadProps) {
  const plan = usePlan(record.id).data;
  if (plan === undefined) return otherwise;
  return <Planned {...{ record, plan, otherwise }} />;
}

function Planned({ record, plan, otherwise }: PlanInHeadProps & { plan: Plan }) {
  const [view, show] = usePlanView();
  const mayStart = canDo('review', record.status) && view === null;
  usePlanUnasked(record.id, mayStart ? unaskedPlan(plan) : null);
  const pieces = headPieces(plan);
  return (
    <>
      <div className="visually-hidden" role="status">
        {announcedWords(plan)}
      </div>
      {pieces === null || heldWords(record) !== null ? (
        otherwise
      ) : (
        <span data-plan className={plan.push === null && isWrong(plan) ? 'quiet' : undefined}>
          <Pieces pieces={pieces} onShow={show} />
        </span>
      )}
      <PlanList record={record} plan={plan} opened={view !== null} view={view} onShow={show} />
    </>
  );
}

/** A plan to make without a request, which its `of` names, and after how long without a further change. */
type UnaskedPlan = { of: string; afterMs: number };

/** Edits often come one after the other. */
const restMs = 3000;

/**
 * The plan to make without a request if it is short: the first plan, the plan after an undo or after edits of what was
 * pushed, or one in place of a plan that is wrong by now; null: none.
 */
function unaskedPlan(plan: Plan): UnaskedPlan | null {
  const { state, push, endedAt } = plan;
  if (state === 'none') return { of: 'first', afterMs: 0 };
  if (push?.isUndone) return { of: `after the undo of ${push.run}`, afterMs: 0 };
  if (state !== 'ready' || !isWrong(plan)) return null;
  const changes = [beforeWords(plan.outdated), plan.decidedSince];
  return { of: `in place of ${endedAt}, ${changes}`, afterMs: restMs };
}

/** Makes a plan once without a request; null: none. Nobody requested it, so a failure is not reported. */
function usePlanUnasked(importId: string, unasked: UnaskedPlan | null) {
  const { mutate } = usePlanBegin(importId);
  const [begunPlan, setBegunPlan] = useState<string | null>(null);
  const { of = null, afterMs = 0 } = unasked ?? {};
  const isDue = of !== null && of !== begunPlan;
  useEffect(() => {
    if (!isDue) return;
    const rest = setTimeout(() => {
      setBegunPlan(of);
      mutate({ query: { unasked: 'true' } });
    }, afterMs);
    return () => clearTimeout(rest);
  }, [isDue, of, afterMs, mutate]);
}
