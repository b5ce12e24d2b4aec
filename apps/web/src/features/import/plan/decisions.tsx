import type { Plan } from '@draftshelf/contract/push/plan';
import { choiceLabel } from '@draftshelf/domain/push/choice-labels';
import { Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { choiceEffect, forAllWords, isOneQuestion } from './choice-words.ts';
import { useDecide } from './plan-api.ts';
import classes from './plan-list.module.css';
import { codeLabel, decisionsView } from './plan-words.ts';
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
  const deciding = useDecide(importId);
  return (
    <li>
      {decision.open > 0 && <OpenDecision {...{ decision, hasButtons, onShow, deciding }} />}
      {decision.choices.some(({ decided }) => decided > 0) && <MadeDecision {...{ decision, deciding }} />}
    </li>
  );
}

type Deciding = { deciding: ReturnType<typeof useDecide> };

/** The products that need the decision, and the choices. */
function OpenDecision(props: Omit<AboutAllProps, 'importId'> & Deciding) {
  const { decision, hasButtons, onShow, deciding } = props;
  const { about, open } = decision;
  const choices = decision.choices.filter(({ allowed }) => allowed > 0);
  const openWords = `${countOf(open, 'product')} ${codeLabel(about)}`;
  return (
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
          {choices.map(({ choice, allowed }) => (
            <ReasonedButton
              key={choice}
              size="compact-sm"
              variant="default"
              className="numbers"
              description={choiceEffect(about, choice)}
              reason={deciding.pending === choice ? null : deciding.reason}
              loading={deciding.pending === choice}
              onClick={() => deciding.decide({ about, choice })}
            >
              {forAllWords(about, { choice, allowed, open })}
            </ReasonedButton>
          ))}
        </div>
      )}
      <dl className={`flush quiet ${classes.effects} whole-line`}>
        {choices.map(({ choice }) => (
          <div key={choice}>
            <dt className="strong">{choiceLabel(about, choice)}:</dt> <dd>{choiceEffect(about, choice)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** How many products were decided in which way, and the button that takes that back. */
function MadeDecision({ decision: { about, choices }, deciding }: { decision: Decision } & Deciding) {
  const words = choices
    .filter(({ decided }) => decided > 0)
    .map(
      ({ choice, decided }) => `${choiceLabel(about, choice)}: ${formatCount(decided)} ${codeLabel(about)}`,
    );
  return (
    <div className={`row-wrap ${classes.decision}`}>
      <Text size="sm" className={`row-wrap numbers ${classes.made}`}>
        <IconCheck size={16} aria-hidden />
        {words.join(', ')}
      </Text>
      <ReasonedButton
        size="compact-sm"
        variant="subtle"
        aria-label={`Take back the decisions about products ${codeLabel(about)}`}
        reason={deciding.pending === 'none' ? null : deciding.reason}
        loading={deciding.pending === 'none'}
        onClick={() => deciding.decide({ about, choice: null })}
      >
        Take Back
      </ReasonedButton>
    </div>
  );
}
