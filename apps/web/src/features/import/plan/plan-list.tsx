import type { Plan } from '@draftshelf/contract/push/plan';
import { choiceLabel } from '@draftshelf/domain/push/push-choices';
import { Skeleton, Stack } from '@mantine/core';
import { capitalize, countOf, formatCount } from '../../../lib/intl.ts';
import { BodyText, ToggleButton } from '../../../ui/basics.tsx';
import { MoreButton, ReadFailure } from '../../../ui/feedback/read.tsx';
import { SmallHintedButton } from '../../../ui/hint.tsx';
import { useLastPresent } from '../../../ui/hooks.ts';
import { ViewDrawer } from '../../../ui/overlays.tsx';
import { type ColumnHead, Table, TableHead, TableRegion } from '../../../ui/table/record-table.tsx';
import type { ShownImport } from '../imports-api.ts';
import classes from './plan.module.css';
import { type PlanFilter, usePlanDecision, usePlannedProducts } from './plan-api.ts';
import { MadeDecision, PlanLine } from './plan-line.tsx';
import {
  announcePlanState,
  codeLabel,
  decideAllLabel,
  decisionsView,
  describeChoice,
  deviationWords,
  hasOneOpenProduct,
  listOutcomeCodes,
  parsePlanView,
  plannedOutcomes,
  plannedOutcomeWords,
  sumOutcome,
} from './plan-words.ts';
import { PlanListButton } from './planned-sums.tsx';

type PlanListProps = {
  record: ShownImport;
  plan: Plan;
  opened: boolean;
  view: string | null;
  onShow: (view: string | null) => void;
};

export function PlanList({ record, plan, opened, view, onShow }: PlanListProps) {
  const last = useLastPresent(view) ?? 'all';
  return (
    <ViewDrawer opened={opened} title="Plan of the push" width={1080} onClose={() => onShow(null)}>
      <Stack gap="sm">
        <PlanFilters plan={plan} view={last} onShow={onShow} />
        <Decisions
          importId={record.id}
          decisions={decisionsOf(plan, last)}
          onShow={last === decisionsView ? onShow : null}
        />
        <Products importId={record.id} plan={plan} filter={parsePlanView(last)} />
      </Stack>
    </ViewDrawer>
  );
}

function decisionsOf({ decisions, push }: Plan, view: string): readonly Decision[] {
  if (push !== null) return [];
  if (view === decisionsView) return decisions;
  const { code, about } = parsePlanView(view);
  return decisions.filter((decision) => decision.about === (about ?? code));
}

/** In a list of at most this many products, those that need a decision show all differences at first. */
const openedAtOnceMax = 3;

function Products({ importId, plan, filter }: { importId: string; plan: Plan; filter: PlanFilter }) {
  const pages = usePlannedProducts(importId, filter, plan.endedAt ?? plan.startedAt);
  if (pages.data === undefined) {
    if (!pages.isError) return <Skeleton height={320} aria-hidden />;
    return <ReadFailure what="the products" reads={[pages]} />;
  }
  const products = pages.data.pages.flatMap((page) => page.products);
  if (products.length === 0) {
    return <BodyText>{plan.state === 'running' ? announcePlanState(plan) : 'No products here.'}</BodyText>;
  }
  const isWhole = !pages.hasNextPage;
  const opensAtOnce = plan.push === null && isWhole && products.length <= openedAtOnceMax;
  return (
    <>
      <TableRegion label="Products of the plan">
        <Table
          isFixed
          className={classes.products}
          aria-label="Products of the plan"
          data-stale={pages.isPlaceholderData || undefined}
        >
          <TableHead columns={columns} />
          <tbody>
            {products.map((product) => (
              <PlanLine
                key={product.product}
                importId={importId}
                product={product}
                isOver={plan.push !== null}
                opensAtOnce={opensAtOnce && product.about !== null && product.choice === null}
              />
            ))}
          </tbody>
        </Table>
      </TableRegion>
      <MoreButton pages={pages} what="the products" />
    </>
  );
}

const columns: readonly ColumnHead[] = [
  { head: 'Product', width: classes.productColumn },
  { head: 'SKU', width: classes.skuColumn },
  { head: 'Push will', width: classes.outcomeColumn },
  { head: 'Before → after', label: 'Before → after, largest change first', sorted: 'descending' },
];

function PlanFilters({ plan, view, onShow }: { plan: Plan; view: string; onShow: (view: string) => void }) {
  const { outcomes, within } = createPlanChips(plan, view);
  const buttonOf = (chip: Chip) => (
    <ToggleButton
      key={chip.view}
      className="pill"
      isPressed={chip.isPressed}
      count={formatCount(chip.products)}
      onClick={() => onShow(chip.view)}
    >
      {chip.label}
    </ToggleButton>
  );
  return (
    <fieldset className={`stack ${classes.filters} flush`} aria-label="Filter products">
      <div className="row-wrap">{outcomes.map(buttonOf)}</div>
      {within.length > 0 && <div className="row-wrap">{within.map(buttonOf)}</div>}
    </fieldset>
  );
}

type Chip = { view: string; label: string; products: number; isPressed: boolean };

