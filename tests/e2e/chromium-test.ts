import type { Browser } from 'playwright-core';
import { test as base } from 'vitest';
import { launchChromium } from './chromium.ts';

/** A page of a test does not live long enough for optimized code to pay back the time that compiling it takes. */
const unoptimized = '--js-flags=--no-opt --no-maglev';

/** One Chromium for all files of a worker; each visit has its own context. */
let chromium: Promise<Browser> | undefined;

/** Tests with Chromium, which start a product by themselves. */
export const testInChromium = base.extend(
  'chromium',
  { scope: 'worker' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the needed fixtures from the pattern.
  async ({}, { onCleanup }) => {
    chromium ??= launchChromium([unoptimized]);
    const browser = await chromium;
    onCleanup(() => browser.close());
    return browser;
  },
);
