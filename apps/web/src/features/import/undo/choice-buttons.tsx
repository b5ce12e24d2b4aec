import type { UndoChoice } from '@draftshelf/domain/push/push-undo';
import { useId } from 'react';
import { Button } from '../../../ui/button.tsx';
import classes from './push-undo.module.css';

const choiceWords: Record<UndoChoice, string> = {
  keep: 'Keep',
  archive: 'Archive',
  delete: 'Delete Anyway',
};

type ChoiceButtonsProps = {
  /** The products that the choice is about. */
  label: string;
  choices: readonly UndoChoice[];
  /** The current action, by a choice or by default. */
  current: UndoChoice | null;
  /** The operator has made a choice, so there is one to take back. */
  isMade: boolean;
  isBusy: boolean;
  onChoose: (choice: UndoChoice | null) => void;
};

/** The choices about products that would be kept. */
export function ChoiceButtons({ label, choices, current, isMade, isBusy, onChoose }: ChoiceButtonsProps) {
  const id = useId();
  return (
    <fieldset
      className={`row-wrap ${classes.choices}`}
      aria-label={label}
      id={id}
      data-focus-next={`#${id} button`}
    >
      {choices.map((choice) => (
        <Button
          key={choice}
          size="compact-sm"
          variant={choice === current ? 'light' : 'default'}
          {...(choice === 'delete' && choice === current && { color: 'red' })}
          aria-pressed={choice === current}
          busy={isBusy}
          onClick={() => onChoose(choice)}
        >
          {choiceWords[choice]}
        </Button>
      ))}
      {isMade && (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`Take Back: ${label}`}
          busy={isBusy}
          onClick={() => onChoose(null)}
        >
          Take Back
        </Button>
      )}
    </fieldset>
  );
}
