import type { PlannedProduct } from '@draftshelf/contract/plan';
import { Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { choiceWords } from './choice-words.ts';
import { useDecide } from './decisions.tsx';
import classes from './plan-list.module.css';

type LineChoicesProps = { importId: string; product: PlannedProduct; title: string };

/** What the operator decides about one product, and the way back. */
export function LineChoices({
  importId,
  product: { product, about, choices, choice },
  title,
}: LineChoicesProps) {
  const { decide, reason, pending } = useDecide(importId);
  if (about === null || choices.length === 0) return null;
  if (choice !== null) {
    return (
      <div className={classes.choices}>
        <Text size="sm" className={classes.made}>
          <IconCheck size={16} aria-hidden /> Decided: {choiceWords(about, choice).label}
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
      </div>
    );
  }
  return (
    <div className={classes.choices}>
      {choices.map((one) => (
        <ReasonedButton
          key={one}
          size="compact-sm"
          variant="default"
          hint={choiceWords(about, one).does}
          aria-label={`${choiceWords(about, one).label}: ${title}`}
          reason={pending === one ? null : reason}
          loading={pending === one}
          onClick={() => decide({ about, choice: one, product })}
        >
          {choiceWords(about, one).label}
        </ReasonedButton>
      ))}
    </div>
  );
}
