import { Modal } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { Button, PlainButton } from '../basics.tsx';
import { useListener } from '../hooks.ts';
import classes from '../overlays.module.css';

type ConfirmProps = {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirm: string;
  keep: string;
  onConfirm: () => void;
  /** Called when the button `keep` is clicked. The dialog closes in any case. */
  onKeep?: () => void;
  onClose: () => void;
};

/** Replaces the role `dialog`, which Mantine gives each Modal. */
const asAlert = (content: HTMLElement | null) => content?.setAttribute('role', 'alertdialog');
/** Keeps Esc in this dialog, so that the dialogs below stay open. */
const ownEscape = { 'data-mantine-stop-propagation': true };
/** Keeps the focus in the dialog on a click outside. Otherwise Esc would close the dialog below. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** A question before an action. A click outside does nothing; Esc closes the dialog without the action. */
export function ConfirmDialog({ opened, title, children, ...answers }: ConfirmProps) {
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
      // Set on the Root, because Modal.Content ignores this prop.
      onKeyDown={closeOnEscape}
      transitionProps={{ duration: 120, exitDuration: 0 }}
    >
      <Modal.Overlay onMouseDown={keepFocus} />
      <Modal.Content ref={asAlert} className="pad" {...ownEscape}>
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

type AskedProps = Omit<ConfirmProps, 'opened' | 'onClose'> & { button: (ask: () => void) => ReactNode };

/** A button whose action is confirmed first. */
export function ConfirmedButton({ button, ...question }: AskedProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      {button(() => setOpened(true))}
      <ConfirmDialog {...question} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

type LeaveGuardProps = {
  isDirty: boolean;
  title: string;
  children: ReactNode;
  /** Whether a change of the address's query also counts as leaving. */
  ofAddress?: boolean;
};

export function LeaveGuard({ isDirty, title, children, ofAddress = false }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isDirty && (from.pathname !== to.pathname || (ofAddress && from.search !== to.search)),
  );
  useListener('window', 'beforeunload', (event) => event.preventDefault(), { isOn: isDirty });
  // True once the operator has confirmed. The dialog then also calls `onClose`, which must not stop the navigation.
  const isLeaving = useRef(false);
  useEffect(() => {
    if (blocker.state === 'unblocked') isLeaving.current = false;
    // If the changes are saved while the question is open, the navigation continues.
    else if (!isDirty) blocker.proceed?.();
  }, [blocker, isDirty]);
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      title={title}
      confirm="Discard Changes"
      keep="Keep Editing"
      onConfirm={() => {
        isLeaving.current = true;
        blocker.proceed?.();
      }}
      onClose={() => {
        if (!isLeaving.current) blocker.reset?.();
      }}
    >
      {children}
    </ConfirmDialog>
  );
}
