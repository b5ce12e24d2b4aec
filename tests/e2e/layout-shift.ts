import type { Page } from 'playwright-core';

/** Sums the layout shifts of each page from its beginning. */
export async function measureShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sum = { value: 0 };
    Object.assign(globalThis, { layoutShift: sum });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum.value += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The sum of the current page's layout shifts. */
export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { layoutShift: { value: number } }).layoutShift.value);
