import type { DryRunResult } from '@draftshelf/contract/push/store';
import { useState } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import type { DryRunProduct } from './posted-products.ts';

/**
 * Result of a dry run for one product, with its place among the first products; null for a product that is left out of
 * the push: without a variant there is nothing to check.
 */
export type ShownDryRun = { result: DryRunResult | null; products: readonly DryRunProduct[]; at: number };

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
  const load = () => loadChunk(() => import('./dry-run-api.ts'));
  return {
    shown: run,
    isPending,
    start: () => attempt(async () => (await load()).dryRunFirst(importId)),
    show: (at: number) => run && attempt(async () => (await load()).dryRunAt(run.products, at)),
    close: () => setRun(null),
  };
}
