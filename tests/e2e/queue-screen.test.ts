import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { waitMsMax } from './browser.ts';
import type { Product } from './product.ts';
import {
  answerByKeyboard,
  chooseByKeyboard,
  chooseInMenu,
  expectNoSidewaysScroll,
  goTo,
  holdReplies,
  openSession,
  queueRow,
  sees,
  signInAt,
  toast,
  uploadAndOpen,
} from './steps.ts';
import { test } from './test.ts';

// In order: each test continues where the previous one stopped.
const losses = 'losses.csv';
const hopeless = 'hopeless.csv';
const longName = `${'supplier_manifest_'.repeat(4)}autumn_1.csv`;

/** Refuses the next product as too large. */
const refuseOne = ({ store }: Product) =>
  store.fault({ kind: 'status', status: 413, operation: 'productSet', times: 1 });

async function openQueue(page: Page): Promise<void> {
  await signInAt(page, '/queue');
}

/** The left edges of the head's columns. */
async function columnEdges(page: Page): Promise<number[]> {
  const heads = page.getByRole('table', { name: 'Active Jobs' }).getByRole('columnheader');
  return heads.evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().left)));
}

const heightOf = (row: Locator) => row.evaluate((one) => Math.round(one.getBoundingClientRect().height));
const bar = (row: Locator) => row.getByRole('progressbar');
const isFocused = (one: Locator) => one.evaluate((element) => element === document.activeElement);
const inReport = (page: Page) => page.getByRole('dialog', { name: 'Report' });

test.runIf(isLong)(
  'an import that ends with losses looks like one, and rows and columns stay in place',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      const rows = ['Lamp,5', 'Vase,6', 'Bowl,7', 'Stool,', 'Bench,', ',9'];
      await uploadAndOpen(page, { name: losses, content: `Title,Price\n${rows.join('\n')}\n` });
      await goTo(page, 'Processing Queue');
      const row = queueRow(page, losses);
      await sees(row, '3 warnings · 3 valid');
      const [edges, height] = [await columnEdges(page), await heightOf(row)];
      expect(height).toBe(41);
      expect(await bar(row).getAttribute('aria-valuenow')).toBe('100');
      expect(await bar(row).getAttribute('aria-valuetext')).toBe('100%: 3 valid, 3 warnings');

      await product.store.fault({ kind: 'delay', delayMs: 4_000, operation: 'productSet', times: 1 });
      await refuseOne(product);
      await row.getByRole('button', { name: 'Push', exact: true }).click();
      await sees(row, 'Uploading to Shopify');
      expect([await columnEdges(page), await heightOf(row)]).toEqual([edges, height]);
      await sees(row, 'Completed');
      await sees(row, '2 uploaded to Shopify');
      await sees(row, '3 skipped · 1 failed · 2 created');
      expect([await columnEdges(page), await heightOf(row)]).toEqual([edges, height]);

      await uploadAndOpen(page, { name: longName, content: 'Title,Price\nLamp,5\n' });
      await goTo(page, 'Processing Queue');
      const long = queueRow(page, longName);
      await long.waitFor();
      expect([await columnEdges(page), await heightOf(long)]).toEqual([edges, height]);
    }),
);

test.runIf(isLong)('a failed import says why in its row, and its report groups the causes', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, { name: hopeless, content: 'Title,Price\nLamp,\nVase,call\n' });
    await goTo(page, 'Processing Queue');
    const row = queueRow(page, hopeless);
    await row.getByRole('button', { name: 'Push', exact: true }).click();
    await sees(row, 'Failed');
    const reason = row.getByRole('link', { name: /^No products were pushed: 2 skipped/ });
    await row.getByRole('link', { name: hopeless }).focus();
    await page.keyboard.press('Tab');
    const tooltip = page.getByRole('tooltip').filter({ hasText: 'No products were pushed: 2 skipped' });
    await tooltip.waitFor();
    expect(await heightOf(row)).toBe(41);
    await page.keyboard.press('Enter');
    await sees(inReport(page), '2 × Missing required fields: price');
    await sees(inReport(page), 'Row 1: Lamp');
    await page.keyboard.press('Escape');
    await inReport(page).waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(reason)).toBe(true);
    // Nothing was brought to the store, so the bar is empty, here and in the history.
    expect(await bar(row).locator('[data-kind]').count()).toBe(0);
    await goTo(page, 'History');
    const ended = page.getByRole('table', { name: 'History' }).getByRole('row').filter({ hasText: hopeless });
    const endedBar = ended.getByRole('img', { name: '2 skipped' });
    await endedBar.waitFor();
    expect(await endedBar.locator('[data-kind]').count()).toBe(0);
    // Another push would skip the same rows.
    expect(await ended.getByRole('link', { name: 'Review' }).getAttribute('data-variant')).toBe('light');
    expect(await ended.getByRole('button', { name: 'Retry' }).getAttribute('data-variant')).toBe('default');
    await goTo(page, 'Processing Queue');
    await row.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('heading', { name: hopeless, level: 1 }).waitFor();
  }),
);

