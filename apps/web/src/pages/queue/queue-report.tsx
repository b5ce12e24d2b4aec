import { Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { lazily } from '../../lib/load-chunk.ts';
import type { useQueueCalls } from './queue-calls.ts';

const ReportDrawer = lazily(() =>
  import('../../components/report/report-drawer.tsx').then((chunk) => chunk.ReportDrawer),
);

/** The report of the import that the URL names, over the queue. */
export function QueueReport({ calls: { run, dismissReport } }: { calls: ReturnType<typeof useQueueCalls> }) {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('report');
  // Stays mounted once opened, so that it can close with its transition.
  const [shown, setShown] = useState(wanted);
  if (wanted !== null && wanted !== shown) setShown(wanted);
  // The drawer cannot know its opener: its chunk loads after the click.
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (wanted === null) return;
    opener.current = document.activeElement;
    dismissReport();
  }, [wanted, dismissReport]);
  if (shown === null) return null;
  const close = () => {
    const rest = new URLSearchParams(search);
    rest.delete('report');
    setSearch(rest, { replace: true });
  };
  return (
    <Suspense fallback={null}>
      <ReportDrawer
        importId={shown}
        opened={wanted !== null}
        onClose={close}
        onClosed={() => opener.current instanceof HTMLElement && opener.current.focus()}
        onAction={(action, report) => {
          run(report, action);
          close();
        }}
      />
    </Suspense>
  );
}
