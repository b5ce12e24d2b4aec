import type { UndoChoice } from '@draftshelf/domain/push-undo';
import { Button } from '../../../components/button.tsx';
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
  chosen: UndoChoice | null;
  isBusy: boolean;
  onChoose: (choice: UndoChoice) => void;
};

/** What is done with products that would be kept. */
export function ChoiceButtons({ label, choices, chosen, isBusy, onChoose }: ChoiceButtonsProps) {
  return (
    <fieldset className={classes.choices} aria-label={label}>
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
    </fieldset>
  );
}
