import { shareStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';
import { openBrowser } from './browser.ts';
import { testInChromium } from './chromium-test.ts';
import { productFrom, startProduct } from './product.ts';

/** The product of all files of a worker. */
const shared = shareStack(() => startProduct());

/**
 * It starts while the first of them is imported, which does not count as time of a test. If that fails, the first file
 * tries again: an error here would fail all files of the worker.
 */
let first: Stack | undefined = await shared.next().catch(() => undefined);

async function emptyProduct() {
  const stack = first ?? (await shared.next());
  first = undefined;
  return productFrom(stack);
}

/** Browser tests: each file gets an empty product, and a browser for it. */
export const test = testInChromium
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the needed fixtures from the pattern.
  .extend('worker', { scope: 'worker', auto: true }, ({}, { onCleanup }) => onCleanup(shared.close))
  .extend('product', { scope: 'file' }, emptyProduct)
  .extend('browser', { scope: 'file' }, ({ chromium, product }) => openBrowser(chromium, product.apiUrl))
  .extend('failure', { auto: true }, ({ onTestFailed }) => onTestFailed(shared.fail));
