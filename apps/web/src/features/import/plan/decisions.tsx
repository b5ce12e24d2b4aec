import type { Plan } from '@draftshelf/contract/push/plan';
import { choiceLabel } from '@draftshelf/domain/push/choice-labels';
import type { PushChoice } from '@draftshelf/domain/push/push-choices';
import { Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Fragment } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { choiceEffect, forAllWords, isOneQuestion } from './choice-words.ts';
import classes from './plan-list.module.css';
import { codeLabel, decisionsView } from './plan-words.ts';
import { useChoice } from './planned-products-api.ts';
import { ListButton } from './planned-sums.tsx';

export type Decision = Plan['decisions'][number];

type DecisionsProps = {
  importId: string;
  decisions: readonly Decision[];
  /** Opens the list of the products that wait for a decision; null: it is open. */
  onShow: ((view: string) => void) | null;
};

/** Decisions about many products at once: open decisions, and decisions that were made. */
export function Decisions({ importId, decisions, onShow }: DecisionsProps) {
  if (decisions.length === 0) return null;
  return (
    <ul className="list stack" aria-label="Decisions">
      {decisions.map((decision) => (
        <DecisionAboutAll
          key={decision.about}
          importId={importId}
          decision={decision}
          hasButtons={!isOneQuestion(decisions)}
          onShow={onShow}
        />
      ))}
    </ul>
  );
}

type AboutAllProps = Omit<DecisionsProps, 'decisions'> & {
  decision: Decision;
  /** False: the only product has the buttons in its own line. */
  hasButtons: boolean;
};

function DecisionAboutAll({ importId, decision, hasButtons, onShow }: AboutAllProps) {
  const { about, open, choices } = decision;
  const allowing = choices.filter(({ allowed }) => allowed > 0);
  const madeChoices = choices.filter(({ decided }) => decided > 0);
  const { decide, reason, pending } = useDecide(importId);
  const decideAll = (choice: PushChoice | null) => decide({ about, choice });
  const openWords = `${countOf(open, 'product')} ${codeLabel(about)}`;
  return (
    <li>
      {open > 0 && (
        <div className={`row-wrap ${classes.decision}`}>
          {onShow === null ? (
            <Text size="sm" className="numbers">
              {openWords}
            </Text>
          ) : (
            <ListButton view={`${decisionsView}:${about}`} onShow={onShow}>
              {openWords}
            </ListButton>
          )}
          {hasButtons && (
            <div className="row-wrap">
              {allowing.map(({ choice, allowed }) => (
                <ReasonedButton
                  key={choice}
                  size="compact-sm"
                  variant="default"
                  className="numbers"
                  description={choiceEffect(about, choice)}
                  reason={pending === choice ? null : reason}
                  loading={pending === choice}
                  onClick={() => decideAll(choice)}
                >
                  {forAllWords(about, { choice, allowed, open })}
                </ReasonedButton>
              ))}
            </div>
          )}
          <dl className={`flush quiet ${classes.effects}`}>
            {allowing.map(({ choice }) => (
              <div key={choice}>
                <dt className="strong">{choiceLabel(about, choice)}:</dt>{' '}
                <dd>{choiceEffect(about, choice)}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      {madeChoices.length > 0 && (
        <div className={`row-wrap ${classes.decision}`}>
          <Text size="sm" className={`row-wrap numbers ${classes.made}`}>
            <IconCheck size={16} aria-hidden />
            {madeChoices.map(({ choice, decided }, at) => (
              <Fragment key={choice}>
                {at > 0 && ', '}
                {choiceLabel(about, choice)}: {formatCount(decided)} {codeLabel(about)}
              </Fragment>
            ))}
          </Text>
          <ReasonedButton
            size="compact-sm"
            variant="subtle"
            aria-label={`Take back the decisions about products ${codeLabel(about)}`}
            reason={pending === 'none' ? null : reason}
            loading={pending === 'none'}
            onClick={() => decideAll(null)}
          >
            Take Back
          </ReasonedButton>
        </div>
      )}
    </li>
  );
}

type Call = Parameters<ReturnType<typeof useChoice>['mutate']>[0];

/** Makes a decision. `pending`: the choice that is being saved, 'none' while a decision is taken back. */
export function useDecide(importId: string) {
  const { mutate, isPending, variables } = useChoice(importId);
  const failure = useFailureToast();
  const decide = (call: Call) =>
    mutate(call, {
      onSuccess: failure.dismiss,
      onError: (error) => failure.show('Couldn’t save the decision', error.message),
    });
  return {
    decide,
    pending: isPending ? (variables.choice ?? 'none') : null,
    reason: isPending ? 'Saving…' : null,
  };
}
