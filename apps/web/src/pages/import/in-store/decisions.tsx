import type { Plan } from '@draftshelf/contract/plan';
import { choicesAbout, type PushChoice } from '@draftshelf/domain/push-choices';
import { Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Fragment, useRef, useState } from 'react';
import { useChoice } from '../../../api/planned-products.ts';
import { useFailureToast } from '../../../components/feedback/toast.tsx';
import { useKeptFocus } from '../../../components/proposals/use-kept-focus.ts';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { choiceWords, forAllWords, partlyWords } from './choice-words.ts';
import { ListButton } from './list-button.tsx';
import classes from './plan-list.module.css';
import { codeLabel, decisionsView } from './plan-words.ts';

export type Decision = Plan['decisions'][number];

type DecisionsProps = {
  importId: string;
  decisions: readonly Decision[];
  /** Opens the list of the products that wait for a decision; null: it is open. */
  onShow: ((view: string) => void) | null;
};

/** Decisions about many products at once: those that wait, and those that are made. */
export function Decisions({ importId, decisions, onShow }: DecisionsProps) {
  const shown = decisions.filter(({ open, made }) => open > 0 || made.length > 0);
  if (shown.length === 0) return null;
  return (
    <ul className={classes.decisions} aria-label="Decisions">
      {shown.map((decision) => (
        <DecisionAboutAll key={decision.about} importId={importId} decision={decision} onShow={onShow} />
      ))}
    </ul>
  );
}

type AboutAllProps = Omit<DecisionsProps, 'decisions'> & { decision: Decision };

function DecisionAboutAll({ importId, decision, onShow }: AboutAllProps) {
  const { about, open, made } = decision;
  const { decide, reason, pending } = useDecide(importId);
  const [partly, setPartly] = useState<string | null>(null);
  const decideAll = (choice: PushChoice | null) => {
    setPartly(null);
    decide({ about, choice }, (decided) => setPartly(choice === null ? null : partlyWords(decided, open)));
  };
  const openWords = `${countOf(open, 'product')} ${codeLabel(about)}`;
  const element = useRef<HTMLLIElement>(null);
  const focus = useKeptFocus(() => element.current?.querySelector('button') ?? null);
  return (
    <li ref={element} {...focus}>
      {open > 0 && (
        <div className={classes.decision}>
          {onShow === null ? (
            <Text size="sm" className="numbers">
              {openWords}
            </Text>
          ) : (
            <ListButton view={`${decisionsView}:${about}`} onShow={onShow}>
              {openWords}
            </ListButton>
          )}
          <div className={classes.choices}>
            {choicesAbout[about].map((choice) => (
              <ReasonedButton
                key={choice}
                size="compact-sm"
                variant="default"
                className="numbers"
                hint={choiceWords(about, choice).does}
                reason={pending === choice ? null : reason}
                loading={pending === choice}
                onClick={() => decideAll(choice)}
              >
                {open === 1
                  ? choiceWords(about, choice).label
                  : forAllWords(about, choice, formatCount(open))}
              </ReasonedButton>
            ))}
          </div>
        </div>
      )}
      {made.length > 0 && (
        <div className={classes.decision}>
          <Text size="sm" className={`${classes.made} numbers`}>
            <IconCheck size={16} aria-hidden />
            {made.map(({ choice, products }, at) => (
              <Fragment key={choice}>
                {at > 0 && ', '}
                {choiceWords(about, choice).label}: {formatCount(products)} {codeLabel(about)}
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
      <Text size="sm" className="numbers" role="status">
        {partly}
      </Text>
    </li>
  );
}

type Call = Parameters<ReturnType<typeof useChoice>['mutate']>[0];

/** Makes a decision. `pending`: the choice that is being saved, 'none' for one that is taken back. */
export function useDecide(importId: string) {
  const { mutate, isPending, variables } = useChoice(importId);
  const failure = useFailureToast();
  const decide = (call: Call, onDecided?: (products: number) => void) =>
    mutate(call, {
      onSuccess: ({ decided }) => {
        failure.dismiss();
        onDecided?.(decided);
      },
      onError: (error) => failure.show('Couldn’t Save the Decision', error.message),
    });
  return {
    decide,
    pending: isPending ? (variables.choice ?? 'none') : null,
    reason: isPending ? 'This decision is being saved.' : null,
  };
}
