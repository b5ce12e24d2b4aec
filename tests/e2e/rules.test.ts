import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitMsMax } from './browser.ts';
import { smallTargets, violationsOf } from './page-checks.ts';
import { expectNoSidewaysScroll, goTo, queueRow, sees, signIn, toast, uploadAndOpen } from './steps.ts';
import { test } from './test.ts';

// An operator's session, in order: each test continues where the previous one stopped.
const editor = (page: Page) => page.getByRole('dialog', { name: 'Rules' });
const rows = (page: Page) => page.getByRole('table', { name: 'Product rows' });

async function openRules(page: Page): Promise<void> {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Edit Rules' }).press('Enter');
  await editor(page).getByRole('button', { name: 'Add Rule' }).waitFor();
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

test('a rule made in Settings is tried, saved, and gives proposals on an import', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    const content =
      'Title,Price,SKU,Type\nCanvas print,9.90,CP-1,\nCanvas set,19.90,CP-2,Pictures\nRug,29.90,RU-1,\n';
    await uploadAndOpen(page, { name: 'canvas.csv', content });

    await openRules(page);
    const dialog = editor(page);
    await dialog.getByRole('button', { name: 'Propose Rules from My Store' }).click();
    await sees(dialog, /^(Your store’s products have not been read yet|\d+ products? of your store)/);
    await addRule(page, { name: 'Wall art', word: 'the', type: 'Wall Art' });
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await sees(dialog.getByRole('alert'), /^Enter a word to look for/);
    await dialog.getByLabel('Words of condition 1').fill('canvas');
    await dialog.getByRole('combobox', { name: 'Collections', exact: true }).click();
    const offered = await page.getByRole('option').allTextContents();
    expect(offered).toContain('Clearance');
    expect(offered).not.toContain('All Products');
    await page.getByRole('option', { name: 'Clearance' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).focus();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await sees(dialog, 'If title has word “canvas”');
    await sees(dialog, 'Type: Wall Art · Collections: Clearance');

    await dialog.getByRole('button', { name: 'Try', exact: true }).click();
    await sees(dialog, 'Tried on 3 products. Nothing was changed.');
    const matches = dialog.getByRole('list', { name: 'Matches' });
    await sees(matches, '2 products, all of them with a new value');
    await sees(matches, 'Row 1: Canvas print – Type: Wall Art · Collections: Clearance');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep Editing' }).click();
    await dialog.getByRole('button', { name: 'Save Rules' }).click();
    await toast(page, 'Rules Saved');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await goTo(page, 'Processing Queue');
    await queueRow(page, 'canvas.csv').getByRole('link', { name: 'canvas.csv' }).click();
    const proposals = page.getByRole('list', { name: 'Proposals' });
    await sees(proposals, 'From your rules. By the rule “Wall art”.');
    await proposals.getByRole('button', { name: 'Take the type of row 1' }).click();
    const { pool } = product.database;
    const edits = async () => (await pool.query('select field, after from edits')).rows;
    await expect.poll(edits, { timeout: waitMsMax }).toEqual([{ field: 'type', after: 'Wall Art' }]);
  }));

test('by preference a rule fills empty fields at once, and a push sends them with the collection', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    await openRules(page);
    await editor(page).getByRole('switch', { name: 'Fill empty fields at once' }).press('Space');
    const isSaved = async () => (await (await page.request.get('/api/preferences')).json()).rulesFillEmpty;
    await expect.poll(isSaved, { timeout: waitMsMax }).toBe(true);
    await page.keyboard.press('Escape');
    const content = 'Title,Price,SKU\nCanvas roll,39.90,CR-1\n';
    await uploadAndOpen(page, { name: 'roll.csv', content });
    const found = async () => {
      const { rows: values } = await product.database.pool.query(
        `select 1 from found_values join imports on imports.id = import_id
         where filename = 'roll.csv' and found_values.source = 'rule'`,
      );
      return values;
    };
    await expect.poll(async () => (await found()).length, { timeout: waitMsMax }).toBeGreaterThan(0);
    await page.reload();
    await sees(rows(page), 'Canvas roll');
    await goTo(page, 'Processing Queue');
    await queueRow(page, 'roll.csv').getByRole('button', { name: 'Push to Shopify' }).click();
    await sees(queueRow(page, 'roll.csv'), '1 uploaded to Shopify');
    type InStore = { title: string; productType: string; collectionIds: string[] };
    const inStore = (await product.store.products()) as unknown as InStore[];
    expect(inStore.find(({ title }) => title === 'Canvas roll')).toMatchObject({
      productType: 'Wall Art',
      collectionIds: [expect.any(String)],
    });
  }));

test('on a phone rules are moved, switched off and deleted by keyboard, and another tab is not overwritten', ({
  browser,
}) =>
  browser.visit(
    { viewport: { width: 390, height: 844 }, touch: true, expectedConsole: [/status of 409 .*\/api\/rules/] },
    async (page) => {
      await signIn(page);
      await openRules(page);
      const dialog = editor(page);
      await addRule(page, { name: 'Vases', word: 'vase', type: 'Vases' });
      await chooseOption(page, 'Field of condition 1', 'Brand');
      await dialog.getByRole('button', { name: 'Add Condition' }).press('Enter');
      await chooseOption(page, 'Field of condition 2', 'Price');
      await dialog.getByRole('textbox', { name: 'Highest price of condition 2' }).fill('50');
      await expectNoSidewaysScroll(page);
      expect(await smallTargets(dialog)).toEqual([]);
      await dialog.getByRole('button', { name: 'Add', exact: true }).press('Enter');
      await sees(dialog, 'If brand has word “vase” and price is between 0 and 50');
      const up = dialog.getByRole('button', { name: 'Move Vases up' });
      await up.press('Enter');
      await sees(dialog, 'Vases is rule 1 of 2 now.');
      const hasFocus = () => up.evaluate((button) => button === document.activeElement);
      await expect.poll(hasFocus, { timeout: waitMsMax }).toBe(true);
      await dialog.getByRole('switch', { name: 'Wall art' }).press('Space');
      await expectNoSidewaysScroll(page);
      expect(await violationsOf(page)).toEqual([]);
      expect(await smallTargets(dialog)).toEqual([]);

      const { rules, version } = await (await page.request.get('/api/rules')).json();
      const theirs = [{ ...rules[0], name: 'Renamed', set: { collections: ['Gone'] } }];
      const saved = await page.request.put('/api/rules', { data: { version, rules: theirs } });
      expect(saved.status()).toBe(200);
      await dialog.getByRole('button', { name: 'Save Rules' }).press('Enter');
      await sees(dialog.getByRole('alert'), 'The rules have been changed in another tab.');
      await dialog.getByRole('button', { name: 'Use Theirs' }).press('Enter');
      await sees(dialog, 'Gone: This collection isn’t in the store any more.');
      await dialog.getByRole('button', { name: 'Delete Renamed' }).press('Enter');
      await dialog.getByRole('button', { name: 'Save Rules' }).press('Enter');
      await toast(page, 'Rules Saved');
      expect((await (await page.request.get('/api/rules')).json()).rules).toEqual([]);
    },
  ));
