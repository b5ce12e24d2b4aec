import { type ReactNode, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { useListener } from '../hooks/use-listener.ts';
import { Confirm } from './confirm.tsx';

type LeaveGuardProps = {
  isDirty: boolean;
  title: string;
  children: ReactNode;
  /** The changes belong to the whole address: its query is what is edited. */
  ofAddress?: boolean;
};

/** Asks before unsaved changes are lost, by leaving the screen or the page. */
export function LeaveGuard({ isDirty, title, children, ofAddress = false }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isDirty && (from.pathname !== to.pathname || (ofAddress && from.search !== to.search)),
  );
  useListener('window', 'beforeunload', (event) => event.preventDefault(), { isOn: isDirty });
  // The question also closes when it is answered with yes, which must not block the way again: one step back in the
  // browser's history begins only later.
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
