import { copyProducts } from '@draftshelf/core/push/store/store-products';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { demoShop } from '../../support/merchant-product.ts';
import { isLong } from '../../support/queue-backend.ts';
import { waitMsMax } from '../browser.ts';
import { smallTargets, violationsOf } from '../page-checks.ts';
import type { Product } from '../product.ts';
import {
  expectNoSidewaysScroll,
  goTo,
  hasFocus,
  openSession,
  post,
  put,
  queueRow,
  sees,
  signIn,
  signInAt,
  toast,
  uploadAndOpen,
} from '../steps.ts';
import { test } from '../test.ts';

// An operator's session, in order: each test continues where the previous one stopped.
const editor = (page: Page) => page.getByRole('dialog', { name: 'Rules' });

async function openRules(page: Page): Promise<void> {
  await page.goto('/settings?tab=csv');
  await editRules(page);
}

/** Opens the rules on the tab CSV Processing, which must be shown. */
async function editRules(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit Rules' }).press('Enter');
  await editor(page).getByRole('button', { name: 'Add Rule' }).waitFor();
}

/** Products of a type in the copy of the store, as many as a proposed rule needs. */
async function copyRugs({ database: { db } }: Product): Promise<void> {
  const rug = (nth: number) => ({
    ...{ id: `gid://shopify/Product/${nth}`, ourId: null, title: `Rug ${nth}`, vendor: '', type: 'Rugs' },
    ...{ status: 'ACTIVE', handle: `rug-${nth}`, skus: [], gtins: [], price: null, quantity: null },
    ...{ image: null, updatedAt: '2026-01-01T00:00:00Z' },
  });
  const rugs = Array.from({ length: 20 }, (_, at) => rug(at + 1));
  await copyProducts(db, demoShop, rugs);
}

async function chooseOption(page: Page, label: string, option: string): Promise<void> {
  await editor(page).getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Adds a rule for products with a word in their title. */
async function addRule(page: Page, { name, word, type }: { name: string; word: string; type: string }) {
  const dialog = editor(page);
  await dialog.getByRole('button', { name: 'Add Rule' }).press('Enter');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Words of condition 1').fill(word);
  await dialog.getByRole('textbox', { name: 'Type', exact: true }).fill(type);
}

test.runIf(isLong)(
  'rules are proposed from the store, and unsaved ones are not lost by leaving',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await signIn(page);
      await post(page, '/api/shopify/test');
      await page.goto('/settings');
      await page.getByRole('tab', { name: 'OneDrive' }).click();
      await page.getByRole('tab', { name: 'CSV Processing' }).click();
      await editRules(page);
      const dialog = editor(page);
      const propose = dialog.getByRole('button', { name: 'Propose Rules from My Store' });
      await propose.click();
      await sees(dialog, /^(Your store’s products haven’t been read yet|\d+ products? of your store)/);
      await copyRugs(product);
      await propose.press('Enter');
      await sees(dialog.getByRole('status'), /^\d+ rules? (was|were) proposed from your store\./);
      await sees(dialog, 'If title has word “rug”');
      await hasFocus(dialog.getByRole('list', { name: 'Rules' }));

      await page.goBack();
      const guard = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' });
      await sees(guard, 'Your changes to the rules haven’t been saved.');
      await page.keyboard.press('Escape');
      await guard.waitFor({ state: 'hidden' });
      await sees(dialog, 'If title has word “rug”');
      expect(await page.getByRole('alertdialog').count()).toBe(0);

      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard Changes' }).click();
      await dialog.waitFor({ state: 'detached' });
      await editRules(page);
      await propose.waitFor();
      // A form without changes is closed without a question.
      await dialog.getByRole('button', { name: 'Add Rule' }).press('Enter');
      await dialog.getByLabel('Name').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.goBack();
      await page.getByRole('tab', { name: 'OneDrive', selected: true }).waitFor();
    }),
);

