import type { Plan } from '@draftshelf/contract/push/plan';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Box, Text, UnstyledButton } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { BodyText, ClockTime } from '../../../ui/basics.tsx';
import { lazyOverlay } from '../../../ui/later.tsx';
import type { ShownImport } from '../imports-api.ts';
import { CompositionProgress } from '../status/composition.tsx';
import { heldReasonWords } from '../status/currency-gate.tsx';
import classes from './plan.module.css';
import { useBeginPlan, usePlan, usePlanView } from './plan-api.ts';
import {
  announcePlanState,
  countOutcomes,
  isPlanWrong,
  outcomeVerbs,
  outdatedWords,
  planHeadPieces,
  plannedSentence,
  planProgressWords,
  type SentencePiece,
} from './plan-words.ts';

type OnShow = (view: string) => void;

export function PlanProgress({ plan }: { plan: Plan }) {
  const { done, total } = plan;
  const parts = countOutcomes(plan.sums);
  return (
    <div className={`row-wrap ${classes.storeLine} gap-x-sm`}>
      <Box w="12rem">
        <CompositionProgress
          label="Progress of the plan"
          value={total === 0 ? 0 : Math.floor((100 * done) / total)}
          parts={parts}
          total={total}
          piece="running"
        />
      </Box>
      <BodyText className="numbers">
        {planProgressWords(plan)}
        {parts.map(({ kind, count }) => ` · ${outcomeVerbs[kind]} ${formatCount(count)}`)}
      </BodyText>
    </div>
  );
}

export function PlannedSums({ plan, isHeld, onShow }: { plan: Plan; isHeld: boolean; onShow: OnShow }) {
  const pieces =
    countOutcomes(plan.sums).length === 0
      ? ['A push would do nothing: there are no products.']
      : plannedSentence(plan, isHeld);
  return <PlanSentence pieces={pieces} isOutdated={outdatedWords(plan.outdated) !== null} onShow={onShow} />;
}

type SentenceProps = { pieces: readonly SentencePiece[]; isOutdated?: boolean; onShow: OnShow };

export const PlanSentence = ({ pieces, isOutdated = false, onShow }: SentenceProps) => (
  <BodyText lh="26px" c={isOutdated ? 'dimmed' : undefined} className="break-words numbers">
    <Pieces pieces={pieces} onShow={onShow} />
  </BodyText>
);

const Pieces = ({ pieces, onShow }: Pick<SentenceProps, 'pieces' | 'onShow'>) =>
  pieces.map((piece, at) => {
    const key = `${at}`;
    if (typeof piece === 'string') return piece;
    if ('time' in piece) return <ClockTime key={key} time={piece.time} />;
    if ('view' in piece) {
      return (
        <PlanListButton key={key} view={piece.view} onShow={onShow}>
          {piece.words}
        </PlanListButton>
      );
    }
    return (
      <Text key={key} span inherit c="var(--text-warning)">
        {piece.warning}
      </Text>
    );
  });

type ListButtonProps = { view: string; onShow: OnShow; children: ReactNode };

export const PlanListButton = ({ view, onShow, children }: ListButtonProps) => (
  <UnstyledButton
    className={`${classes.number} target underlined middle strong`}
    onClick={() => onShow(view)}
  >
    {children}
  </UnstyledButton>
);

const PlanList = lazyOverlay(() => import('./plan-list.tsx'), 'PlanList');

type PlanInHeadProps = {
  record: ShownImport;
  /** Shown if there are no planned counts to show. */
  otherwise: ReactNode;
};

/** Shows the planned counts. Begins a plan automatically if there is none or if the plan is wrong. */
export function PlanInHead({ record, otherwise }: PlanInHeadProps) {
  const plan = usePlan(record.id).data;
  const [view, show] = usePlanView();
  const mayStart = canDo('review', record.status) && view === null;
  usePlanUnasked(record.id, plan && mayStart ? unaskedPlan(plan) : null);
  if (plan === undefined) return otherwise;
  const pieces = planHeadPieces(plan);
  return (
    <>
      <div className="visually-hidden" role="status">
        {announcePlanState(plan)}
      </div>
      {pieces === null || heldReasonWords(record) !== null ? (
        otherwise
      ) : (
        <span data-plan className={plan.push === null && isPlanWrong(plan) ? 'quiet' : undefined}>
          <Pieces pieces={pieces} onShow={show} />
        </span>
      )}
      <PlanList record={record} plan={plan} opened={view !== null} view={view} onShow={show} />
    </>
  );
}

/** A plan that begins automatically `afterMs` after `of` has changed. `of` identifies the reason for the plan. */
type UnaskedPlan = { of: string; afterMs: number };

/** Pause before planning, because edits often follow each other. */
const restMs = 3000;

/** Returns the plan to begin automatically: the first plan, a plan after an undo, or a replacement of a wrong plan. */
function unaskedPlan(plan: Plan): UnaskedPlan | null {
  const { state, push, endedAt } = plan;
  if (state === 'none') return { of: 'first', afterMs: 0 };
  if (push?.isUndone) return { of: `after the undo of ${push.run}`, afterMs: 0 };
  if (state !== 'ready' || !isPlanWrong(plan)) return null;
  const changes = [outdatedWords(plan.outdated), plan.decidedSince];
  return { of: `in place of ${endedAt}, ${changes}`, afterMs: restMs };
}

/** Failures are not reported, because the operator did not start the plan. */
function usePlanUnasked(importId: string, unasked: UnaskedPlan | null) {
  const { mutate } = useBeginPlan(importId);
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