/** Returns chips by outcome and, in the open list, by code or reason. A second click on a code clears that code. */
export function createPlanChips(plan: Plan, view: string): { outcomes: Chip[]; within: Chip[] } {
  const [head = ''] = view.split(':');
  const { sums, push, needDecision, decisions } = plan;
  const isAsked = push === null && decisions.length > 0;
  const all = sums.reduce((sum, { products }) => sum + products, 0);
  const outcomes = plannedOutcomes.map((outcome) => ({
    view: outcome as string,
    label: plannedOutcomeWords[outcome],
    products: sumOutcome(sums, outcome),
  }));
  const others = push?.otherwise.reduce((sum, { products }) => sum + products, 0) ?? 0;
  const lists = [
    { view: 'all', label: 'All', products: all },
    ...outcomes,
    { view: decisionsView, label: 'Need a decision', products: isAsked ? needDecision : 0 },
    { view: 'otherwise', label: 'Not as planned', products: others },
  ];
  return {
    outcomes: lists
      .filter(({ view: to, products }) => products > 0 || to === head || (to === decisionsView && isAsked))
      .map((list) => ({ ...list, isPressed: list.view === head })),
    within: withinOf(plan, head).map((list) => {
      const isPressed = list.view === view;
      return { ...list, isPressed, view: isPressed ? head : list.view };
    }),
  };
}

function withinOf({ sums, push, decisions }: Plan, head: string): Omit<Chip, 'isPressed'>[] {
  if (head === decisionsView) {
    return decisions.map(({ about, open, choices }) => ({
      view: `${decisionsView}:${about}`,
      label: capitalize(codeLabel(about)),
      products: choices.reduce((sum, { decided }) => sum + decided, open),
    }));
  }
  if (head === 'otherwise') {
    return (push?.otherwise ?? []).map(({ reason, products }) => ({
      view: `otherwise:${reason}`,
      label: capitalize(deviationWords[reason]),
      products,
    }));
  }
  const outcome = plannedOutcomes.find((kind) => kind === head);
  if (outcome === undefined) return [];
  return listOutcomeCodes(sums, outcome).map(({ code, products }) => ({
    view: `${outcome}:${code}`,
    label: capitalize(codeLabel(code)),
    products,
  }));
}

type Decision = Plan['decisions'][number];

type DecisionsProps = {
  importId: string;
  decisions: readonly Decision[];
  /** Null while the open decisions are shown. */
  onShow: ((view: string) => void) | null;
};

const Decisions = ({ decisions, ...props }: DecisionsProps) =>
  decisions.length === 0 ? null : (
    <ul className="list stack" aria-label="Decisions">
      {decisions.map((decision) => (
        <DecisionAboutAll
          key={decision.about}
          {...{ ...props, decision }}
          hasButtons={!hasOneOpenProduct(decisions)}
        />
      ))}
    </ul>
  );

type AboutAllProps = Omit<DecisionsProps, 'decisions'> & {
  decision: Decision;
  /** False if only one product needs the decision, because its own line has the buttons. */
  hasButtons: boolean;
};

function DecisionAboutAll({ importId, decision, hasButtons, onShow }: AboutAllProps) {
  const deciding = usePlanDecision(importId);
  const { about, open } = decision;
  const allowed = decision.choices.filter((one) => one.allowed > 0);
  const made = decision.choices.filter(({ decided }) => decided > 0);
  const openWords = `${countOf(open, 'product')} ${codeLabel(about)}`;
  return (
    <li>
      {open > 0 && (
        <div className={`row-wrap ${classes.decision}`}>
          {onShow === null ? (
            <BodyText className="numbers">{openWords}</BodyText>
          ) : (
            <PlanListButton view={`${decisionsView}:${about}`} onShow={onShow}>
              {openWords}
            </PlanListButton>
          )}
          {hasButtons && (
            <div className="row-wrap">
              {allowed.map((one) => (
                <SmallHintedButton
                  key={one.choice}
                  className="numbers"
                  description={describeChoice(about, one.choice)}
                  reason={deciding.pending === one.choice ? null : deciding.reason}
                  loading={deciding.pending === one.choice}
                  onClick={() => deciding.decide({ about, choice: one.choice })}
                >
                  {decideAllLabel(about, { ...one, open })}
                </SmallHintedButton>
              ))}
            </div>
          )}
          <dl className={`flush quiet ${classes.effects} whole-line`}>
            {allowed.map(({ choice }) => (
              <div key={choice}>
                <dt className="strong">{choiceLabel(about, choice)}:</dt>{' '}
                <dd>{describeChoice(about, choice)}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      {made.length > 0 && (
        <div className={`row-wrap ${classes.decision}`}>
          <MadeDecision
            words={made
              .map(
                ({ choice, decided }) =>
                  `${choiceLabel(about, choice)}: ${formatCount(decided)} ${codeLabel(about)}`,
              )
              .join(', ')}
            takeBack={`Take back the decisions about products ${codeLabel(about)}`}
            deciding={deciding}
            onTakeBack={() => deciding.decide({ about, choice: null })}
          />
        </div>
      )}
    </li>
  );
}
