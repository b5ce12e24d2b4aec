import type { Plan } from '@draftshelf/contract/push/plan';
import { Box, Text, UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Moment } from '../../../ui/time.tsx';
import { CompositionProgress } from '../cells/composition-bar.tsx';
import classes from './in-store.module.css';
import {
  beforeWords,
  countOfOutcome,
  decisionsView,
  doneWords,
  openWords,
  otherwiseWords,
  plannedOutcomes,
} from './plan-words.ts';

type OnShow = (view: string) => void;

const sentence = { size: 'sm', lh: '26px', className: 'break-words numbers' } as const;

const partsOf = ({ sums }: Plan) =>
  plannedOutcomes
    .map((kind) => ({ kind, count: countOfOutcome(sums, kind) }))
    .filter(({ count }) => count > 0);

/** How far a plan is, with sums that grow. */
export function PlanProgress({ plan }: { plan: Plan }) {
  const { done, total } = plan;
  const parts = partsOf(plan);
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

const verbs = { created: 'create', updated: 'update', unchanged: 'leave', skipped: 'skip' } as const;

/**
 * 'A push would create 2,940, update 48, leave 12 as they are and skip 31 (2 of them need your decision).' Each number
 * opens its list. Once something was decided, what still needs a decision need not be among what was skipped. `isHeld`:
 * the import is held back because of its currency. A plan that is older than a change says so first: 'Plan of 9:18 PM,
 * before 3 rows were edited: create 50 products and skip 3.'
 */
export function PlannedSums({ plan, isHeld, onShow }: PlannedSumsProps) {
  const parts = partsOf(plan);
  const before = beforeWords(plan.outdated);
  const isAmongSkipped = plan.needDecision > 0 && plan.decidedSince === 0;
  if (parts.length === 0) return <Text size="sm">A push would do nothing: there are no products.</Text>;
  return (
    <Text {...sentence} c={before === null ? undefined : 'dimmed'}>
      {before === null ? (
        isHeld ? (
          'Held back. If you send its prices as they are, a push would'
        ) : (
          'A push would'
        )
      ) : (
        <>
          {isHeld && 'Held back. '}Plan{plan.endedAt !== null && <> of {<Moment time={plan.endedAt} />}</>},{' '}
          <Text span inherit c="var(--text-warning)">
            {before}
          </Text>
          :
        </>
      )}{' '}
      {parts.map(({ kind, count }, at) => (
        <Fragment key={kind}>
          {at > 0 && (at === parts.length - 1 ? ' and ' : ', ')}
          {verbs[kind]}{' '}
          <ListButton view={kind} onShow={onShow}>
            {at === 0 ? countOf(count, 'product') : formatCount(count)}
          </ListButton>
          {kind === 'unchanged' && (count === 1 ? ' as it is' : ' as they are')}
          {kind === 'skipped' && isAmongSkipped && (
            <>
              {' ('}
              <ListButton view={decisionsView} onShow={onShow}>
                {openWords(plan.needDecision, count)}
              </ListButton>
              )
            </>
          )}
        </Fragment>
      ))}
      .
      {plan.needDecision > 0 && !isAmongSkipped && (
        <>
          {' '}
          <ListButton view={decisionsView} onShow={onShow}>
            {countOf(plan.needDecision, 'needs your decision', 'need your decision')}
          </ListButton>
          .
        </>
      )}
      {plan.decided > 0 && (
        <>
          {' '}
          <ListButton view={decisionsView} onShow={onShow}>
            {formatCount(plan.decided)} decided
          </ListButton>
          .
        </>
      )}
      {plan.decidedSince > 0 && ' Decided since: plan again to count them.'}
    </Text>
  );
}

/** '3,024 as planned, 7 otherwise: 5 different in the store, 2 edited since.' Each number opens its list. */
export function PushComparison({ push, onShow }: { push: NonNullable<Plan['push']>; onShow: OnShow }) {
  const others = push.otherwise.reduce((sum, { products }) => sum + products, 0);
  return (
    <Text {...sentence}>
      The push went:{' '}
      <ListButton view="all" onShow={onShow}>
        {countOf(push.asPlanned, 'product')} as planned
      </ListButton>
      {others > 0 && (
        <>
          ,{' '}
          <ListButton view="otherwise" onShow={onShow}>
            {formatCount(others)} otherwise
          </ListButton>
          :{' '}
          {push.otherwise.map(({ reason, products }, at) => (
            <Fragment key={reason}>
              {at > 0 && ', '}
              <ListButton view={`otherwise:${reason}`} onShow={onShow}>
                {formatCount(products)} {otherwiseWords[reason]}
              </ListButton>
            </Fragment>
          ))}
        </>
      )}
      .
    </Text>
  );
}

type ListButtonProps = { view: string; onShow: (view: string) => void; children: ReactNode };

/** Words with a number that open the list of its products. */
export function ListButton({ view, onShow, children }: ListButtonProps) {
  return (
    <UnstyledButton className={classes.number} onClick={() => onShow(view)}>
      {children}
    </UnstyledButton>
  );
}
