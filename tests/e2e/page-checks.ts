import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The largest layout shift of a screen that is not noticed. */
export const shiftMax = 0.02;

/** Each violation of axe's rules, or of one of them, with its first elements. */
export async function violationsOf(page: Page, rule?: string): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(
    async (options) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html)}`);
    },
    rule === undefined ? {} : { runOnly: [rule] },
  );
}

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

export const shiftOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { layoutShift: { value: number } }).layoutShift.value);
