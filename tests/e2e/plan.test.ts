import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { smallTargets, violationsOf } from './page-checks.ts';
import type { Product } from './product.ts';
import {
  editRow,
  expectNoSidewaysScroll,
  expectOutcomes,
  hasFocus,
  openSession,
  planButton,
  post,
  requestsOf,
  sees,
  upload,
} from './steps.ts';
import { test } from './test.ts';

const csvOf = (titles: readonly string[]) =>
  [
    'Title,Price,SKU',
    ...titles.map((title, at) => `${title},${at + 1}0,${title.slice(0, 4)}-${at + 1}`),
  ].join('\n');

const card = (page: Page) => page.getByRole('region', { name: 'In the store' });
const button = (within: ReturnType<typeof card> | Page, name: string | RegExp) =>
  within.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
const list = (page: Page) => page.getByRole('dialog', { name: 'Plan of the push' });
const lines = (page: Page) => list(page).locator('[data-line]');

async function push(page: Page, id: string, ...outcomes: string[]): Promise<void> {
  await post(page, `/api/queue/${id}/push`);
  await page.reload();
  await expectOutcomes(page, ...outcomes);
}

/** Plans, unless the plan was made by itself, because the store has answered before. */
async function planFirst(page: Page): Promise<void> {
  await planButton(page).waitFor();
  const first = planButton(page).and(button(page, 'Plan the Push'));
  if ((await first.count()) > 0) await first.press('Enter');
}

async function changeInStore({ store }: Product, title: string, change: object): Promise<void> {
  const found = (await store.products()).find((one) => one.title === title);
  await store.edit(found?.id ?? 0, change);
}

