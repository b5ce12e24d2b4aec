import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The largest layout shift of a screen that is not noticed. */
export const shiftMax = 0.02;

/** Each violation of axe's rules, or of one of them, with its first elements. */
export async function violationsOf(page: Page, rule?: string): Promise<string[]> {
  const hasAxe = await page.evaluate(() => 'axe' in globalThis);
  if (!hasAxe) await page.evaluate(axe.source);
  return page.evaluate(
    async (options) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, options);
      // A tooltip is read with its button, whose landmark it is not part of.
      const isTooltip = (html: string) => /^<[^>]* role="tooltip"/.test(html);
      return violations.flatMap(({ id, nodes }) => {
        const found = nodes.filter(({ html }) => id !== 'region' || !isTooltip(html));
        return found.length === 0 ? [] : [`${id}: ${found.slice(0, 3).map(({ html }) => html)}`];
      });
    },
    { resultTypes: ['violations' as const], ...(rule === undefined ? {} : { runOnly: [rule] }) },
  );
}

/** The smallest side of a target under a finger, in CSS pixels. */
const targetMin = 44;

/**
 * Controls below `within` that are smaller than a finger needs. Exempt are links in running text, buttons inside of a
 * field, icons with an area of their own around them, and boxes whose whole line can be touched. A button that is
 * stretched over its row is as large as the row.
 */
export function smallTargets(within: Locator, min = targetMin): Promise<string[]> {
  return within.evaluate((root, sideMin) => {
    const all = root.querySelectorAll(
      'a[href], button:not([tabindex="-1"]), input:not([type="checkbox"], [type="radio"])',
    );
    const targetOf = (one: Element) => {
      const after = getComputedStyle(one, '::after');
      const isStretched =
        getComputedStyle(one).position === 'static' &&
        after.content !== 'none' &&
        after.position === 'absolute' &&
        [after.top, after.right, after.bottom, after.left].every((side) => side === '0px');
      return (isStretched && (one as HTMLElement).offsetParent) || one;
    };
    return Array.from(all)
      .filter((one) => getComputedStyle(one).display !== 'inline' && !one.matches('[data-size="sm"]'))
      .map((one) => ({
        name: one.textContent || one.getAttribute('aria-label') || one.tagName,
        box: targetOf(one).getBoundingClientRect(),
      }))
      .filter(({ box }) => box.bottom > 0 && box.height > 0)
      .filter(({ box }) => Math.min(box.width, box.height) < sideMin - 0.5)
      .map(({ name, box }) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`);
  }, min);
}

/** The left edges of a table's columns. */
export function columnEdges(table: Locator): Promise<number[]> {
  return table
    .getByRole('columnheader')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
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
