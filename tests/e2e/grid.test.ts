import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { waitMsMax } from './browser.ts';
import { button, filters, open, openNext, row } from './change-steps.ts';
import { violationsOf } from './page-checks.ts';
import { hasFocus, holdReplies, hurryPolls, sees, toast, upload } from './steps.ts';
import { test } from './test.ts';

/** 60 rows: three have no price, and three others no title. */
const lines = Array.from({ length: 60 }, (_, at) => {
  const number = at + 1;
  const title = number % 25 === 9 ? '' : `Vase ${number}`;
  const price = number % 20 === 5 ? '' : `${100 - number}.50`;
  return `${title},${price},0.10,GLASS-VASE-BLOWN-BY-HAND-${number},`;
});
const content = `Title,Price,Cost,SKU,Tags\n${lines.join('\n')}\n`;

const cell = (page: Page, number: number, field: string) =>
  row(page, number).locator(`td[data-field="${field}"]`);
const marked = (page: Page) => page.locator('td[aria-selected="true"]');
const firstRows = (page: Page, count: number) =>
  page
    .locator('[data-row]')
    .evaluateAll(
      (rows, max) => rows.slice(0, max).map((one) => Number((one as HTMLElement).dataset.row)),
      count,
    );
const copy = async (page: Page, text: string) =>
  page.evaluate((copied) => navigator.clipboard.writeText(copied), text);

