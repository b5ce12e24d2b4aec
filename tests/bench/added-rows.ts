import { randomUUID } from 'node:crypto';
import type { BenchStack } from './bench-stack.ts';
import { callApi } from './call-api.ts';
import { median, percentile } from './figures.ts';

const products = 100;

/**
 * Adds products of the scanner's library to an import, one after the other, and prints how long that takes: with SKUs
 * that the trigram index finds, and with 'VA-1' and others that it cannot find.
 */
export async function measureAdding(stack: BenchStack, importId: string): Promise<void> {
  await measureSkus(stack, importId, 'a scanned product', (nth) => `SCAN-${nth}`);
  await measureSkus(stack, importId, 'one with the SKU VA-1 …', (nth) => `VA-${1 + (nth % 90)}`);
}

async function measureSkus(
  stack: BenchStack,
  importId: string,
  name: string,
  skuOf: (nth: number) => string,
): Promise<void> {
  const call = callApi(stack);
  const tookMs: number[] = [];
  for (let nth = 0; nth < products; nth += 1) {
    const id = randomUUID();
    await call('POST', '/api/scanner/products', {
      id,
      name: `Scanned ${nth}`,
      price: '24.99',
      sku: skuOf(nth),
    });
    const begun = performance.now();
    await call('POST', `/api/scanner/products/${id}/add-to-batch`, { batchId: importId });
    tookMs.push(performance.now() - begun);
  }
  console.log(
    `add ${name}: median ${median(tookMs).toFixed(1)} ms, p95 ${percentile(tookMs, 95).toFixed(1)} ms, first ${tookMs[0]?.toFixed(1)} ms, longest ${Math.max(...tookMs).toFixed(1)} ms`,
  );
}
