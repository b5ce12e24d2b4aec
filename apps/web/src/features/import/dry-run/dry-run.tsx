import { Suspense, useRef } from 'react';
import { lazily } from '../../../lib/load-chunk.ts';
import type { useDryRun } from './use-dry-run.ts';

const DryRunDialog = lazily(() => import('./dry-run-dialog.tsx').then((chunk) => chunk.DryRunDialog));

/** The result of a dry run, over the screen. Its chunk loads with the first result. */
export function DryRun({ dryRun }: { dryRun: ReturnType<typeof useDryRun> }) {
  const opened = useRef(false);
  if (dryRun.shown) opened.current = true;
  if (!opened.current) return null;
  return (
    <Suspense fallback={null}>
      <DryRunDialog
        shown={dryRun.shown}
        isPending={dryRun.isPending}
        onShow={dryRun.show}
        onClose={dryRun.close}
      />
    </Suspense>
  );
}