test('cells are marked, copied, pasted with a preview, filled, and undone', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await hurryPolls(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const id = await upload(product, 'grid.csv', content);
    await open(page, id);

    await cell(page, 6, 'price').hover();
    await page.mouse.down();
    await cell(page, 8, 'cost').hover();
    await page.mouse.up();
    await expect.poll(() => marked(page).count()).toBe(6);
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('');

    // Keys mark cells from the one that has the focus.
    await cell(page, 2, 'price').focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => marked(page).count()).toBe(6);
    await sees(page.locator('[role="status"]'), '3 rows × 2 columns selected');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Control+c');
    const copied = () =>
      page.evaluate(async () => {
        const [item] = await navigator.clipboard.read();
        const read = async (type: string) => (await (await item?.getType(type))?.text()) ?? '';
        const html = await read('text/html');
        return [(await read('text/plain')).replaceAll('\r', ''), html.match(/<td/g)?.length];
      });
    await expect
      .poll(() => copied().catch(() => []), { timeout: waitMsMax })
      .toEqual(['98.50\t0.10\n97.50\t0.10\n96.50\t0.10', 6]);
    await page.keyboard.press('Escape');
    await expect.poll(() => marked(page).count()).toBe(0);

    // A change of one cell is saved at once, like a typed value, and one that changes nothing says so.
    await cell(page, 2, 'price').focus();
    await page.keyboard.press('Control+x');
    await sees(cell(page, 2, 'price'), 'Missing');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('98.50');
    await page.keyboard.press('Control+d');
    await sees(cell(page, 2, 'price'), '$99.50');
    await page.keyboard.press('Control+d');
    await sees(await toast(page, 'Nothing to fill'), 'The cell has this value already.');
    await cell(page, 3, 'cost').focus();
    await page.keyboard.press('Delete');
    await cell(page, 3, 'cost').getByText('0.10').waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+z');
    await sees(cell(page, 3, 'cost'), '0.10');

    // After Tab has saved a field, nothing is typed in the row: Ctrl Z undoes the saved change, and ends the edit.
    await cell(page, 4, 'price').focus();
    await page.keyboard.type('12');
    await page.keyboard.press('Tab');
    await page.getByRole('status').filter({ hasText: 'Price of row 4' }).waitFor({ state: 'attached' });
    await page.keyboard.press('Control+z');
    await sees(cell(page, 4, 'price'), '96.50');
    expect(await page.locator('[data-editing]').count()).toBe(0);

    // A block goes on in the rows behind the page, and is one command.
    await copy(
      page,
      Array.from({ length: 30 }, (_, at) => `${at + 1}.75\t${at === 2 ? 'soon' : '0.25'}`).join('\r\n'),
    );
    await cell(page, 10, 'price').focus();
    await page.keyboard.press('Control+v');
    const pasting = page.getByRole('dialog', { name: 'Paste 30 rows × 2 columns' });
    await sees(pasting, 'Pasted: price, cost');
    await sees(pasting, '1 cell: the field can’t have this value. The first is “soon” in row 12.');
    await button(pasting, 'Change 30 Rows').click();
    await pasting.waitFor({ state: 'detached' });
    await sees(cell(page, 10, 'price'), '1.75');
    await sees(cell(page, 12, 'cost'), '0.10');
    await button(page, '2').click();
    await sees(cell(page, 39, 'price'), '30.75');
    const pasted = await toast(page, 'Pasted: price, cost');
    await sees(pasted, 'Left unchanged: 1 value (the field can’t have this value), in row 12.');
    await pasted.getByRole('button', { name: 'Undo' }).click();
    await sees(cell(page, 39, 'price'), '61.50');

    // A block that does not fit is refused as a whole.
    await copy(page, 'a\tb\tc\td\te\tf\tg\th\ti\tj\tk');
    await cell(page, 30, 'price').focus();
    await page.keyboard.press('Control+v');
    await toast(page, 'Nothing was pasted');

    await cell(page, 30, 'price').focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+d');
    const filling = page.getByRole('dialog', { name: 'Fill 2 rows × 1 column' });
    await sees(filling, '2 cells in 2 rows');
    // What has not happened is not told.
    expect(await filling.textContent()).not.toMatch(/unchanged|skipped/i);
    await button(filling, 'Change 2 Prices').click();
    await filling.waitFor({ state: 'detached' });
    for (const number of [31, 32]) await sees(cell(page, number, 'price'), '70.50');
    await page.keyboard.press('Escape');

    // The corner of the marked cells is dragged over the rows below, which repeat them.
    await cell(page, 33, 'price').focus();
    await page.keyboard.press('Shift+ArrowDown');
    await cell(page, 34, 'price').locator('[data-fill]').hover();
    await page.mouse.down();
    await cell(page, 38, 'cost').hover();
    await expect.poll(() => marked(page).count()).toBe(6);
    await page.mouse.up();
    const dragged = page.getByRole('dialog', { name: 'Fill 4 rows × 1 column' });
    await button(dragged, 'Change 4 Prices').click();
    await dragged.waitFor({ state: 'detached' });
    const prices = { 35: '67.50', 36: '66.50', 37: '67.50', 38: '66.50' };
    for (const [number, price] of Object.entries(prices))
      await sees(cell(page, Number(number), 'price'), price);
    await page.keyboard.press('Control+z');
    await sees(await toast(page, 'Change undone'), 'Price pasted');
    await sees(cell(page, 36, 'price'), '64.50');
  }));

test.runIf(isLong)(
  'who goes to the search field while the next page loads types there',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      const id = await upload(product, 'searched.csv', content.replaceAll('VASE', 'BOWL'));
      await open(page, id);
      await cell(page, 25, 'cost').click();
      const releaseRows = await holdReplies(page, /\/rows\?/);
      await page.keyboard.type('0.25');
      await page.keyboard.press('Enter');
      const search = page.getByLabel('Search rows');
      await search.click();
      await page.keyboard.type('Vase 31');
      releaseRows();
      await row(page, 31).waitFor();
      await hasFocus(search);
      expect(await search.inputValue()).toBe('Vase 31');
      await sees(page, '1 matching row');
    }),
);

test.runIf(isLong)('keys that lead to controls wait for the next page, too', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    const id = await upload(product, 'held.csv', content.replaceAll('VASE', 'CUP'));
    await open(page, id);
    await cell(page, 25, 'price').focus();
    const releaseRows = await holdReplies(page, /\/rows\?/);
    for (const key of ['ArrowDown', 'Home', 'ArrowDown', 'ArrowDown', 'ArrowUp'])
      await page.keyboard.press(key);
    releaseRows();
    await hasFocus(page.getByLabel('Tick row 27'));
    await page.keyboard.press('End');
    await hasFocus(button(page, 'Edit row 27'));
  }),
);

