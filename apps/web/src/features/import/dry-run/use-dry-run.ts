import type { DryRunResult } from '@draftshelf/contract/push/store';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { readWithRows } from '../imports-api.ts';
import { rowsPerPage } from '../rows-api.ts';
import type { DryRunProduct } from './posted-products.ts';

/**
 * Result of a dry run for one product, with its place among the first products; null for a product that is left out of
 * the push: without a variant there is nothing to check.
 */
export type ShownDryRun = { result: DryRunResult | null; products: readonly DryRunProduct[]; at: number };

/** Dry runs of an import's first products. Failures are shown as a notification. */
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
  const check = async (products: readonly DryRunProduct[], at: number): Promise<ShownDryRun> => {
    const product = products[at];
    if (!product) throw new Error('No CSV data available');
    if (product.isLeftOut) return { products, at, result: null };
    const { callDryRun } = await loadChunk(() => import('./dry-run-api.ts'));
    return { products, at, result: await callDryRun(product.posted) };
  };
  return {
    shown: run,
    isPending,
    start: () => attempt(async () => check(await readProducts(importId), 0)),
    show: (at: number) => run && attempt(() => check(run.products, at)),
    close: () => setRun(null),
  };
}

/** The first products of an import. Throws if it has no rows. */
async function readProducts(importId: string): Promise<DryRunProduct[]> {
  const record = await readWithRows(importId);
  if (!record.csvData || record.csvData.length === 0) throw new Error('No CSV data available');
  if (!record.processedData || record.processedData.length === 0)
    throw new Error('No processed data available');
  const page = await call('listRows', { params: { id: importId }, query: { limit: rowsPerPage } });
  const { postedProducts } = await loadChunk(() => import('./posted-products.ts'));
  return postedProducts(page.rows);
}
