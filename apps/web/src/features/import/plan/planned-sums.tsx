import type { Plan } from '@draftshelf/contract/push/plan';
import { Box, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { Moment } from '../../../ui/time.tsx';
import { CompositionProgress } from '../status/composition-bar.tsx';
import classes from './in-store.module.css';
import {
  beforeWords,
  comparisonSentence,
  doneWords,
  outcomesOf,
  type Piece,
  plannedSentence,
  verbs,
} from './plan-words.ts';

type OnShow = (view: string) => void;

/** How far a plan is, with sums that grow. */
export function PlanProgress({ plan }: { plan: Plan }) {
  const { done, total } = plan;
  const parts = outcomesOf(plan.sums);
  return (
    <div className={`row-wrap ${classes.line}`}>
      <Box w="12rem">
        <CompositionProgress
          label="Progress of the plan"
          value={total === 0 ? 0 : Math.floor((100 * done) / total)}
          parts={parts}
          total={total}
          piece="running"
        />
      </Box>
      <Text size="sm" className="numbers">
        {doneWords(plan)}
        {parts.map(({ kind, count }) => ` · ${verbs[kind]} ${formatCount(count)}`)}
      </Text>
    </div>
  );
}

type PlannedSumsProps = { plan: Plan; isHeld: boolean; onShow: OnShow };

/** What a push would do. Each number opens its list. A plan that is older than a change says so first. */
export function PlannedSums({ plan, isHeld, onShow }: PlannedSumsProps) {
  const pieces =
    outcomesOf(plan.sums).length === 0
      ? ['A push would do nothing: there are no products.']
      : plannedSentence(plan, isHeld);
  return <Sentence pieces={pieces} isOutdated={beforeWords(plan.outdated) !== null} onShow={onShow} />;
}

/** Whether a push did what was planned. Each number opens its list. */
export function PushComparison({ push, onShow }: { push: NonNullable<Plan['push']>; onShow: OnShow }) {
  return <Sentence pieces={comparisonSentence(push)} onShow={onShow} />;
}

type SentenceProps = { pieces: readonly Piece[]; isOutdated?: boolean; onShow: OnShow };

function Sentence({ pieces, isOutdated = false, onShow }: SentenceProps) {
  return (
    <Text size="sm" lh="26px" c={isOutdated ? 'dimmed' : undefined} className="break-words numbers">
      <Pieces pieces={pieces} onShow={onShow} />
    </Text>
  );
}

/** The pieces of a sentence. */
export function Pieces({ pieces, onShow }: Pick<SentenceProps, 'pieces' | 'onShow'>) {
  return pieces.map((piece, at) => {
    const key = `${at}`;
    if (typeof piece === 'string') return piece;
    if ('time' in piece) return <Moment key={key} time={piece.time} />;
    if ('view' in piece) {
      return (
        <ListButton key={key} view={piece.view} onShow={onShow}>
          {piece.words}
        </ListButton>
      );
    }
    return (
      <Text key={key} span inherit c="var(--text-warning)">
        {piece.warning}
      </Text>
    );
  });
}

type ListButtonProps = { view: string; onShow: OnShow; children: ReactNode };

/** Words with a number that open the list of its products. */
export function ListButton({ view, onShow, children }: ListButtonProps) {
  return (
    <UnstyledButton className={classes.number} onClick={() => onShow(view)}>
      {children}
    </UnstyledButton>
  );
}
