import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { smallTargets, violationsOf } from './page-checks.ts';
import {
  expectNoSidewaysScroll,
  hasFocus,
  openSession,
  sees,
  toast,
  uploadAndOpen,
  uploadByCall,
} from './steps.ts';
import { test } from './test.ts';

const content = 'Title,Price,SKU\nBrass lamp,24.90,LL-1\nGlass vase,9,LL-2\nStone bowl,12,LL-3\n';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Edit Product Details - Shopify Format' });
const rowOf = (page: Page, row: number) => page.locator(`[data-row="${row}"]`);
const mark = 'Left out of the push';

/** Leaves a row out in its dialog, and closes it. */
async function leaveOutInDialog(page: Page, row: number): Promise<void> {
  const dialog = dialogOf(page);
  await dialog.getByRole('button', { name: `Leave out of the push: row ${row}` }).click();
  await sees(dialog, mark);
  await dialog.getByRole('button', { name: `Put back row ${row}` }).waitFor();
}

test.runIf(isLong)(
  'a row is left out of the push in its dialog, counted before the push, filtered, and put back',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      await uploadAndOpen(page, { name: 'left-out.csv', content });
      await page.getByRole('button', { name: 'Brass lamp: edit all fields of row 1' }).click();
      await leaveOutInDialog(page, 1);
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'detached' });
      await sees(rowOf(page, 1), mark);
      const fact = page.locator('[data-fact="left-out"]');
      await sees(fact, '1 product');
      await sees(page.locator('body'), /Push 2 of 3/);

      // With the plan, a dry run begins with the first product that a push changes.
      await sees(page.getByRole('region', { name: 'Job Status' }), /A push creates 2, skips 1/);
      await page.getByRole('button', { name: 'Dry Run', exact: true }).click();
      const dryRun = page.getByRole('dialog', { name: 'Dry run' });
      await sees(dryRun, 'Product 2 of 3');
      await dryRun.getByRole('button', { name: 'Previous' }).click();
      await sees(dryRun, 'The push would skip this product. Put its rows back to send it.');
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dryRun.waitFor({ state: 'detached' });

      await fact.getByRole('link', { name: 'Show Rows' }).click();
      await page.waitForURL(/issue=left-out/);
      await rowOf(page, 2).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Put back row 1' }).click();
      await rowOf(page, 1).getByText(mark).waitFor({ state: 'detached' });
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('[data-row]')?.tagName))
        .toBe('TR');
      await fact.waitFor({ state: 'detached' });
      await sees(page.locator('body'), /^Push 3$/);
    }),
);

test.runIf(isLong)('a phone shows the mark on the card, and puts the row back there', ({ browser }) =>
  browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
    await openSession(page);
    const id = await uploadByCall(page, { name: 'left-out-phone.csv', content });
    await page.goto(`/queue/${id}?class=all`);
    await page.getByRole('button', { name: 'Edit row 2' }).click();
    await leaveOutInDialog(page, 2);
    expect(await violationsOf(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await sees(rowOf(page, 2), mark);
    expect(await violationsOf(page)).toEqual([]);
    expect(await smallTargets(rowOf(page, 2))).toEqual([]);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Put back row 2' }).click();
    await rowOf(page, 2).getByText(mark).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-card'))).toBe(true);
  }),
);

test.runIf(isLong)('the key and the palette leave out the row with the focus, on cards too', ({ browser }) =>
  browser.visit({ viewport: { width: 600, height: 900 } }, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, { name: 'left-out-keys.csv', content: content.replaceAll('LL-', 'LK-') });
    const card = page.getByRole('button', { name: 'Edit row 2' });
    await card.focus();
    await page.keyboard.press('x');
    await sees(rowOf(page, 2), mark);
    await hasFocus(card);

    const choose = async (action: string) => {
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Search' });
      await palette.getByRole('combobox').fill(action);
      await palette.getByRole('option', { selected: true }).filter({ hasText: action }).waitFor();
      await page.keyboard.press('Enter');
      await palette.waitFor({ state: 'detached' });
    };
    await choose('Leave Out the Row');
    await rowOf(page, 2).getByText(mark).waitFor({ state: 'detached' });
    await choose('Filter by Value');
    const values = page.getByRole('dialog', { name: 'Filter by value' });
    await values.waitFor();
    await page.keyboard.press('Escape');
    await values.waitFor({ state: 'detached' });

    await page.getByRole('heading', { name: 'Product Preview' }).focus();
    await page.keyboard.press('x');
    await toast(page, 'No row has the focus');
  }),
);
