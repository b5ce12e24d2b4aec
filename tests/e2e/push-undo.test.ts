import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createByMerchant } from '../support/merchant-product.ts';
import { isLong } from '../support/queue-backend.ts';
import type { StoredProduct } from '../support/stack.ts';
import { waitMsMax } from './browser.ts';
import { smallTargets, violationsOf } from './page-checks.ts';
import type { Product } from './product.ts';
import {
  chooseInMenu,
  chooseOnPage,
  closeDetails,
  expectNoSidewaysScroll,
  goTo,
  hasFocus,
  openDetails,
  openSession,
  post,
  queueRow,
  sees,
  toast,
  uploadByCall,
} from './steps.ts';
import { test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: /^Undo push/ });
const priceOf = (product: StoredProduct | undefined) => product?.variants[0]?.price;

/** Uploads a file and pushes it with calls; products that the store has get the values of the file. */
async function push(page: Page, name: string, content: string): Promise<string> {
  const id = await uploadByCall(page, { name, content });
  await post(page, `/api/queue/${id}/push`, { whenInStore: 'update' });
  const status = async () => (await (await page.request.get(`/api/jobs/${id}?rows=0`)).json()).status;
  await expect.poll(status, { timeout: waitMsMax }).toBe('completed');
  return id;
}

async function inStore({ store }: Product, title: string): Promise<StoredProduct | undefined> {
  return (await store.products()).find((product) => product.title === title);
}

/** A colleague changes a product in the store. */
async function changeInStore(product: Product, title: string, change: object): Promise<void> {
  const stored = await inStore(product, title);
  expect(stored, title).toBeDefined();
  await product.store.edit(stored?.id ?? 0, { author: 'Maria Lopez', ...change });
}

test('the wrong file is taken back, and a colleague’s price stays', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await createByMerchant(product, 'Oak lamp', 'L-1');
    await createByMerchant(product, 'Blue vase', 'V-1');
    await openSession(page);
    const rows = ['Oak lamp,99,L-1', 'Blue vase,98,V-1', 'Wool rug,97,R-1', 'Pine stool,96,S-1'];
    await push(page, 'wrong.csv', ['Title,Price,SKU', ...rows].join('\n'));
    expect(priceOf(await inStore(product, 'Oak lamp'))).toBe('99.00');
    await changeInStore(product, 'Wool rug', { price: '42.00' });

    await page.goto('/queue');
    await chooseInMenu(queueRow(page, 'wrong.csv'), 'Undo Push');
    const undo = dialog(page);
    const sums = undo.getByRole('list', { name: 'What will be done' });
    await sums.getByRole('button', { name: '1 product will be deleted' }).waitFor();
    await sums.getByRole('button', { name: '2 get their earlier values' }).waitFor();
    await page.getByRole('dialog', { name: /^Undo push of \d+:\d\d.* wrong\.csv$/ }).waitFor();
    await sees(undo, 'so the products can be pushed again');
    await sees(undo, /^This push can be undone until /);
    const kept = undo.getByRole('list', { name: 'Products', exact: true }).getByRole('listitem');
    await sees(kept, 'Wool rug');
    expect(await kept.count()).toBe(1);
    await kept.getByRole('button', { name: 'Show Values: Wool rug' }).click();
    const values = undo.getByRole('table', { name: 'Values of Wool rug' });
    await values.getByRole('row', { name: /price empty 97\.00 42\.00$/ }).waitFor();
    await kept.getByRole('button', { name: 'Who Changed It? Wool rug' }).click();
    await sees(undo.getByRole('list', { name: 'Changes in the store' }), /Maria Lopez changed/);
    expect(await violationsOf(page)).toEqual([]);
    const writes = await product.productWrites();
    await undo.getByRole('button', { name: 'Delete 1, Restore 2' }).click();
    await undo.waitFor({ state: 'detached' });

    await sees(await toast(page, 'Push undone'), 'wrong.csv: 1 deleted, 2 restored, 1 stayed.');
    await expect.poll(() => page.title()).toMatch(/^✓ wrong\.csv · /);
    expect(priceOf(await inStore(product, 'Oak lamp'))).toBe('1.00');
    expect(priceOf(await inStore(product, 'Blue vase'))).toBe('1.00');
    expect(priceOf(await inStore(product, 'Wool rug'))).toBe('42.00');
    expect(await inStore(product, 'Pine stool')).toBeUndefined();
    expect(await product.productWrites()).toBe(writes + 2);

    await openDetails(page);
    const card = page.getByRole('region', { name: 'In the store' });
    await sees(card, /^This push was undone .*: 1 deleted, 2 restored, 1 stayed\./);
    await closeDetails(page);
    const row = (number: number) => page.locator(`[data-row="${number}"]`);
    await sees(row(1), 'Restored.');
    const lamp = page.waitForEvent('popup');
    await row(1).getByRole('link', { name: 'View Oak lamp in the store' }).click();
    await (await lamp).getByRole('heading', { name: 'Oak lamp', level: 1 }).waitFor();
    // The first steps know it.
    expect(await page.evaluate(() => localStorage.getItem('draftshelf.store-seen'))).toBe('yes');
    await sees(row(4), 'Deleted.');
    await sees(page.getByRole('region', { name: 'Job Status' }), /^3\s*Undone$/);
    await openDetails(page);
    await card.getByRole('button', { name: 'Show Products' }).click();
    const done = undo.getByRole('list', { name: 'What was done' });
    await done.getByRole('button', { name: '1 Changed in the store' }).click();
    await undo.getByRole('heading', { name: '1 stayed as it is: Changed in the store' }).waitFor();
    const popup = page.waitForEvent('popup');
    await kept.getByRole('link', { name: 'View in Shopify: Wool rug' }).click();
    await (await popup).getByRole('heading', { name: 'Wool rug', level: 1 }).waitFor();
    await undo.press('Escape');

    // What was created and undone is counted beside each other.
    await goTo(page, 'Dashboard');
    const created = page
      .getByRole('region', { name: 'Statistics' })
      .locator('div', { hasText: 'Products Created' });
    await sees(created, /2\s*1 undone/);
    await sees(page.getByRole('region', { name: 'Products per day' }), /: 2 created, 2 updated, 1 undone\./);
    await goTo(page, 'History');
    await sees(page.getByRole('row', { name: /wrong\.csv/ }), /Push undone\s*3 products undone/);
  }));

