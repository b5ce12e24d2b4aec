import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Button } from '../../../ui/button.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import classes from './product-dialog.module.css';
import type { Direction } from './products-api.ts';
import type { ProductForm } from './use-product-form.ts';

type DialogFooterProps = {
  form: ProductForm;
  onProblem: (direction: Direction) => void;
  onCancel: () => void;
  onSave: () => void;
  onSaveAndNext: () => void;
};

export function DialogFooter({ form, onProblem, onCancel, onSave, onSaveAndNext }: DialogFooterProps) {
  const isUndecided = Object.keys(form.theirs).length > 0;
  const blocked = form.lock ?? (isUndecided ? 'First choose which values to keep.' : null);
  return (
    <div className={`row-wrap ${classes.buttons}`}>
      <Button
        variant="subtle"
        leftSection={<IconChevronLeft size={16} aria-hidden />}
        onClick={() => onProblem('previous')}
      >
        Previous Problem
      </Button>
      <Button
        variant="subtle"
        rightSection={<IconChevronRight size={16} aria-hidden />}
        onClick={() => onProblem('next')}
      >
        Next Problem
      </Button>
      <span className={classes.space} />
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <ReasonedButton variant="default" reason={blocked} onClick={onSave}>
        Save
      </ReasonedButton>
      <ReasonedButton reason={blocked} loading={form.saving} onClick={onSaveAndNext}>
        Save & Next
      </ReasonedButton>
    </div>
  );
}
