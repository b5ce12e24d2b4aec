import { Suspense, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { countOf } from '../../lib/intl.ts';
import { lazily } from '../../lib/load-chunk.ts';

const Confirm = lazily(() => import('../../components/feedback/confirm.tsx').then((chunk) => chunk.Confirm));

/** Asks before the page is left with unsaved rows. */
export function UnsavedGuard({ unsaved }: { unsaved: number }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved > 0 && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (unsaved === 0) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Suspense fallback={null}>
      <Confirm
        opened
        title={`Discard ${countOf(unsaved, 'unsaved row')}?`}
        confirm="Discard Changes"
        keep="Keep Editing"
        onConfirm={blocker.proceed}
        onClose={blocker.reset}
      >
        What you have typed into {unsaved === 1 ? 'this row' : 'these rows'} hasn’t been saved.
      </Confirm>
    </Suspense>
  );
}