test.runIf(isLong)(
  'on a phone and by keyboard: all are deleted anyway once their number is typed',
  ({ browser, product }) =>
    browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
      await openSession(page);
      const vases = Array.from({ length: 12 }, (_, at) => `Vase ${at + 1}`);
      const rows = vases.map((title, at) => `${title},${10 + at},VA-${at}`);
      const id = await push(page, 'vases.csv', ['Title,Price,SKU', ...rows].join('\n'));
      for (const title of vases.slice(1)) await changeInStore(product, title, { price: '5.00' });
      await page.goto(`/queue/${id}`);
      await chooseOnPage(page, 'Undo Push');
      const undo = dialog(page);
      const changed = undo.getByRole('button', { name: '11 Changed in the store' });
      await changed.waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await smallTargets(undo)).toEqual([]);
      const again = undo.getByRole('button', { name: 'Preview Again' });
      await again.press('Enter');
      await hasFocus(undo.getByLabel('Keep them'));
      await changed.press('Enter');
      const forAll = undo.getByRole('group', { name: 'Choice for all: Changed in the store' });
      await forAll.getByRole('button', { name: 'Delete Anyway' }).press('Enter');
      const start = undo.getByRole('button', { name: 'Delete 12', exact: true });
      const typed = undo.getByLabel('Type 12 to confirm the deletions');
      await typed.waitFor();
      expect(await start.getAttribute('aria-disabled')).toBe('true');
      // The lines show the choice, and none of them has moved.
      const chosen = undo.getByRole('list', { name: 'Products', exact: true });
      expect(await chosen.getByRole('button', { name: 'Delete Anyway', pressed: true }).count()).toBe(11);
      await undo.getByRole('heading', { name: '0 of 11 stay as they are: Changed in the store' }).waitFor();
      await undo.getByRole('button', { name: '0 Changed in the store', pressed: true }).waitFor();
      await again.press('Enter');
      const dropped = page.getByRole('alertdialog', { name: 'Preview again?' });
      await sees(dropped, 'Your choices about 11 products are dropped.');
      await dropped.getByRole('button', { name: 'Keep Choices' }).press('Escape');
      await hasFocus(again);
      await typed.fill('12');
      await expectNoSidewaysScroll(page);
      await product.store.fault({ kind: 'delay', delayMs: 15_000, operation: 'productDelete', times: 12 });
      await start.press('Enter');
      await undo.waitFor({ state: 'detached' });

      await sees(page.locator('#main'), 'Undoing Push');
      await sees(page, /of 12 undone/);
      const more = page.getByRole('button', { name: 'More actions' });
      await hasFocus(more);
      await chooseOnPage(page, 'Cancel Undo');
      const question = page.getByRole('alertdialog', { name: 'Cancel this undo?' });
      await sees(question, 'What was undone stays undone.');
      await question.getByRole('button', { name: 'Keep Undoing' }).click();
      await sees(await toast(page, 'Push undone'), 'vases.csv: 12 deleted.');
      expect((await product.store.products()).filter(({ title }) => title.startsWith('Vase'))).toEqual([]);
      await expectNoSidewaysScroll(page);
    }),
);

test.runIf(isLong)('an undo asks only what makes a difference', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await createByMerchant(product, 'Old bench', 'BE-1');
    await openSession(page);
    const updated = await push(page, 'benches.csv', 'Title,Price,SKU\nOld bench,10,BE-1');
    const created = await push(page, 'shelves.csv', 'Title,Price,SKU\nNew shelf,10,SH-1\nNew hook,5,HO-1');
    const undo = dialog(page);
    await page.goto(`/queue/${updated}?undo=push`);
    await undo.getByRole('button', { name: 'Restore 1', exact: true }).waitFor();
    expect(await undo.getByRole('radio').count()).toBe(0);

    await page.goto(`/queue/${created}?undo=push`);
    await undo.getByRole('radio', { name: 'Keep them' }).waitFor();
    const shelf = undo.getByRole('listitem').filter({ hasText: 'New shelf' });
    const choices = shelf.getByRole('group', { name: 'Choice for New shelf' }).getByRole('button');
    // It would be deleted without a choice, so deleting it is none.
    expect(await choices.allTextContents()).toEqual(['Keep', 'Archive']);
    await sees(shelf, 'Will be deleted');
    await choices.first().click();
    await undo.getByRole('button', { name: 'Delete 1', exact: true }).waitFor();
    expect(await choices.allTextContents()).toEqual(['Keep', 'Archive', 'Take Back']);
    expect(await shelf.getByText('Will be deleted').count()).toBe(0);
    await choices.last().click();
    await sees(shelf, 'Will be deleted');
  }),
);
