import { Button } from '@mantine/core';
import { Suspense, useRef } from 'react';
import { lazily } from '../../lib/load-chunk.ts';
import { useDryRun } from './use-dry-run.ts';

const DryRunDialog = lazily(() => import('./dry-run-dialog.tsx').then((chunk) => chunk.DryRunDialog));

/** Dry Run: says what would be sent to the store for the first products of an import, and writes nothing. */
export function DryRunButton({ importId, disabled = false }: { importId: string; disabled?: boolean }) {
  const dryRun = useDryRun(importId);
  const opened = useRef(false);
  if (dryRun.shown) opened.current = true;
  return (
    <>
      <Button
        variant="default"
        loading={dryRun.isPending && !dryRun.shown}
        disabled={disabled}
        onClick={dryRun.start}
      >
        Dry Run
      </Button>
      {opened.current && (
        <Suspense fallback={null}>
          <DryRunDialog
            shown={dryRun.shown}
            isPending={dryRun.isPending}
            onShow={dryRun.show}
            onClose={dryRun.close}
          />
        </Suspense>
      )}
    </>
  );
}
