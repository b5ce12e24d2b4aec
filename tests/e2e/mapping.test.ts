import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserOf, csvForm } from '../support/api-client.ts';
import { isLong } from '../support/queue-backend.ts';
import { violationsOf } from './page-checks.ts';
import { accessKey } from './product.ts';
import {
  choose,
  goTo,
  openDetails,
  sees,
  seesClasses,
  signIn,
  signInAt,
  toast,
  uploadByCall,
} from './steps.ts';
import { test } from './test.ts';

const may = 'Item Name,Price,Dealer,EAN,Colour\nLamp,10,7,,red\nVase,20,14,,blue\n';
const june = 'Item Name,Price,Dealer,EAN,Colour,MSRP\nLamp,11,8,,red,15\nVase,21,15,,blue,25\n';

const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'Field Mapping' });
const previewOf = (page: Page) => page.getByRole('region', { name: 'CSV preview' });
const cardOf = (page: Page) => page.getByRole('region', { name: /^Field Mapping/ });
const chip = (page: Page, text: RegExp) => previewOf(page).getByRole('listitem').filter({ hasText: text });

const namesOf = (elements: Element[]) => [
  ...new Set(elements.map((element) => element.getAttribute('aria-label'))),
];
const expectFocus = (control: Locator) =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true);

async function openDrawer(page: Page) {
  await page.getByRole('button', { name: 'Change Mapping…' }).click();
  await drawerOf(page).getByLabel('Column for Title').first().waitFor();
  return drawerOf(page);
}

async function pickColumn(page: Page, field: string, column: string): Promise<void> {
  await drawerOf(page).getByLabel(`Column for ${field}`).first().click();
  await page.getByRole('option', { name: new RegExp(`^${column}`) }).click();
}

async function uploadChosen(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Upload 2 Products' }).click();
  await toast(page, 'CSV Processing Complete!');
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('table', { name: 'Product rows' }).waitFor();
  await openDetails(page);
}

test('a column corrected in the preview is uploaded, remembered for the next file, and forgotten', ({
  browser,
}) =>
  browser.visit({}, async (page) => {
    await signInAt(page, '/upload');
    await choose(page, { name: 'prices-may.csv', content: may });
    await chip(page, /^Price.*Price$/).waitFor();
    const drawer = await openDrawer(page);
    await pickColumn(page, 'Price', 'Dealer');
    await sees(drawer, 'Set by you');
    await drawer.getByRole('button', { name: 'Apply Mapping' }).click();
    await drawer.waitFor({ state: 'detached' });
    await chip(page, /^Dealer.*Price.*set by you$/).waitFor();
    await uploadChosen(page);
    await sees(cardOf(page), '1 column set by you.');
    await sees(page.getByRole('table', { name: 'Product rows' }), '$7.00');

    await goTo(page, 'Upload CSV');
    await choose(page, { name: 'prices-june.csv', content: june });
    await sees(previewOf(page), 'Remembered from prices-may.csv');
    await chip(page, /^Dealer.*Price.*remembered$/).waitFor();
    await uploadChosen(page);
    await sees(cardOf(page), '1 column remembered from prices-may.csv.');
    await sees(page.getByRole('table', { name: 'Product rows' }), '$8.00');

    await goTo(page, 'Settings');
    await page.getByRole('tab', { name: 'CSV Processing' }).click();
    const section = page.getByRole('region', { name: 'Remembered mappings' });
    await sees(section, 'Dealer → Price');
    await sees(section, 'used 1 time');
    await section.getByRole('button', { name: 'Forget the mapping of prices-may.csv' }).click();
    await sees(section, 'Nothing is remembered yet.');

    await goTo(page, 'Upload CSV');
    await choose(page, { name: 'prices-july.csv', content: june.replace('Lamp', 'Bowl') });
    await chip(page, /^Price.*Price$/).waitFor();
    await uploadChosen(page);
    await sees(cardOf(page), 'columns used, matched automatically.');
    await sees(page.getByRole('table', { name: 'Product rows' }), '$11.00');
  }));

