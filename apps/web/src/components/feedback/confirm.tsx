import { Button } from '@mantine/core';
import { AlertDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import classes from './confirm.module.css';

type ConfirmProps = {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** What the button does, in its words. */
  confirm: string;
  /** The label of the button that changes nothing. */
  keep: string;
  onConfirm: () => void;
  onClose: () => void;
};

/**
 * Asks before what cannot be taken back, in an alert dialog (decision D19), which Mantine has none of. A click beside
 * it answers nothing; Esc keeps things as they are.
 */
export function Confirm({ opened, title, children, confirm, keep, onConfirm, onClose }: ConfirmProps) {
  const asker = useRef<Element | null>(null);
  return (
    <AlertDialog.Root open={opened} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={classes.overlay} />
        <AlertDialog.Content
          className={classes.dialog}
          onOpenAutoFocus={() => {
            asker.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            // Radix would look for a trigger of its own.
            event.preventDefault();
            if (asker.current instanceof HTMLElement) asker.current.focus();
          }}
        >
          <AlertDialog.Title className={classes.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className={classes.text}>{children}</div>
          </AlertDialog.Description>
          <div className={classes.actions}>
            <AlertDialog.Cancel asChild>
              <Button variant="default">{keep}</Button>
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
