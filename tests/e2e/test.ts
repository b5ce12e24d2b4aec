import { emptyStack } from '../support/empty-stack.ts';
import type { Stack } from '../support/stack.ts';
import { openBrowser } from './browser.ts';
import { testInChromium } from './chromium-test.ts';
import { type Product, productFrom, startProduct } from './product.ts';

/**
 * The product of all files of a worker. It starts while the first of them is imported, which does not count as time of
 * a test; and again for the file after a failed test, which may have left a trigger or a stopped process.
 */
let running: Stack | undefined = await startProduct();
let isEmpty = true;
let isBroken = false;

async function emptyProduct(): Promise<Product> {
  if (isBroken) await closeProduct();
  else if (running && !isEmpty) await emptyStack(running);
  running ??= await startProduct();
  isEmpty = false;
  isBroken = false;
  return productFrom(running);
}

async function closeProduct(): Promise<void> {
  const ended = running;
  running = undefined;
  await ended?.close();
}

/** Browser tests: each file gets an empty product, and a browser for it. */
export const test = testInChromium
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the needed fixtures from the pattern.
  .extend('worker', { scope: 'worker', auto: true }, ({}, { onCleanup }) => onCleanup(closeProduct))
  .extend('product', { scope: 'file' }, emptyProduct)
  .extend('browser', { scope: 'file' }, ({ chromium, product }) => openBrowser(chromium, product.apiUrl))
  .extend('failure', { auto: true }, ({ onTestFailed }) =>
    onTestFailed(() => {
      isBroken = true;
    }),
  );