test.runIf(isLong)(
  'rows are sorted, and keys move between cells while values are typed',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await hurryPolls(page);
      const id = await upload(product, 'sorted.csv', content.replaceAll('VASE', 'JUG'));
      await open(page, id);
      await cell(page, 1, 'price').focus();
      await page.keyboard.press('ArrowDown');
      await hasFocus(cell(page, 2, 'price'));

      // A click replaces what is in a cell, also in a row that is being edited, and arrow keys leave what was replaced.
      await cell(page, 12, 'price').click();
      await page.keyboard.type('88');
      await page.getByLabel('Cost of row 12').click();
      await page.keyboard.type('0.5');
      await page.keyboard.press('ArrowLeft');
      await hasFocus(page.getByLabel('Price of row 12'));
      await page.keyboard.press('ArrowDown');
      await hasFocus(cell(page, 13, 'price'));
      await sees(cell(page, 12, 'price'), '$88.00');
      await sees(cell(page, 12, 'cost'), '$0.50');
      await cell(page, 14, 'price').click();
      await page.keyboard.press('Shift+ArrowDown');
      await expect.poll(() => marked(page).count()).toBe(2);
      // The rows go on behind the page.
      await cell(page, 25, 'price').focus();
      await page.keyboard.press('ArrowDown');
      await hasFocus(cell(page, 26, 'price'));
      await page.keyboard.press('ArrowUp');
      await hasFocus(cell(page, 25, 'price'));
      // Also while values are typed, however fast.
      await cell(page, 25, 'cost').click();
      const releaseRows = await holdReplies(page, /\/rows\?/);
      await page.keyboard.type('0.25');
      await page.keyboard.press('Enter');
      await page.keyboard.type('0.26');
      await page.keyboard.press('ArrowDown');
      releaseRows();
      await hasFocus(cell(page, 27, 'cost'));
      await sees(cell(page, 26, 'cost'), '$0.26');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await sees(cell(page, 25, 'cost'), '$0.25');
      // What follows the first key is typed into the editor that it has begun.
      await cell(page, 25, 'cost').focus();
      const releaseNext = await holdReplies(page, /\/rows\?/);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('0');
      releaseNext();
      await hasFocus(page.getByLabel('Cost of row 26'));
      await page.keyboard.type('.27');
      // Not upwards: that leads to the first page, perhaps before the button is pressed.
      await page.keyboard.press('Enter');
      await sees(cell(page, 26, 'cost'), '$0.27');
      await button(page, 'First page').click();
      const head = button(page, 'Sort by Price');
      await head.click();
      await sees(page, 'Sorted by Price, ascending');
      await expect.poll(() => firstRows(page, 3)).toEqual([60, 59, 58]);
      expect(new URL(page.url()).searchParams.get('sort')).toBe('price');
      await head.click();
      await expect.poll(() => firstRows(page, 3)).toEqual([1, 2, 3]);
      // An edited row stays where it is while its page is shown.
      await cell(page, 2, 'price').focus();
      await page.keyboard.type('500');
      await page.keyboard.press('Enter');
      await sees(cell(page, 2, 'price'), '$500.00');
      expect(await firstRows(page, 3)).toEqual([1, 2, 3]);
      // A page that is shown again has the order of now.
      await button(page, 'File Order').click();
      await page.keyboard.press('Control+z');
      await sees(await toast(page, 'Change undone'), 'Price');
      await head.click();
      await expect.poll(() => firstRows(page, 3), { timeout: waitMsMax }).toEqual([60, 59, 58]);
      await head.click();
      await expect.poll(() => firstRows(page, 3), { timeout: waitMsMax }).toEqual([1, 2, 3]);
      await button(page, 'File Order').click();
      await cell(page, 3, 'price').focus();
      await page.keyboard.type('600');
      await page.keyboard.press('Enter');
      await sees(cell(page, 3, 'price'), '$600.00');
      await head.click();
      await expect.poll(() => firstRows(page, 3), { timeout: waitMsMax }).toEqual([60, 59, 58]);
      await head.click();
      await expect.poll(() => firstRows(page, 3), { timeout: waitMsMax }).toEqual([3, 1, 2]);
      await head.click();
      await sees(page, 'Rows 1–25 of 60');
      await expect.poll(() => firstRows(page, 3)).toEqual([1, 2, 3]);
    }),
);

