import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

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

type Shifts = { value: number; moved: string[] };
type ShiftEntry = {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
};

/** Sums the layout shifts of each page from its beginning. */
export async function measureShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shifts = { value: 0, moved: [] };
    Object.assign(globalThis, { layoutShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as ShiftEntry[]) {
        shifts.value += entry.value;
        for (const { node, previousRect: from, currentRect: to } of entry.sources) {
          const text = node?.textContent?.slice(0, 40) ?? '';
          shifts.moved.push(
            `${node?.nodeName} "${text}" from ${from.y} + ${from.height} to ${to.y} + ${to.height}`,
          );
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const shiftsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { layoutShifts: Shifts }).layoutShifts);

export const shiftOf = async (page: Page) => (await shiftsOf(page)).value;

/** Fails if the page's content has moved by itself so far that it is noticed; names what has moved. */
export async function expectNoShift(page: Page): Promise<void> {
  const { moved } = await shiftsOf(page);
  expect(await shiftOf(page), `layout shift of ${page.url()}: ${moved.join('; ')}`).toBeLessThanOrEqual(
    shiftMax,
  );
}
