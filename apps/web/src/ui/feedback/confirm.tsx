import { Modal } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { Button, PlainButton } from '../button.tsx';
import classes from '../overlays.module.css';

type ConfirmProps = {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirm: string;
  keep: string;
  onConfirm: () => void;
  /** For a `keep` button that says more than closing the dialog. It also closes it. */
  onKeep?: () => void;
  onClose: () => void;
};

/** Mantine gives every Modal the role of a dialog. */
const asAlert = (content: HTMLElement | null) => content?.setAttribute('role', 'alertdialog');
/** Esc must not also close dialogs below. */
const ownEscape = { 'data-mantine-stop-propagation': true };

/** A click outside does nothing; Esc closes it without the action. */
export function Confirm({ opened, title, children, ...answers }: ConfirmProps) {
  const { confirm, keep, onConfirm, onKeep, onClose } = answers;
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  const answer = (act: (() => void) | undefined) => () => {
    act?.();
    onClose();
  };
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      centered
      size="27.5rem"
      zIndex="calc(var(--mantine-z-index-modal) + 1)"
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 120, exitDuration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content ref={asAlert} className="pad" onKeyDown={closeOnEscape} {...ownEscape}>
        <Modal.Title className="flush">{title}</Modal.Title>
        <Modal.Body className={classes.text}>{children}</Modal.Body>
        <div className={`${classes.actions} flex gap-xs end wrap`}>
          <PlainButton data-autofocus onClick={answer(onKeep)} {...ownEscape}>
            {keep}
          </PlainButton>
          <Button color="red" onClick={answer(onConfirm)} {...ownEscape}>
            {confirm}
          </Button>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
