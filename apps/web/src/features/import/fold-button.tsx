import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { Button } from '../../ui/button.tsx';
import classes from './import.module.css';

type FoldButtonProps = { isOpen: boolean; onTurn: (isOpen: boolean) => void; children: string };

/** Unfolds what belongs to a strip of the page, and folds it again. */
export function FoldButton({ isOpen, onTurn, children }: FoldButtonProps) {
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      className={classes.fold}
      aria-expanded={isOpen}
      rightSection={<Chevron size={14} aria-hidden />}
      onClick={() => onTurn(!isOpen)}
    >
      {children}
    </Button>
  );
}