test.runIf(isLong)('what is remembered can be forgotten in the preview', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    const content = may.replaceAll(',', ';');
    const api = browserOf(product.apiUrl);
    await api.login(accessKey);
    const before = { mapping: '{"Dealer":"price"}' };
    await api.upload(csvForm(content, { filename: 'earlier.csv', before }));
    await signInAt(page, '/upload');
    await choose(page, { name: 'later.csv', content });
    await chip(page, /^Dealer.*Price.*remembered$/).waitFor();
    const drawer = await openDrawer(page);
    await sees(drawer, 'Remembered from earlier.csv');
    await sees(drawer, 'from earlier.csv');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await previewOf(page).getByRole('button', { name: 'Forget' }).click();
    await toast(page, 'Mapping forgotten');
    await chip(page, /^Price.*Price$/).waitFor();
    expect(await previewOf(page).getByText('Remembered from').count()).toBe(0);
    const change = page.getByRole('button', { name: 'Change Mapping…' });
    expect(await change.evaluate((button) => button === document.activeElement)).toBe(true);
  }),
);

test.runIf(isLong)('the drawer works with the keyboard, and asks before changes are lost', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signInAt(page, '/upload');
    await choose(page, { name: 'keys.csv', content: may.replace('Colour', 'Farbe') });
    await chip(page, /^Price.*Price$/).waitFor();
    const change = page.getByRole('button', { name: 'Change Mapping…' });
    const hasFocus = () => change.evaluate((button) => button === button.ownerDocument.activeElement);
    await change.focus();
    await page.keyboard.press('Enter');
    const drawer = drawerOf(page);
    await drawer.waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(hasFocus).toBe(true);

    await page.keyboard.press('Enter');
    await drawer.waitFor();
    const column = drawer.getByLabel('Column for Type').first();
    await column.focus();
    await page.keyboard.type('far');
    await page.keyboard.press('Enter');
    await sees(drawer, 'Set by you');
    // The field stays in its group until it is saved.
    const group = (name: string) => drawer.getByRole('region', { name }).getByLabel(/^Column for [^:]*$/);
    expect(await group('Required').evaluateAll(namesOf)).toEqual(['Column for Title', 'Column for Price']);
    expect(await group('Not used').evaluateAll(namesOf)).toContain('Column for Type');
    await page.keyboard.press('Escape');
    const asked = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await asked.waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    expect(await drawer.getByRole('button', { name: 'Apply Mapping' }).isDisabled()).toBe(false);
    await page.keyboard.press('Escape');
    await asked.getByRole('button', { name: 'Discard Changes' }).click();
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(hasFocus).toBe(true);

    await page.keyboard.press('Enter');
    await drawer.waitFor();
    expect(await drawer.getByText('Set by you').count()).toBe(0);
    expect(await drawer.getByRole('button', { name: 'Apply Mapping' }).isDisabled()).toBe(true);
  }),
);

test.runIf(isLong)(
  'a required field without a column is read from the column that the page names',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await signIn(page);
      const csv = {
        ...{ name: 'named.csv', mimeType: 'text/csv' },
        buffer: Buffer.from('Item Title,RRP,Shade\nLamp,15.00,red\nVase,25.00,blue\n'),
      };
      const multipart = { mapping: JSON.stringify({ RRP: null }), csv };
      const uploaded = await page.request.post('/api/upload', { multipart });
      expect(uploaded.status()).toBe(200);
      const { id } = await uploaded.json();
      await page.goto(`/queue/${id}`);
      const list = page.locator('[data-fact="no-column"]');
      await sees(list, 'Price has no column.');
      await sees(list, '2 products');
      await list.getByRole('button', { name: 'Use RRP' }).click();
      await seesClasses(page, '2 valid');
      // It has left nothing to say, and can be taken back.
      await list.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Restore Previous Reading' }).click();
      await sees(list, 'Price has no column.');
      const rows = page.getByRole('table', { name: 'Product rows' });
      await rows.getByRole('button', { name: 'Price: choose a column' }).click();
      await page.getByRole('option', { name: /^RRP/ }).click();
      await seesClasses(page, '2 valid');
      await rows.getByRole('button', { name: 'Column for Price: RRP' }).waitFor();
    }),
);

