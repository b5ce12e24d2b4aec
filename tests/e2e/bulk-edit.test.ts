import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { waitMsMax } from './browser.ts';
import { button, changes, dialogOf, ends, filters, open, row } from './change-steps.ts';
import { measureShifts, shiftOf, smallTargets, violationsOf } from './page-checks.ts';
import { expectNoSidewaysScroll, holdReplies, hurryPolls, sees, upload } from './steps.ts';
import { test } from './test.ts';

const rows = 900;
/** Prices that are no number: the first so many rows. */
const wrongPrices = 732;
/** More than a preview reads. */
const pricedRows = 4_000;
const spellings = ['Nike', 'NIKE', 'nike ', 'Nike', 'Asics'];

const priceOf = (row: number) => (row <= wrongPrices ? 'n/a' : `${(row % 90) + 1}.50`);
const brandOf = (row: number) => spellings[row % spellings.length] ?? '';
const csvOf = (from: number, to: number) =>
  `Title,Price,Brand,Cost\n${Array.from(
    { length: to - from + 1 },
    (_, at) => `Shoe ${from + at},${priceOf(from + at)},${brandOf(from + at)},2`,
  ).join('\n')}\n`;

test.runIf(isLong)('732 prices that say “n/a” are gone after four presses', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await hurryPolls(page);
    const id = await upload(product, 'wrong-prices.csv', csvOf(1, rows));
    await open(page, id);
    await button(filters(page), /^Invalid price 732$/).click();
    await button(page, 'Change 732 Rows…').click();
    const dialog = dialogOf(page);
    await button(dialog, 'Clear').click();
    await sees(dialog.getByRole('list', { name: 'Values of Price' }), 'n/a');
    await sees(dialog, 'Price cleared');
    await button(dialog, /^Clear Prices in 732 Rows$/).click();
    await dialog.waitFor({ state: 'detached' });
    await ends(page, 'Change applied');
    await button(filters(page), /^No price 732$/).waitFor();
    expect(await button(filters(page), /^Invalid price 0$/).isVisible()).toBe(true);
  }),
);

test.runIf(isLong)('prices × 1.2 ending .99 are undone after a reload', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await hurryPolls(page);
    const id = await upload(product, 'price-list.csv', csvOf(wrongPrices + 1, wrongPrices + pricedRows));
    await open(page, id);
    const first = row(page, 1);
    await sees(first, '$14.50');
    await button(page, 'Change 4,000 Rows…').click();
    const dialog = dialogOf(page);
    await button(dialog, 'Change a Price').click();
    await page.keyboard.type('1.2');
    await button(dialog, 'Round a Price').click();
    await sees(dialog, 'Price × 1.2, to .99');
    // As many rows as could be read in time.
    await sees(dialog, /^a sample of [\d,]+ of 4,000 rows/);
    const examples = dialog.getByRole('table', { name: 'Values before and after' }).getByRole('row');
    await expect.poll(() => examples.count(), { timeout: waitMsMax }).toBe(21);
    await sees(examples.nth(1), '16.99');
    await button(dialog, 'Change Prices in 4,000 Rows').click();
    await ends(page, 'Change applied');
    await sees(first, '$16.99');
    await page.reload();
    await sees(changes(page), 'Price × 1.2, to .99');
    await button(changes(page), 'Undo').click();
    await ends(page, 'Change undone');
    await sees(first, '$14.50');
    await button(changes(page), 'Close notice').click();
    await changes(page).waitFor({ state: 'detached' });
  }),
);

test.runIf(isLong)('ticked rows of several pages are changed by keyboard alone', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    const id = await upload(product, 'ticked.csv', csvOf(9_001, 9_060));
    await open(page, id);
    const tick = (number: number) => page.getByRole('checkbox', { name: `Tick row ${number}`, exact: true });
    await tick(2).focus();
    await page.keyboard.press('Space');
    // The keys of the table load with the first key.
    await page.locator('tbody [tabindex="0"]').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Space');
    expect(await Promise.all([1, 2, 3, 4, 5].map((number) => tick(number).isChecked()))).toEqual([
      ...[false, true, true, true, false],
    ]);
    await button(page.getByRole('navigation', { name: 'Pages' }), '2').press('Enter');
    await tick(30).press('Space');
    // The rows are still one stop of the Tab key.
    expect(await page.locator('tbody [tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('c');
    const dialog = dialogOf(page);
    await sees(dialog, 'Change 4 rows');
    await sees(dialog, 'Ticked rows, 3 not shown');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent), { timeout: waitMsMax })
      .toBe('Change a Price');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.type('abc');
    await page.keyboard.press('Control+Enter');
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('19.90');
    await button(dialog, 'Change 4 Prices').waitFor();
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await sees(row(page, 30), '$19.90');
    await button(page, 'Untick 4 rows').press('Enter');
    await button(page, 'Change 60 Rows…').waitFor();
  }),
);

