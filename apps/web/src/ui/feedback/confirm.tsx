import { AlertDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { Button } from '../button.tsx';
import classes from './confirm.module.css';

type ConfirmProps = {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** The label of the button that confirms. */
  confirm: string;
  /** The label of the button that does not confirm. */
  keep: string;
  onConfirm: () => void;
  /** The button `keep` was pressed, where that says more than closing the dialog. It closes, too. */
  onKeep?: () => void;
  onClose: () => void;
};

/**
 * Asks for confirmation of an action that cannot be undone. Mantine has no alert dialog, so this one is Radix's: a
 * click outside does nothing, Esc closes it without the action.
 */
export function Confirm({
  opened,
  title,
  children,
  confirm,
  keep,
  onConfirm,
  onKeep,
  onClose,
}: ConfirmProps) {
  const opener = useRef<Element | null>(null);
  return (
    <AlertDialog.Root open={opened} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={classes.overlay} />
        <AlertDialog.Content
          className={classes.dialog}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            // Radix would focus its own trigger, and there is none.
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
        >
          <AlertDialog.Title className={classes.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className={classes.text}>{children}</div>
          </AlertDialog.Description>
          <div className={classes.actions}>
            <AlertDialog.Cancel asChild>
              <Button variant="default" onClick={onKeep}>
                {keep}
              </Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button color="red" onClick={onConfirm}>
                {confirm}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