test.runIf(isLong)(
  'the heads of the preview show the field of each column, and choose another one',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await signInAt(page, '/upload');
      const content = 'Product Name,RRP,Tint\nLamp,15.00,red\nVase,25.00,blue\n';
      await choose(page, { name: 'heads.csv', content });
      const table = page.getByRole('table', { name: 'Rows of the file' });
      const heads = table.getByRole('columnheader');
      const rrp = (field: string) => table.getByRole('button', { name: `Field of RRP: ${field}` });
      await table.getByRole('button', { name: 'Field of Tint: not used' }).waitFor();
      await rrp('Price').click();
      const choice = page.getByRole('dialog', { name: 'Field of RRP' });
      await sees(choice, '25.00');
      expect(await violationsOf(page)).toEqual([]);
      await choice.getByRole('option', { name: /^Not used/ }).click();
      await choice.waitFor({ state: 'detached' });
      await expectFocus(rrp('not used'));

      // A required field without a column comes first, and all chips are one Tab stop.
      expect(await heads.allTextContents()).toContainEqual('Price — choose a column');
      expect(await heads.nth(1).textContent()).toBe('Price — choose a column');
      expect(await table.locator('[data-chip][tabindex="0"]').count()).toBe(1);
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      const columns = page.getByRole('dialog', { name: 'Column for Price' });
      await columns.getByRole('option', { name: /^RRP/ }).waitFor();
      await page.keyboard.press('Escape');
      await columns.waitFor({ state: 'detached' });
      await expectFocus(table.getByRole('button', { name: 'Price — choose a column' }));
      await page.keyboard.press('Enter');
      await page.keyboard.type('25.0');
      await page.keyboard.press('Enter');
      await expectFocus(rrp('Price'));
      await chip(page, /^RRP.*Price.*set by you$/).waitFor();
      await sees(previewOf(page), '2 valid');
      expect(await heads.nth(1).textContent()).toContain('Product Name');
    }),
);

test.runIf(isLong)(
  'the heads of the rows name the columns of the fields, and another one is chosen there',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await signIn(page);
      const id = await uploadByCall(page, { name: 'row-heads.csv', content: may.replace('Colour', 'Hue') });
      await page.goto(`/queue/${id}`);
      const rows = page.getByRole('table', { name: 'Product rows' });
      await sees(rows, '$10.00');
      const chips = rows.locator('thead [data-chip]');
      await rows.getByRole('button', { name: 'Column for Title: Item Name' }).focus();
      await expect.poll(() => rows.locator('thead [tabindex="0"]').count()).toBe(1);
      await page.keyboard.press('ArrowRight');
      await expectFocus(rows.getByRole('button', { name: 'Sort by Price' }));
      await page.keyboard.press('ArrowDown');
      await expectFocus(rows.locator('tbody td[data-field="price"]').first());
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowRight');
      await expectFocus(rows.getByRole('button', { name: 'Column for Price: Price' }));
      await page.keyboard.press('Enter');
      const choice = page.getByRole('dialog', { name: 'Column for Price' });
      await sees(choice.getByRole('option', { name: /^Dealer/ }), '7');
      expect(await violationsOf(page)).toEqual([]);
      await choice.getByRole('option', { name: /^Dealer/ }).click();
      await sees(rows, '$7.00');
      const dealer = rows.getByRole('button', { name: 'Column for Price: Dealer' });
      await expectFocus(dealer);
      expect(await chips.count()).toBe(4);
      await page.getByRole('button', { name: 'Restore Previous Reading' }).click();
      await sees(rows, '$10.00');
    }),
);

test.runIf(isLong)(
  'a price that can be read in two ways is answered in the preview, and for the next file',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      const list = 'Item Name,Retail,Maker No\nTable,1.299,T-1\nStool,649,S-1\n';
      await signInAt(page, '/upload');
      await choose(page, { name: 'tables.csv', content: list });
      const question = previewOf(page).getByRole('group', {
        name: 'Price can be read in two ways: “1.299” is 1.30 or 1,299.00.',
      });
      await question.getByRole('button', { name: '1,299.00' }).click();
      await question.waitFor({ state: 'detached' });
      await uploadChosen(page);
      await sees(page.getByRole('table', { name: 'Product rows' }), '$1299.00');

      await goTo(page, 'Upload CSV');
      await choose(page, { name: 'tables-2.csv', content: list.replace('649', '749') });
      await sees(previewOf(page), 'Remembered from tables.csv');
      await uploadChosen(page);
      await sees(page.getByRole('table', { name: 'Product rows' }), '$1299.00');
    }),
);