test('a rule made in Settings is tried, saved, and gives proposals on an import', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const content =
      'Title,Price,SKU,Type\nCanvas print,9.90,CP-1,\nCanvas set,19.90,CP-2,Pictures\nRug,29.90,RU-1,\n';
    await uploadAndOpen(page, { name: 'canvas.csv', content });

    await openRules(page);
    const dialog = editor(page);
    await addRule(page, { name: 'Wall art', word: 'the', type: 'Wall Art' });
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await sees(dialog.getByRole('alert'), /^Enter a word to look for/);
    const words = dialog.getByLabel('Words of condition 1');
    await hasFocus(words);
    expect(await words.getAttribute('aria-invalid')).toBe('true');
    await words.fill('canvas');
    expect(await words.getAttribute('aria-invalid')).not.toBe('true');
    await dialog.getByRole('combobox', { name: 'Collections', exact: true }).click();
    await page.getByRole('option', { name: 'Clearance' }).waitFor();
    expect(await page.getByRole('option').allTextContents()).not.toContain('All Products');
    await page.getByRole('option', { name: 'Clearance' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).focus();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await sees(dialog, 'If title has word “canvas”');
    await sees(dialog, 'Type: Wall Art · Collections: Clearance');

    await dialog.getByRole('button', { name: 'Try', exact: true }).click();
    await sees(dialog.getByRole('status'), 'Tried on 3 products of canvas.csv. Nothing was changed.');
    const matches = dialog.getByRole('list', { name: 'Matches' });
    await sees(matches, '2 products, all of them with a new value');
    await sees(matches, 'Row 1: Canvas print – Type: Wall Art · Collections: Clearance');
    expect(await violationsOf(page)).toEqual([]);
    const isOn = dialog.getByRole('switch', { name: 'Wall art' });
    await isOn.press('Space');
    await matches.waitFor({ state: 'detached' });
    await isOn.press('Space');
    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Keep Editing' }).click();

    // A form's changes are discarded without the other rules.
    await dialog.getByRole('button', { name: 'Change Wall art' }).press('Enter');
    await dialog.getByLabel('Name').fill('Lost');
    await page.keyboard.press('Escape');
    await sees(question, 'Only the changes to this rule are discarded.');
    await question.getByRole('button', { name: 'Discard Changes' }).click();
    await hasFocus(dialog.getByRole('button', { name: 'Change Wall art' }));

    // What is changed while the rules are being saved stays.
    const held = Promise.withResolvers<void>();
    await page.route('**/api/rules', async (route) => {
      if (route.request().method() === 'PUT') await held.promise;
      return route.continue();
    });
    await dialog.getByRole('button', { name: 'Save Rules' }).click();
    await isOn.press('Space');
    held.resolve();
    await toast(page, 'Rules saved');
    await dialog.getByText('Unsaved changes', { exact: true }).waitFor();
    expect(await isOn.isChecked()).toBe(false);
    await isOn.press('Space');
    await dialog.getByText('No unsaved changes', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await goTo(page, 'Processing Queue');
    await queueRow(page, 'canvas.csv').getByRole('link', { name: 'canvas.csv' }).click();
    await page.getByRole('button', { name: /^\d+ Proposals?$/ }).click();
    const proposals = page.getByRole('list', { name: 'Proposals' });
    await sees(proposals, 'From your rules. By the rule “Wall art”.');
    await proposals.getByRole('button', { name: 'Accept the type of row 1' }).click();
    const { pool } = product.database;
    const edits = async () => (await pool.query('select field, after from edits')).rows;
    await expect.poll(edits, { timeout: waitMsMax }).toEqual([{ field: 'type', after: 'Wall Art' }]);
  }));

