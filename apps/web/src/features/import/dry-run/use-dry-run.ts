import { useState } from 'react';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { dryRunAt, dryRunFirst, type ShownDryRun } from './dry-run-api.ts';

/** Dry runs of an import's first products, from the first that a push changes. Failures are shown as a notification. */
export function useDryRun(importId: string) {
  const [run, setRun] = useState<ShownDryRun | null>(null);
  const [isPending, setPending] = useState(false);
  const failure = useFailureToast();
  const attempt = async (next: () => Promise<ShownDryRun>) => {
    setPending(true);
    try {
      setRun(await next());
      failure.dismiss();
    } catch (error) {
      console.error('Draftshelf: Dry Run Failed', error);
      failure.show('Dry Run Failed', error instanceof Error ? error.message : String(error));
    } finally {
      setPending(false);
    }
  };
  return {
    shown: run,
    isPending,
    start: () => attempt(() => dryRunFirst(importId)),
    show: (at: number) => run && attempt(() => dryRunAt(run.products, at)),
    close: () => setRun(null),
  };
}
