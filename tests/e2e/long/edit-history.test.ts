import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserOf } from '../../support/api-client.ts';
import { waitMsMax } from '../browser.ts';
import { violationsOf } from '../page-checks.ts';
import { accessKey } from '../product.ts';
import { chooseOnPage, goTo, sees, signIn, toast, uploadByCall } from '../steps.ts';
import { test } from '../test.ts';

/** A file of its own for each test, so that no edits of an equal one are taken over. */
const fileOf = (first: string) => `Title,Price\n${first},1.90\nVase,2.90\nBowl,3.90\n`;

async function openNew(page: Page, first: string): Promise<string> {
  await signIn(page);
  const id = await uploadByCall(page, { name: `${first}.csv`, content: fileOf(first) });
  await page.goto(`/queue/${id}?class=all`);
  await page.locator('[data-row="1"]').waitFor();
  return id;
}

async function edit(page: Page, row: number, price: string): Promise<void> {
  await page.getByRole('button', { name: `Edit row ${row}` }).click();
  await page.getByLabel(`Price of row ${row}`, { exact: true }).fill(price);
  await page.locator(`[data-row="${row}"]`).getByRole('button', { name: 'Save', exact: true }).click();
  await sees(page.locator(`[data-row="${row}"]`), shown(price));
}

const shown = (price: string) => `$${Number(price).toFixed(2)}`;

/** Waits until the rows have these prices. */
async function expectPrices(page: Page, ...prices: string[]): Promise<void> {
  for (const [at, price] of prices.entries())
    await sees(page.locator(`[data-row="${at + 1}"]`), shown(price));
}

/** A key for the screen: not in a field. */
async function press(page: Page, key: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press(key);
}

const list = (page: Page) => page.getByRole('list', { name: 'Changes of this import' });
const line = (page: Page, sentence: string) => list(page).getByRole('listitem').filter({ hasText: sentence });

test('a saved edit can be undone in its notification, and that redone', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openNew(page, 'Lamp');
    await edit(page, 1, '5');
    const saved = await toast(page, 'Saved');
    await sees(saved, 'Price of row 1 changed to “5”.');
    await saved.getByRole('button', { name: 'Undo' }).click();
    const undone = await toast(page, 'Change undone');
    await sees(undone, 'Price of row 1 changed to “5”.');
    await expectPrices(page, '1.90');
    await undone.getByRole('button', { name: 'Redo' }).click();
    await toast(page, 'Change redone');
    await expectPrices(page, '5');
    // The history keeps it, so the list of notifications does not.
    await page.getByRole('button', { name: 'Recent notifications' }).click();
    await sees(
      page.getByRole('dialog', { name: 'Recent notifications' }),
      'No notifications in this tab yet.',
    );
  }));

test('Ctrl Z and Ctrl Shift Z undo and redo the changes of this browser, also after a reload', ({
  browser,
  product,
}) =>
  browser.visit({ expectedConsole: [/status of 409/] }, async (page) => {
    const id = await openNew(page, 'Keys');
    const other = browserOf(product.apiUrl);
    await other.login(accessKey);
    await edit(page, 1, '5');
    await edit(page, 2, '6');
    await edit(page, 2, '7');
    await other.call('PATCH', `/api/queue/${id}/rows/3`, { body: { values: { price: '9' } } });
    await page.reload();
    await expectPrices(page, '5', '7', '9');

    // A field has an undo of its own.
    await page.getByLabel('Search rows').fill('a');
    await page.keyboard.press('Control+z');
    await page.getByLabel('Search rows').fill('');
    await page.goto(`/queue/${id}?class=all`);
    await expectPrices(page, '5', '7', '9');

    await press(page, 'Control+z');
    await sees(await toast(page, 'Change undone'), 'Price of row 2 changed to “7”.');
    await expectPrices(page, '5', '6', '9');
    // Two presses undo two changes.
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expectPrices(page, '1.90', '2.90', '9');
    await page.keyboard.press('Control+z');
    const nothing = await toast(page, 'Nothing to undo');
    expect(await nothing.getAttribute('data-tone')).toBe('neutral');
    for (let at = 0; at < 3; at++) await page.keyboard.press('Control+Shift+z');
    await expectPrices(page, '5', '7', '9');
    await page.keyboard.press('Control+Shift+z');
    await toast(page, 'Nothing to redo');

    // What somebody else has changed since is left, and the change before it is undone next.
    await other.call('PATCH', `/api/queue/${id}/rows/2`, { body: { values: { price: '10' } } });
    await page.keyboard.press('Control+z');
    await sees(
      await toast(page, 'Couldn’t undo the change'),
      'Nothing was undone. All values of this change have been edited since.',
    );
  }));

test('the history undoes changes in any order, and says who made them', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    const id = await openNew(page, 'Drawer');
    await chooseOnPage(page, 'History of Changes');
    await sees(page.getByRole('dialog', { name: 'History' }), 'No changes yet');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'History' }).waitFor({ state: 'detached' });

    const other = browserOf(product.apiUrl);
    await other.login(accessKey);
    await edit(page, 1, '5');
    await edit(page, 2, '6');
    await other.call('PATCH', `/api/queue/${id}/rows/3`, {
      body: { values: { price: '9', title: 'Cup' } },
    });
    await chooseOnPage(page, 'History of Changes');
    await expect
      .poll(() => list(page).getByRole('listitem').allTextContents(), { timeout: waitMsMax })
      .toEqual([
        expect.stringMatching(/^Price and Title of row 3 changed|^Title and Price of row 3 changed/),
        expect.stringContaining('Price of row 2 changed to “6”You, in this browser'),
        expect.stringContaining('Price of row 1 changed to “5”You, in this browser'),
      ]);
    await sees(line(page, 'of row 3 changed'), 'An API call');
    await line(page, 'row 1').getByRole('button', { name: /^Undo/ }).click();
    await sees(line(page, 'row 1'), 'Undone: You, in this browser');
    // The button keeps the focus, as Redo.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Redo');
    await line(page, 'of row 3').getByRole('button', { name: /^Undo/ }).click();
    await sees(line(page, 'of row 3'), 'Undone');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expectPrices(page, '1.90', '6', '3.90');
    await chooseOnPage(page, 'History of Changes');
    await line(page, 'row 1').getByRole('button', { name: /^Redo/ }).click();
    await line(page, 'row 1').getByRole('button', { name: /^Undo/ }).waitFor();
    await page.keyboard.press('Escape');
    await expectPrices(page, '5', '6', '3.90');
  }));

test('edits of an earlier upload are removed and applied again, from the notice', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openNew(page, 'Copied');
    await edit(page, 1, '5');
    await edit(page, 2, '6');
    const id = await uploadByCall(page, { name: 'again.csv', content: fileOf('Copied') });
    await goTo(page, 'Dashboard');
    await page.goto(`/queue/${id}?class=all`);
    await expectPrices(page, '5', '6', '3.90');
    await sees(page, 'Edits of 2 rows were copied from the earlier upload.');
    await page.getByRole('button', { name: 'Remove These Edits' }).click();
    await sees(page, 'The edits of 2 rows were removed.');
    await expectPrices(page, '1.90', '2.90', '3.90');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Apply These Edits Again' }).click();
    await expectPrices(page, '5', '6', '3.90');
    await chooseOnPage(page, 'History of Changes');
    const copied = line(page, 'Edits of an earlier upload copied');
    await sees(copied, 'Draftshelf');
    await copied.getByRole('button', { name: /^Undo/ }).click();
    await sees(copied, 'Undone');
    await page.keyboard.press('Escape');
    await expectPrices(page, '1.90', '2.90', '3.90');
  }));