test.runIf(isLong)(
  'errors stand beside their inputs, and a refusal keeps the lines',
  ({ browser, product }) =>
    browser.visit({ expectedConsole: [/status of 409 .*\/edits/] }, async (page) => {
      const id = await upload(product, 'refused.csv', csvOf(9_001, 9_010));
      await open(page, id);
      await button(page, 'Change 10 Rows…').click();
      const dialog = dialogOf(page);
      await button(dialog, 'Find and Replace').click();
      await button(dialog, 'Add a Step').click();
      // The error of the line before must not have moved the button away.
      expect(await dialog.getByRole('group', { name: /^Line/ }).count()).toBe(2);
      await button(dialog, 'Change 10 Rows').click();
      expect(await dialog.getByText('Enter the text to find.').count()).toBe(2);
      await button(dialog, 'Remove line 2').click();
      await dialog.getByRole('textbox', { name: 'Find (line 1)' }).fill('nothing has this');
      await sees(dialog, 'No value would change.');
      // The key of a button that waits for its preview says so.
      const releaseReply = await holdReplies(page, '**/edits/preview');
      await dialog.getByRole('textbox', { name: 'Find (line 1)' }).fill('.50');
      await page.keyboard.press('Control+Enter');
      await sees(dialog, 'The preview is loading.');
      releaseReply();
      await dialog.getByText('The preview is loading.').waitFor({ state: 'detached' });
      await page.route('**/edits', (route) =>
        route.fulfill({
          status: 409,
          json: { code: 'conflict', message: 'Another change is being applied.' },
        }),
      );
      await button(dialog, 'Change 10 Prices').click();
      await sees(dialog.getByRole('alert'), 'Another change is being applied.');
      await page.unroute('**/edits');
      await button(dialog, 'Change 10 Prices').click();
      await dialog.waitFor({ state: 'detached' });
      await sees(row(page, 1), '$2');
    }),
);

const movedOn = (page: Page) =>
  page.evaluate(() =>
    (globalThis as unknown as { layoutShifts: { moved: string[] } }).layoutShifts.moved.join('; '),
  );

test.runIf(isLong)(
  'nothing moves while a preview loads, and it is asked for once per pause',
  ({ browser, product }) =>
    browser.visit({ isFirst: true }, async (page) => {
      const id = await upload(product, 'calm.csv', csvOf(620, 1_020));
      await measureShifts(page);
      await open(page, id);
      // The plan that is made by itself is drawn behind the dialog.
      await sees(page, /^A push creates 288, skips 113$/);
      let asked = 0;
      await page.route('**/edits/preview', async (route) => {
        asked += 1;
        await route.continue();
      });
      await button(page, 'Change 401 Rows…').click();
      const dialog = dialogOf(page);
      await button(dialog, 'Change a Price').click();
      await page.keyboard.type('1.25');
      await button(dialog, 'Round a Price').click();
      await sees(dialog, 'Price × 1.25, to .99');
      await sees(dialog.getByRole('region', { name: 'Cells that are left as they are' }), /“n\/a” in row 1/);
      const before = await shiftOf(page);
      await page.keyboard.type('5');
      await sees(dialog, 'Price × 1.255, to .99');
      await dialog.locator('section[aria-busy="false"]').waitFor();
      expect(await shiftOf(page), await movedOn(page)).toBe(before);
      expect(asked).toBeLessThanOrEqual(3);
    }),
);

test.runIf(isLong).for([
  ['dark', 390],
  ['light', 1440],
] as const)('the dialog is accessible in %s at %i px', ([colorScheme, width], { browser, product }) =>
  browser.visit({ touch: width === 390, colorScheme, viewport: { width, height: 844 } }, async (page) => {
    const id = await upload(product, `look-${width}.csv`, csvOf(9_001, 9_040));
    await open(page, id);
    expect(await violationsOf(page)).toEqual([]);
    await button(page, 'Change 40 Rows…').click();
    const dialog = dialogOf(page);
    await button(dialog, 'Unify Spellings').click();
    await button(dialog, 'One Spelling: Nike').click();
    await button(dialog, 'Change 16 Brands').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    if (width === 390) expect(await smallTargets(dialog)).toEqual([]);
  }),
);
