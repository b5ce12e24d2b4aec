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
  /** What is chosen for. */
  label: string;
  choices: readonly UndoChoice[];
  /** What is done now, by a choice or without one. */
  chosen: UndoChoice | null;
  /** A choice was made, which can be taken back. */
  isMade: boolean;
  isBusy: boolean;
  onChoose: (choice: UndoChoice | null) => void;
};

/** What is done with products that would be kept. */
export function ChoiceButtons({ label, choices, chosen, isMade, isBusy, onChoose }: ChoiceButtonsProps) {
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
          variant={choice === chosen ? 'light' : 'default'}
          {...(choice === 'delete' && choice === chosen && { color: 'red' })}
          aria-pressed={choice === chosen}
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
