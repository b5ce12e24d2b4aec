import { Text } from '@mantine/core';
import { Suspense, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { lazily } from '../../lib/load-chunk.ts';

const Confirm = lazily(() => import('../../components/feedback/confirm.tsx').then((chunk) => chunk.Confirm));

/** Asks before unsaved changes are lost, by leaving the screen or the page. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Suspense fallback={null}>
      <Confirm
        opened
        title="Discard unsaved changes?"
        confirm="Discard Changes"
        keep="Keep Editing"
        onConfirm={() => blocker.proceed()}
        onClose={() => blocker.reset()}
      >
        <Text size="sm">Your changes to the settings haven’t been saved.</Text>
      </Confirm>
    </Suspense>
  );
}