test.runIf(isLong)(
  'a preference of rules is saved at once, and what could not be read is read again',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/status of 503 .*\/api\/(preferences|queue)/] }, async (page) => {
      await signInAt(page, '/settings?tab=csv');
      await page.getByRole('button', { name: 'Edit Rules' }).waitFor();
      let isBusy = true;
      const busy = { status: 503, json: { message: 'The database is busy.' } };
      for (const path of ['**/api/preferences', '**/api/queue']) {
        await page.route(path, (route) => (isBusy ? route.fulfill(busy) : route.continue()));
      }
      await editRules(page);
      const failed = ['how rules are applied', 'the imports in review'].map((what) =>
        editor(page)
          .getByRole('alert')
          .filter({ hasText: `Couldn’t load ${what}.` }),
      );
      for (const alert of failed) await alert.waitFor();
      isBusy = false;
      for (const alert of failed) {
        await alert.getByRole('button', { name: 'Try Again' }).click();
        await alert.waitFor({ state: 'detached' });
      }
      await editor(page).getByRole('combobox', { name: 'Import', exact: true }).waitFor();
      await editor(page).getByRole('switch', { name: 'Fill empty fields at once' }).press('Space');
      const isSaved = async () => (await (await page.request.get('/api/preferences')).json()).rulesFillEmpty;
      await expect.poll(isSaved, { timeout: waitMsMax }).toBe(true);
    }),
);

test.runIf(isLong)(
  'on a phone rules are moved, switched off and deleted by keyboard, and another tab is not overwritten',
  ({ browser }) =>
    browser.visit(
      {
        viewport: { width: 390, height: 844 },
        touch: true,
        expectedConsole: [/status of 409 .*\/api\/rules/],
      },
      async (page) => {
        await signIn(page);
        await openRules(page);
        const dialog = editor(page);
        await addRule(page, { name: 'Vases', word: 'vase', type: 'Vases' });
        await chooseOption(page, 'Field of condition 1', 'Brand');
        await dialog.getByRole('button', { name: 'Add Condition' }).press('Enter');
        await chooseOption(page, 'Field of condition 2', 'Price');
        await dialog.getByRole('button', { name: 'Add Condition' }).press('Enter');
        await dialog.getByRole('button', { name: 'Remove condition 3' }).press('Enter');
        await hasFocus(dialog.getByText('If all of these are true'));
        const lowest = dialog.getByRole('textbox', { name: 'Lowest price of condition 2' });
        await lowest.fill('');
        await lowest.pressSequentially('9.90');
        expect(await lowest.inputValue()).toBe('9.90');
        await dialog.getByRole('textbox', { name: 'Highest price of condition 2' }).fill('50');
        await expectNoSidewaysScroll(page);
        expect(await smallTargets(dialog)).toEqual([]);
        await dialog.getByRole('button', { name: 'Add', exact: true }).press('Enter');
        await sees(dialog, 'If brand has word “vase” and price is between 9.9 and 50');
        const up = dialog.getByRole('button', { name: 'Move Vases up' });
        await up.press('Enter');
        await sees(dialog, 'Vases is rule 1 of 2 now.');
        await hasFocus(up);
        await dialog.getByRole('switch', { name: 'Wall art' }).press('Space');
        await expectNoSidewaysScroll(page);
        expect(await violationsOf(page)).toEqual([]);
        expect(await smallTargets(dialog)).toEqual([]);

        const { rules, version } = await (await page.request.get('/api/rules')).json();
        const theirs = [{ ...rules[0], name: 'Renamed', set: { collections: ['Gone'] } }];
        await put(page, '/api/rules', { version, rules: theirs });
        await dialog.getByRole('button', { name: 'Save Rules' }).press('Enter');
        await sees(dialog.getByRole('alert'), 'The rules have been changed in another tab.');
        await dialog.getByRole('button', { name: 'Use Theirs' }).press('Enter');
        await sees(dialog, 'Gone: This collection isn’t in the store any more.');
        await hasFocus(dialog.getByText('No unsaved changes', { exact: true }));
        // Another tab saves while the editor is closed.
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        const now = await (await page.request.get('/api/rules')).json();
        const renamed = [{ ...now.rules[0], name: 'Renamed again' }];
        await put(page, '/api/rules', { version: now.version, rules: renamed });
        await editRules(page);
        await dialog.getByRole('button', { name: 'Delete Renamed again' }).press('Enter');
        await dialog.getByRole('button', { name: 'Save Rules' }).press('Enter');
        await toast(page, 'Rules saved');
        expect((await (await page.request.get('/api/rules')).json()).rules).toEqual([]);
      },
    ),
);
