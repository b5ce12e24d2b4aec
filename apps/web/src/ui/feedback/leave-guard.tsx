import { type ReactNode, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { useListener } from '../hooks/use-listener.ts';
import { Confirm } from './confirm.tsx';

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