test.runIf(isLong)(
  'columns are chosen, rows sorted by several, and a change of many rows leads to the next issue',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await hurryPolls(page);
      const id = await upload(product, 'columns.csv', content.replaceAll('VASE', 'BOWL'));
      await open(page, id);
      await button(page, 'Columns').click();
      const columns = page.getByRole('dialog', { name: 'Columns' });
      await columns.getByRole('checkbox', { name: 'Cost' }).uncheck();
      await columns
        .getByRole('list', { name: 'Columns', exact: true })
        .getByRole('checkbox', { name: 'Tags' })
        .check();
      await columns.getByText('Columns of the file, as they are').click();
      const cells = columns.getByRole('list', { name: 'Columns of the file, as they are' });
      await cells.getByRole('checkbox', { name: 'Cost' }).click();
      await button(columns, 'Move left: SKU').click();
      for (let step = 0; step < 8; step += 1) await button(columns, 'Wider: SKU').click();
      await page.keyboard.press('Escape');
      await columns.waitFor({ state: 'detached' });
      const heads = () =>
        page
          .getByRole('table', { name: 'Product rows' })
          .locator('th')
          .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
      await expect
        .poll(heads)
        .toEqual(['Row', 'Class', 'Title', 'SKU', 'Price', 'Tags', 'Cost (file)', 'Edit']);
      await page.reload();
      await expect
        .poll(heads)
        .toEqual(['Row', 'Class', 'Title', 'SKU', 'Price', 'Tags', 'Cost (file)', 'Edit']);
      await sees(row(page, 1), '0.10');
      // Another file keeps what it has.
      const other = await upload(
        product,
        'other.csv',
        'Title,Brand,UPC,SKU\nBowl,Kiln,036000291452,BOWL-1\n',
      );
      await openNext(page, other);
      await sees(row(page, 1), 'Kiln');
      expect(await heads()).toEqual(['Row', 'Class', 'Title', 'SKU', 'UPC', 'Price', 'Brand', 'Edit']);
      await openNext(page, id);
      await cell(page, 3, 'tags').focus();
      await page.keyboard.type('blown');
      await page.keyboard.press('Enter');
      await sees(cell(page, 3, 'tags'), 'edited');
      await button(page, 'Sort by Tags').click();
      await sees(page, 'Sorted by Tags, ascending');
      await expect.poll(() => firstRows(page, 2)).toEqual([3, 1]);
      await button(page, 'Sort by SKU').press('Shift+Enter');
      await sees(page, 'Sorted by Tags, ascending, then by SKU, ascending');
      await page.getByLabel('Sort equal rows by').selectOption({ label: 'then by Title, descending' });
      await sees(page, 'Sorted by Tags, ascending, then by Title, descending');
      expect(new URL(page.url()).searchParams.get('sort')).toBe('tags,-title');
      await expect.poll(() => firstRows(page, 3)).toEqual([3, 8, 7]);
      await button(page, 'File Order').click();

      await button(filters(page), /^No price 3$/).click();
      await button(page, 'Change 3 Rows…').click();
      const dialog = page.getByRole('dialog', { name: /^Change/ });
      await button(dialog, 'Set').click();
      await page.keyboard.type('7');
      await button(dialog, 'Change 3 Prices').click();
      await dialog.waitFor({ state: 'detached' });
      await sees(page, '3 fixed');
      await expect.poll(() => page.locator('[data-valid][data-fixed]').count()).toBe(3);
      await sees(row(page, 5), '$7.00');
      await button(page, /^Next: No title 3$/).click();
      await sees(row(page, 9), 'Missing');
    }),
);
