import type { ImportReport } from '@draftshelf/contract/imports/report';
import { Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { addressNow } from '../../../lib/address-now.ts';
import { lazily } from '../../../lib/load-chunk.ts';

const ReportDrawer = lazily(() => import('./report-drawer.tsx').then((chunk) => chunk.ReportDrawer));

type ReportInUrlProps = {
  /** Starts an action on the import. */
  onAction: (action: 'retry' | 'push', report: ImportReport) => void;
  /** Called when a report opens. It must not change between renders. */
  onOpen?: () => void;
};

/** The report of the import that the URL names (`?report=`), over the screen. */
export function ReportInUrl({ onAction, onOpen }: ReportInUrlProps) {
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
    onOpen?.();
  }, [wanted, onOpen]);
  if (shown === null) return null;
  const close = () => {
    const rest = addressNow();
    rest.delete('report');
    setSearch(rest, { replace: true, preventScrollReset: true });
  };
  return (
    <Suspense fallback={null}>
      <ReportDrawer
        importId={shown}
        opened={wanted !== null}
        onClose={close}
        onClosed={() => opener.current instanceof HTMLElement && opener.current.focus()}
        onAction={(action, report) => {
          onAction(action, report);
          close();
        }}
      />
    </Suspense>
  );
}
