import type { Browser } from 'playwright-core';
import { test as base } from 'vitest';
import { launchChromium } from './chromium.ts';

/** One Chromium for all files of a worker; each visit has its own context. */
let chromium: Promise<Browser> | undefined;

/** Tests with Chromium, which start a product by themselves. */
export const testInChromium = base.extend(
  'chromium',
  { scope: 'worker' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the needed fixtures from the pattern.
  async ({}, { onCleanup }) => {
    chromium ??= launchChromium();
    const browser = await chromium;
    onCleanup(() => browser.close());
    return browser;
  },
);