test.runIf(isLong)(
  'the report opens beside its notification, its rows can be downloaded and what failed is retried',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await openQueue(page);
      const row = queueRow(page, losses);
      await row.getByRole('button', { name: 'View Report' }).click();
      const shown = await toast(page, 'Processing report');
      await sees(shown, 'Results: 2 created, 3 skipped, 1 failed');
      // A filter that is set meanwhile stays.
      await page.getByLabel('Filter by file name').fill(losses);
      await shown.getByRole('link', { name: 'Open report' }).click();
      const report = inReport(page);
      await sees(report, '3 valid · 3 warnings');
      await sees(report, '2 created · 3 skipped · 1 failed');
      await sees(report, '2 × Missing required fields: price');
      expect([...new URL(page.url()).searchParams.keys()]).toEqual(['file', 'report']);

      const download = page.waitForEvent('download');
      await report.getByRole('link', { name: 'Download failed and skipped rows (CSV)' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe(`failed rows of ${losses}`);
      const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
      expect(lines.length).toBe(5);
      expect(lines[0]).toBe('\ufeffTitle,Price,Draftshelf error');
      expect(lines).toContain('Stool,,Missing required fields: price');

      await report.getByRole('button', { name: 'Retry failed rows' }).click();
      await toast(page, 'Retrying Job');
      await report.waitFor({ state: 'detached' });
      await sees(row, '3 skipped · 3 created');
      // To the rows of these products, and from there over the report to those of others.
      await row.getByRole('link', { name: '3 skipped' }).click();
      await page.locator('a[aria-current]').getByText('Skipped').waitFor();
      await expect.poll(() => page.locator('[data-row]').count()).toBe(3);
      await page.getByRole('button', { name: 'View Report' }).click();
      await sees(report, '3 created · 3 skipped');
      await report.getByRole('link', { name: '3 created' }).click();
      await report.waitFor({ state: 'detached' });
      await page.locator('a[aria-current]').getByText('Created').waitFor();
      await expect
        .poll(() => page.locator('[data-row]').evaluateAll((rows) => rows.map((one) => one.textContent)))
        .not.toContainEqual(expect.stringContaining('Missing required fields'));
      await page
        .getByRole('region', { name: /^Job Status/ })
        .getByRole('link', { name: /^3\s*Skipped$/ })
        .click();
      await page.locator('a[aria-current]').getByText('Skipped').waitFor();
    }),
);

test.runIf(isLong)(
  'the actions of a row work by keyboard, and the focus stays in the row',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      const name = 'keys.csv';
      const rows = Array.from({ length: 2_000 }, (_, at) => `Frame ${at},${at + 1}`);
      await uploadAndOpen(page, { name, content: `Title,Price\n${rows.join('\n')}\n` });
      await goTo(page, 'Processing Queue');
      const row = queueRow(page, name);
      await product.store.fault({ kind: 'delay', delayMs: 2_000, operation: 'productSet', times: 2_000 });
      await row.getByRole('button', { name: 'Push to Shopify' }).focus();
      await page.keyboard.press('Enter');
      const pause = row.getByRole('button', { name: 'Pause' });
      await expect.poll(() => isFocused(pause), { timeout: waitMsMax }).toBe(true);
      await sees(row, /^\d+ of 2,000 sent$/);
      await sees(row, /^[\d.]+\/s · ready .*$/);
      // What only asks need not wait for the answer to the action before it.
      const releaseAnswer = await holdReplies(page, '**/api/queue/*/pause');
      await page.keyboard.press('Enter');
      const resume = row.getByRole('button', { name: 'Resume' });
      await expect.poll(() => isFocused(resume), { timeout: waitMsMax }).toBe(true);

      await page.keyboard.press('Tab');
      const menu = row.getByRole('button', { name: `More actions for ${name}` });
      expect(await isFocused(menu)).toBe(true);
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Cancel Import' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => isFocused(menu)).toBe(true);
      await page.keyboard.press('Enter');
      await chooseByKeyboard(page, 'Cancel Import');
      const question = page.getByRole('alertdialog', { name: 'Cancel this import?' });
      await answerByKeyboard(question, 'Keep Import');
      releaseAnswer();
      await expect.poll(() => isFocused(menu)).toBe(true);
      await page.keyboard.press('Enter');
      await chooseByKeyboard(page, 'Cancel Import');
      await answerByKeyboard(question, 'Cancel Import');
      await sees(row, 'Cancelled');
      await product.store.clearFaults();
      // What was pushed can be undone, so the menu stays, and the focus with it.
      await expect.poll(() => isFocused(menu)).toBe(true);
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Undo Push' }).waitFor();
    }),
);

test.runIf(isLong)('on a tablet lying down there are tables too, and nothing is cut off', ({ browser }) =>
  browser.visit({ viewport: { width: 1024, height: 768 }, touch: true }, async (page) => {
    await openQueue(page);
    const row = queueRow(page, losses);
    await sees(row, '3 skipped · 3 created');
    await chooseInMenu(row, 'Push again');
    await sees(row, 'Completed');
    const expectNothingCut = async (name: string) => {
      const table = page.getByRole('table', { name });
      await table.getByRole('row').nth(1).waitFor();
      const window = page.viewportSize()?.width ?? 0;
      const edges = await table
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      expect(Math.max(...edges), name).toBeLessThanOrEqual(window);
      const widths = await table.evaluate((one) => [one.scrollWidth, one.parentElement?.clientWidth ?? 0]);
      expect(widths[0], name).toBeLessThanOrEqual(widths[1] ?? 0);
      await expectNoSidewaysScroll(page);
    };
    await expectNothingCut('Active Jobs');
    await row.getByRole('link', { name: losses }).tap();
    await expectNothingCut('Product rows');
    await page.getByRole('link', { name: 'Back to Queue' }).tap();
    await queueRow(page, hopeless).getByRole('link', { name: 'Review' }).tap();
    await expectNothingCut('Product rows');
    await goTo(page, 'History');
    await expectNothingCut('History');
  }),
);
