import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { tallDialogFoot } from '../../../ui/tall-dialog.ts';
import classes from './push-undo.module.css';

type ClosingFootProps = {
  onClose: () => void;
  /** Further buttons. */
  children?: ReactNode;
};

/** The foot of the dialog while there is no preview to carry out. */
export function ClosingFoot({ onClose, children }: ClosingFootProps) {
  return (
    <div className={tallDialogFoot}>
      <div className={`row-wrap ${classes.buttons}`}>
        <Button data-close variant="default" onClick={onClose}>
          Close
        </Button>
        {children}
      </div>
    </div>
  );
}
