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
  /** For a `keep` button that says more than closing the dialog. It also closes it. */
  onKeep?: () => void;
  onClose: () => void;
};

/** Mantine gives every Modal the role of a dialog. */
const asAlert = (content: HTMLElement | null) => content?.setAttribute('role', 'alertdialog');
/** Esc must not also close dialogs below. */
const ownEscape = { 'data-mantine-stop-propagation': true };
/** Esc after a click outside would close the dialog below. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

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
      // Not on the content, which drops it.
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
export function Asked({ button, ...question }: AskedProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      {button(() => setOpened(true))}
      <Confirm {...question} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

type LeaveGuardProps = {
  isDirty: boolean;
  title: string;
  children: ReactNode;
  /** The query is edited too. */
  ofAddress?: boolean;
};

export function LeaveGuard({ isDirty, title, children, ofAddress = false }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isDirty && (from.pathname !== to.pathname || (ofAddress && from.search !== to.search)),
  );
  useListener('window', 'beforeunload', (event) => event.preventDefault(), { isOn: isDirty });
  // It also closes on yes, which must not block the way: a step back in the history begins later.
  const isLeaving = useRef(false);
  useEffect(() => {
    if (blocker.state === 'unblocked') isLeaving.current = false;
    // The changes were being saved.
    else if (!isDirty) blocker.proceed?.();
  }, [blocker, isDirty]);
  return (
    <Confirm
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
    </Confirm>
  );
}
