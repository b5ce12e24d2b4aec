import type { PlannedProduct } from '@draftshelf/contract/push/plan';
import { choiceLabel } from '@draftshelf/domain/push/choice-labels';
import { Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useId } from 'react';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { choiceEffect } from './choice-words.ts';
import { useDecide } from './decisions.tsx';
import classes from './plan-list.module.css';

type LineChoicesProps = { importId: string; product: PlannedProduct; title: string };

/** What the operator decides about one product, and the way back. */
export function LineChoices(props: LineChoicesProps) {
  const { about, choices, choice } = props.product;
  const id = useId();
  if (about === null || choices.length === 0) return null;
  return (
    // The buttons give way to the decision, and the other way round.
    <div className={`row-wrap ${classes.choices}`} id={id} data-focus-next={`#${id} button`}>
      {choice === null ? (
        <OpenChoices {...props} about={about} />
      ) : (
        <MadeChoice {...props} words={choiceLabel(about, choice)} about={about} />
      )}
    </div>
  );
}

type AboutProps = LineChoicesProps & { about: NonNullable<PlannedProduct['about']> };

function OpenChoices({ importId, product: { product, choices }, about, title }: AboutProps) {
  const { decide, reason, pending } = useDecide(importId);
  return choices.map((one) => (
    <ReasonedButton
      key={one}
      size="compact-sm"
      variant="default"
      hint={choiceEffect(about, one)}
      aria-label={`${choiceLabel(about, one)}: ${title}`}
      reason={pending === one ? null : reason}
      loading={pending === one}
      onClick={() => decide({ about, choice: one, product })}
    >
      {choiceLabel(about, one)}
    </ReasonedButton>
  ));
}

function MadeChoice({ importId, product: { product }, about, title, words }: AboutProps & { words: string }) {
  const { decide, reason, pending } = useDecide(importId);
  return (
    <>
      <Text size="sm" className={`row-wrap ${classes.made}`}>
        <IconCheck size={16} aria-hidden /> Decided: {words}
      </Text>
      <ReasonedButton
        size="compact-sm"
        variant="subtle"
        aria-label={`Take back the decision about ${title}`}
        reason={pending === 'none' ? null : reason}
        loading={pending === 'none'}
        onClick={() => decide({ about, choice: null, product })}
      >
        Take Back
      </ReasonedButton>
    </>
  );
}
