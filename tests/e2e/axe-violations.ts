import axe from 'axe-core';
import type { Page } from 'playwright-core';

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