test('a plan says what a push does, its lists and differences, what is new since, and what came of it', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    const id = await upload(product, 'planned.csv', csvOf(['Same', 'Ours', 'Theirs once', 'Gone']));
    await openSession(page);
    await page.goto(`/queue/${id}?class=all&details=in-store`);
    await planFirst(page);
    await sees(card(page), 'A push would create 4 products.');
    await sees(card(page), 'Checked only against products that Draftshelf pushed.');
    expect(await product.productWrites()).toBe(0);
    await push(page, id, '4 Created');
    await sees(card(page), 'The push went: 4 products as planned.');

    await editRow(page, id, 2, { title: 'Ours, new', price: '21' });
    await editRow(page, id, 3, { title: 'Theirs', price: '31' });
    await editRow(page, id, 4, { price: '41' });
    await changeInStore(product, 'Theirs once', { title: 'Theirs, on sale' });
    await changeInStore(product, 'Gone', { deleted: true });
    await page.reload();
    await button(card(page), 'Compare Again').press('Enter');
    await sees(
      card(page),
      'A push would update 1 product, leave 1 as it is and skip 2 (all need your decision).',
    );
    await sees(card(page), /Compared with the store as of \d/);
    await hasFocus(button(card(page), 'Compare Again'));

    await page.goto(`/queue/${id}?class=all`);
    await button(page, 'Dry Run').click();
    const dryRun = page.getByRole('dialog', { name: 'Dry run' });
    await dryRun.getByRole('heading', { name: 'Ours, new' }).waitFor();
    await sees(dryRun, 'The push would update this product and change its title and price.');
    await button(dryRun, 'Previous').click();
    await dryRun.getByRole('heading', { name: 'Same' }).waitFor();
    await sees(dryRun, 'The push would leave this product as it is in the store.');
    await page.goto(`/queue/${id}?class=all&details=in-store`);

    await button(card(page), '2').press('Enter');
    await sees(list(page), 'Changed in the store since the last push (title); left unchanged.');
    await button(list(page), /^All/).click();
    await expect.poll(() => lines(page).allTextContents()).toEqual(['Ours, new', 'Theirs', 'Gone', 'Same']);
    await button(list(page), /^Skip \d/).click();
    await button(list(page), /^Deleted in the store/).click();
    await expect.poll(() => lines(page).allTextContents()).toEqual(['Gone']);
    await button(list(page), /^Update/).click();
    await expect.poll(() => lines(page).allTextContents()).toEqual(['Ours, new']);
    await list(page).getByRole('cell', { name: 'Ours-2' }).waitFor();
    const changes = list(page).getByRole('list', { name: 'Changes' }).getByRole('listitem');
    expect(await changes.allInnerTexts()).toEqual([
      expect.stringMatching(/^Price\s+In the store\s+20\.00\s+After the push\s+21\.00$/),
      expect.stringMatching(/^Title\s+In the store\s+Ours\s+After the push\s+Ours, new$/),
    ]);
    await lines(page).click();
    const differences = list(page).getByRole('list', { name: 'Differences' }).getByRole('listitem');
    await sees(differences.first(), 'Ours');
    expect(await differences.allInnerTexts()).toEqual([
      expect.stringMatching(/^Title\s+In the store\s+Ours\s+After the push\s+Ours, new$/),
      expect.stringMatching(/^Price\s+In the store\s+20\.00\s+After the push\s+21\.00$/),
    ]);
    expect(await differences.locator('ins').allTextContents()).toEqual([', new']);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await list(page).waitFor({ state: 'detached' });
    await hasFocus(button(card(page), '2'));
    // Without transitions, a list that has been loaded takes the focus sooner.
    await page.keyboard.press('Enter');
    await hasFocus(button(list(page), 'Close'));
    await page.keyboard.press('Escape');
    await list(page).waitFor({ state: 'detached' });
    await hasFocus(button(card(page), '2'));
    const before = page.getByRole('region', { name: 'Before you push' });
    await sees(before, 'Need your decision. A push skips them until then.');
    await button(before, 'Decide').press('Enter');
    await expect.poll(() => lines(page).allTextContents()).toEqual(['Theirs', 'Gone']);
    const asked = list(page).getByRole('list', { name: 'Changed in the store, for you to decide' });
    await sees(asked.first(), 'Theirs, on sale');
    await sees(
      list(page),
      'Use Ours: The push sends Draftshelf’s values, even where the product was changed in the store.',
    );
    await button(list(page), /^Changed in the store/).click();
    await button(list(page), 'Use Ours').waitFor({ state: 'detached' });
    await button(list(page), 'Use Ours: Theirs').waitFor();
    await page.keyboard.press('Escape');
    await list(page).waitFor({ state: 'detached' });

    await editRow(page, id, 1, { price: '11' });
    await page.goto(`/queue/${id}?class=all&details=in-store&plan=unchanged`);
    // What was planned no longer stands as if it were true.
    await card(page)
      .getByText(/^Plan of .+, before 1 row was edited: update/)
      .waitFor();
    expect(await card(page).getByText('A push would').count()).toBe(0);
    await sees(list(page), 'Edited since the push was planned.');
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    await card(page).getByRole('link', { name: 'Download Plan (CSV)' }).click();
    expect((await download).suggestedFilename()).toMatch(/plan of planned\.csv/);
    // Some seconds later it is made again by itself.
    await sees(card(page), 'A push would update 2 products and skip 2 (all need your decision).');

    await page.goto('/queue');
    await editRow(page, id, 1, { price: '10' });
    await changeInStore(product, 'Ours', { title: 'Ours, renamed' });
    await post(page, `/api/queue/${id}/push`);
    await page.goto(`/queue/${id}?class=all&details=in-store`);
    await expectOutcomes(page, '1 Unchanged', '3 Skipped');
    await sees(
      card(page),
      '2 products as planned, 2 not as planned: 1 edited since, 1 different in the store.',
    );
    await button(card(page), '1 edited since').click();
    await expect.poll(() => lines(page).allTextContents()).toEqual(['Same']);
    await sees(list(page), 'Not as planned: edited since.');
  }));

test.runIf(isLong)(
  'on a phone by keyboard, the list has its next products, arrow keys and a refreshed copy of the store',
  ({ browser, product }) =>
    browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
      const titles = Array.from({ length: 60 }, (_, at) => `Vase ${at + 1}`);
      const id = await upload(product, 'long.csv', csvOf([...titles, 'x'.repeat(80)]));
      await openSession(page);
      await page.goto(`/queue/${id}?class=all&details=in-store`);
      await planFirst(page);
      await sees(card(page), 'A push would create 61 products.');
      await button(card(page), '61 products').press('Enter');
      await lines(page).first().waitFor();
      expect(await lines(page).count()).toBe(50);
      await button(list(page), 'Show More').press('Enter');
      await expect.poll(() => lines(page).count()).toBe(61);
      await lines(page).nth(59).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      const differences = list(page).getByRole('list', { name: 'Differences' });
      await sees(differences, 'x'.repeat(80));
      await expectNoSidewaysScroll(page);
      expect(await violationsOf(page)).toEqual([]);
      expect(await smallTargets(list(page))).toEqual([]);
      await page.keyboard.press('Escape');
      await list(page).waitFor({ state: 'detached' });
      expect(await smallTargets(card(page))).toEqual([]);
      const requests = requestsOf(page);
      await button(card(page), 'Compare Again').press('Enter');
      await expect.poll(() => requests).toContain('POST /api/shopify/sync-inventory');
      await planButton(page).waitFor();
      await sees(card(page), /Compared with the store as of \d/);
      await hasFocus(button(card(page), 'Compare Again'));
    }),
);

test.runIf(isLong)(
  '31 decisions are answered in three clicks, one is taken back, and the push carries them out',
  ({ browser, product }) =>
    browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
      const titles = Array.from({ length: 32 }, (_, at) => `Bowl ${at + 1} once`);
      const id = await upload(product, 'decided.csv', csvOf(titles));
      await openSession(page);
      await page.goto(`/queue/${id}?class=all&details=in-store`);
      await push(page, id, '32 Created');
      const made = (await product.store.products()).filter(({ title }) => title.startsWith('Bowl '));
      for (const { id: of, title } of made) {
        if (title === 'Bowl 32 once') continue;
        const change = { title: title.replace(' once', ', on sale') };
        await product.store.edit(of, title === 'Bowl 31 once' ? { deleted: true } : change);
      }
      // A title that only one side has changed needs no decision.
      for (let row = 1; row <= 31; row += 1)
        await editRow(page, id, row, { title: `Bowl ${row}`, price: `${row}.50` });
      await page.reload();
      const requests = requestsOf(page);
      await planButton(page).press('Enter');
      // A plan that began by itself says the same, and is replaced once the store was read.
      await expect.poll(() => requests).toContain(`POST /api/queue/${id}/plan`);
      await planButton(page).waitFor();
      await sees(card(page), 'A push would leave 1 product as it is and skip 31 (all need your decision).');

      await button(card(page), 'all need your decision').click();
      await button(list(page), 'Use Ours for All 30').click();
      await button(list(page), 'Create Again').click();
      await sees(list(page), 'Use Ours: 30 changed in the store');
      await sees(list(page), 'Create Again: 1 deleted in the store');
      await sees(list(page), 'No products here.');

      await button(list(page), /^Changed in the store/).click();
      await button(list(page), 'Take back the decision about Bowl 2').click();
      await button(list(page), 'Keep the Store’s: Bowl 2').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await smallTargets(list(page))).toEqual([]);
      await expectNoSidewaysScroll(page);
      await button(list(page), 'Keep the Store’s: Bowl 2').press('Enter');
      await sees(list(page), 'Decided: Keep the Store’s');
      await hasFocus(button(list(page), 'Take back the decision about Bowl 2'));
      await button(list(page), 'Take back the decision about Bowl 3').click();
      await page.keyboard.press('Escape');
      await list(page).waitFor({ state: 'detached' });
      await sees(
        card(page),
        'A push would create 1 product, update 29, leave 1 as it is and skip 1 (it needs your decision). 30 decided.',
      );

      await push(page, id, '1 Created', '29 Updated', '1 Unchanged', '1 Skipped');
      await sees(card(page), 'The push went: 32 products as planned.');
      const now = (await product.store.products()).map(({ title }) => title);
      expect(now.filter((title) => title.startsWith('Bowl ') && title.endsWith(', on sale')).sort()).toEqual([
        'Bowl 2, on sale',
        'Bowl 3, on sale',
      ]);
    }),
);
