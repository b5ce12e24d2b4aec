import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserOf } from '../support/api-client.ts';
import { isLong } from '../support/queue-backend.ts';
import { accessKey } from './product.ts';
import {
  chooseClass,
  expectNoSidewaysScroll,
  hasFocus,
  holdReplies,
  openSession,
  sees,
  seesClasses,
  uploadAndOpen,
} from './steps.ts';
import { test } from './test.ts';

/** 120 rows: every fourth has no price, every sixtieth no title either, and one is Chinese. */
const lines = Array.from({ length: 120 }, (_, at) => {
  const row = at + 1;
  const title = row === 77 ? '白色台灯罩' : row % 60 === 0 ? '' : `Vase ${row}`;
  return `${title},${row % 4 === 0 ? '' : '9.90'},V-${row}`;
});
const content = `Title,Price,SKU\n${lines.join('\n')}\n`;

const chip = (page: Page, name: RegExp) =>
  page.getByRole('group', { name: 'Filter rows' }).getByRole('button', { name });
const firstRow = (page: Page) => page.getByRole('table', { name: 'Product rows' }).getByRole('row').nth(1);
/** Waits until the page has drawn what it has got. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const params = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test('rows are found by class, issue and search, which are in the address', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, { name: 'rows.csv', content });
    await chip(page, /^All\s*120$/).waitFor();
    await chip(page, /^No price\s*30$/).waitFor();

    await chip(page, /^Needs you\s*30$/).click();
    await sees(page, '25 of 30 matching rows');
    await sees(firstRow(page), 'Vase 4');
    expect(params(page)).toEqual({ class: 'needs-you' });
    await chooseClass(page, /^Warning 28$/);
    await sees(page, '25 of 28 matching rows');
    await sees(firstRow(page), 'Vase 4');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    expect(await pages.getByRole('button', { name: 'Previous page' }).isDisabled()).toBe(true);
    await pages.getByRole('button', { name: 'Next page' }).click();
    await sees(page, '3 of 28 matching rows');
    await sees(firstRow(page), 'Vase 108');
    expect(params(page)).toEqual({ class: 'warning', after: '104' });
    await page.reload();
    await sees(firstRow(page), 'Vase 108');
    await pages.getByRole('button', { name: 'Previous page' }).click();
    await sees(firstRow(page), 'Vase 4');

    await chooseClass(page, /^Error 2$/);
    await sees(page, '2 of 2 matching rows');
    expect(params(page)).toEqual({ class: 'error' });
    await page.goBack();
    await sees(page, '25 of 28 matching rows');
    await chip(page, /^All/).click();

    await page.getByRole('heading', { name: 'Product Preview' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('台灯罩');
    await sees(firstRow(page), '白色台灯罩');
    await sees(page, '1 matching row on this page');
    expect(params(page)).toEqual({ q: '台灯罩' });
    expect(await chip(page, /^All/).getAttribute('aria-pressed')).toBe('false');
    await page.getByRole('button', { name: 'Clear Filters' }).waitFor();
    await page.reload();
    await sees(firstRow(page), '白色台灯罩');
    expect(await page.getByLabel('Search rows').inputValue()).toBe('台灯罩');
    await chooseClass(page, /^Error/);
    await sees(page, 'No matching rows.');
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await sees(page, 'Rows 1–25 of 120');
    expect(params(page)).toEqual({ class: 'all' });
    expect(await page.getByLabel('Search rows').inputValue()).toBe('');

    expect(await typeOnWhileSearching(page, 'vas', 'vase 12')).toBe('vase 12');
    await expect.poll(() => params(page)).toEqual({ q: 'vase 12' });
  }));

/**
 * Types a search, and more of it in the moment in which the address gets the first one. Returns what the field shows
 * once the screen has been drawn for that address.
 */
function typeOnWhileSearching(page: Page, ...texts: [string, string]): Promise<string> {
  return page.getByLabel('Search rows').evaluate((field: HTMLInputElement, [first, second]) => {
    const type = (text: string) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    return new Promise<string>((resolve) => {
      const { replaceState } = history;
      history.replaceState = (...given) => {
        history.replaceState = replaceState;
        history.replaceState(...given);
        type(second);
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(field.value)));
      };
      type(first);
    });
  }, texts);
}

test.runIf(isLong)(
  'rows are filtered by what a push does with them, and by the issues of a kind',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      const rows = [
        'Vase,,V-1,3 pcs',
        'Bowl,0,V-2,many',
        `Cup,5,${'x'.repeat(256)},1`,
        'Jug,5,V-2,1',
        '"Mug" x,5,V-3,1',
        'Tray,5,V-4,1',
      ];
      await uploadAndOpen(page, {
        name: 'consequences.csv',
        content: `Title,Price,SKU,Qty\n${rows.join('\n')}\n`,
      });
      // A row with two issues counts once, and one that was only read in another way not at all.
      const issues = page.getByRole('dialog', { name: 'Issues' });
      const choose = async (name: RegExp) => {
        await chip(page, /^Issues/).click();
        await issues.getByRole('button', { name }).click();
        await issues.waitFor({ state: 'detached' });
      };
      await chip(page, /^Issues\s*5$/).waitFor();
      await choose(/^Can’t be pushed\s*2$/);
      await sees(page, '2 of 2 matching rows');
      expect(params(page)).toEqual({ issue: 'refused' });
      await choose(/^Worth a look\s*3$/);
      await sees(page, '3 of 3 matching rows');
      expect(params(page)).toEqual({ issue: 'check' });
      const check = chip(page, /^Worth a look\s*3$/);
      expect(await check.getAttribute('aria-pressed')).toBe('true');
      await check.click();
      await expect.poll(() => params(page)).toEqual({ class: 'all' });

      await chip(page, /^No price\s*1$/).waitFor();
      expect(await chip(page, /^Mismatched quotes/).count()).toBe(0);

      // The chips are one Tab stop, and what is typed into the search may be a row.
      await chip(page, /^No price/).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Tab');
      await hasFocus(page.getByLabel('Search rows'));
      await page.keyboard.type('row 3');
      await sees(page, 'Enter goes to row 3.');
      await page.keyboard.press('Enter');
      await hasFocus(page.locator('[data-row="3"] td[data-field="title"]'));
      expect(await page.getByLabel('Search rows').inputValue()).toBe('');

      // On a wide screen they are groups beside the rows.
      await page.setViewportSize({ width: 1700, height: 900 });
      const beside = page.getByRole('complementary', { name: 'Issues' });
      await beside.getByRole('button', { name: /^Worth a look\s*3$/ }).click();
      await expect.poll(() => params(page)).toEqual({ issue: 'check' });
      await beside.getByRole('list', { name: 'Worth a look, most rows first' }).waitFor();
      expect(await beside.getByRole('button', { name: /^Mismatched quotes/ }).isVisible()).toBe(false);
      await beside.getByText('How it was read').click();
      await beside.getByRole('button', { name: /^Mismatched quotes/ }).click();
      await sees(page, '1 of 1 matching row');
      await expectNoSidewaysScroll(page);
    }),
);

test.runIf(isLong)('a row with more cells than columns shows them all on demand', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const lines = ['Title,Price,SKU', 'Lamp,9.90,L-1', 'Vase,1.90,V-1,blue,,round'];
    await uploadAndOpen(page, { name: 'wide.csv', content: `${lines.join('\n')}\n` });
    await sees(page, 'More cells than columns. Values may be in the wrong columns.');
    const cells = page.getByRole('list', { name: 'Cells as in the file' });
    expect(await cells.count()).toBe(0);
    await page.getByText('Original line (6 cells)').click();
    expect(await cells.getByRole('listitem').allTextContents()).toEqual([
      'Vase',
      '1.90',
      'V-1',
      'blue',
      'empty',
      'round',
    ]);
  }),
);

test.runIf(isLong)(
  'text typed into a row stays when the window becomes too narrow for the table',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      const lines = ['Title,Price,SKU', 'Lamp,9.90,L-1', 'Vase,,V-1', 'Title,Price,SKU', 'Total,9.90,'];
      await uploadAndOpen(page, { name: 'typed.csv', content: `${lines.join('\n')}\n` });
      await sees(page, 'Ignored: repeated header');
      await chooseClass(page, /^Warning 1$/);
      await sees(page, '1 of 1 matching row');
      await page.getByRole('button', { name: 'Edit row 2' }).click();
      await page.getByLabel('Price of row 2').fill('20.50');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('list', { name: 'Product rows' }).waitFor();
      expect(await page.getByLabel('Price of row 2').inputValue()).toBe('20.50');
      await page.getByRole('button', { name: 'Save' }).click();
      await seesClasses(page, '2 valid');
    }),
);

test.runIf(isLong)('what is typed while all rows are saved stays', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, { name: 'typed.csv', content: 'Title,Price\nLamp,1.90\nVase,2.90\n' });
    const row = (number: number) => page.locator(`[data-row="${number}"]`);
    const price = (number: number) => page.getByLabel(`Price of row ${number}`, { exact: true });
    for (const [number, value] of [
      [1, '5'],
      [2, '6'],
    ] as const) {
      await row(number)
        .getByRole('button', { name: `Edit row ${number}` })
        .click();
      await price(number).fill(value);
      await price(number).evaluate((one) => one.blur());
    }
    const release = await holdReplies(page, '**/rows/1');
    const saving = page.waitForRequest('**/rows/1');
    await page.getByRole('button', { name: 'Save All' }).click();
    await saving;
    await price(1).fill('5.50');
    release();
    await sees(row(2), '$6.00');
    expect(await price(1).inputValue()).toBe('5.50');
    await price(1).press('Enter');
    await sees(row(1), '$5.50');
  }),
);

test.runIf(isLong)(
  'who goes to the search field while the next problem is sought types there',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      await uploadAndOpen(page, { name: 'sought.csv', content: content.replaceAll('V-', 'S-') });
      const search = page.getByLabel('Search rows');
      const row = (number: number) => page.locator(`[data-row="${number}"]`);
      await row(24).getByRole('button', { name: 'Edit row 24' }).click();
      await page.getByLabel('Price of row 24', { exact: true }).fill('5');
      const releaseProblem = await holdReplies(page, /\/rows\?.*limit=1(&|$)/);
      const sought = page.waitForRequest(/\/rows\?.*limit=1(&|$)/);
      await page.keyboard.press('Enter');
      await sought;
      await search.click();
      // Two letters are no search, which would take the rows away.
      await page.keyboard.type('a');
      const found = page.waitForResponse(/\/rows\?.*limit=1(&|$)/);
      releaseProblem();
      await (await found).finished();
      await drawn(page);
      expect(params(page).page).toBeUndefined();
      // The same while the page of the problem loads.
      await page.getByLabel('Tick row 25').focus();
      const releasePage = await holdReplies(page, /\/rows\?.*limit=25/);
      await page.keyboard.press('n');
      await expect.poll(() => params(page).page).toBe('2');
      await search.click();
      await page.keyboard.type('b');
      releasePage();
      await row(28).waitFor();
      await page.locator('[data-rows][aria-busy="false"]').waitFor();
      await drawn(page);
      await hasFocus(search);
      expect(await search.inputValue()).toBe('ab');
      expect(await page.locator('tr[data-editing]').count()).toBe(0);
      // Tab and a click on nothing begin nothing else.
      await page.unroute(/\/rows\?.*limit=25/);
      await page.reload();
      await page.getByLabel('Tick row 28').focus();
      const releaseBefore = await holdReplies(page, /\/rows\?.*limit=1(&|$)/);
      const soughtBefore = page.waitForRequest(/\/rows\?.*limit=1(&|$)/);
      await page.keyboard.press('p');
      await soughtBefore;
      await page.keyboard.press('Tab');
      await page.getByRole('heading', { level: 1 }).click();
      releaseBefore();
      await hasFocus(page.getByLabel('Price of row 20', { exact: true }));
    }),
);

test.runIf(isLong)(
  'an edit in place replaces what somebody else has saved meanwhile only when it is saved again',
  ({ browser, product }) =>
    browser.visit({ expectedConsole: [/status of 409/] }, async (page) => {
      await openSession(page);
      await uploadAndOpen(page, { name: 'two.csv', content: 'Title,Price,Qty\nLamp,1.90,1\nVase,2.90,2\n' });
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const other = browserOf(product.apiUrl);
      await other.login(accessKey);
      const row = (number: number) => page.locator(`[data-row="${number}"]`);
      const field = (name: string) => page.getByLabel(name, { exact: true });
      const edit = async (number: number, price: string) => {
        await row(number)
          .getByRole('button', { name: `Edit row ${number}` })
          .click();
        await field(`Price of row ${number}`).fill(price);
      };
      const priceNow = async () => {
        const { rows } = (await other.call('GET', `/api/queue/${id}/rows`)).body as {
          rows: { values: { price: string; title: string } }[];
        };
        return rows.map(({ values }) => [values.title, values.price]);
      };
      await edit(1, '5');
      await field('Price of row 1').evaluate((one) => one.blur());
      await edit(2, '6');
      const theirs = { values: { price: '4', title: 'Lamp with shade' } };
      await other.call('PATCH', `/api/queue/${id}/rows/1`, { body: theirs });
      await page.getByRole('button', { name: 'Save All' }).click();
      await sees(page, 'Couldn’t save row 1');
      const words =
        'Price was changed to “4” meanwhile. Save again to replace that change, or cancel to keep it.';
      await sees(page, words);
      expect(await priceNow()).toEqual([
        ['Lamp with shade', '4'],
        ['Vase', '2.90'],
      ]);
      await other.call('PATCH', `/api/queue/${id}/rows/2`, { body: { values: { price: '7' } } });
      await field('Price of row 2').press('Enter');
      await sees(row(2), 'Price was changed to “7” meanwhile.');
      // A click on another row replaces no value of others.
      await field('Title of row 1').click();
      expect((await priceNow())[1]).toEqual(['Vase', '7']);
      await page.getByRole('button', { name: 'Save All' }).click();
      await sees(row(2), '$6.00');
      expect(await row(2).getByText('Couldn’t save').count()).toBe(0);
      expect(await priceNow()).toEqual([
        ['Lamp with shade', '5'],
        ['Vase', '6'],
      ]);

      // Text in a cell is saved by a click on a cell of another row, which is edited.
      const price = (number: number) => row(number).locator('td[data-field="price"]');
      await price(1).click();
      await page.keyboard.type('8');
      await price(2).click();
      await sees(row(1), '$8.00');
      // The cell shows it, and screen readers are told: a notification would only be in the way.
      await page
        .getByRole('status')
        .filter({ hasText: 'Price of row 1 changed to “8”.' })
        .waitFor({ state: 'attached' });
      expect(
        await page
          .getByRole('region', { name: /^Notifications/ })
          .getByText(/changed to “8”/)
          .count(),
      ).toBe(0);
      // What can't be saved stays, and says why.
      await other.call('PATCH', `/api/queue/${id}/rows/2`, { body: { values: { price: '9' } } });
      await field('Price of row 2').fill('10');
      await price(1).click();
      await sees(row(2), 'Price was changed to “9” meanwhile.');
      expect(await field('Price of row 2').inputValue()).toBe('10');
      await hasFocus(field('Price of row 1'));
      // So is a click on anything else, whose own effect it has too.
      await page.keyboard.type('11');
      await page.getByRole('link', { name: 'Back to Queue' }).click();
      const asked = page.getByRole('alertdialog', { name: 'Discard 1 unsaved row?' });
      await asked.getByRole('button', { name: 'Keep Editing' }).click();
      await sees(row(1), '$11.00');
      await row(2).getByRole('button', { name: 'Cancel' }).click();
      await price(2).click();
      await page.keyboard.type('12');
      await page.getByRole('link', { name: 'Back to Queue' }).click();
      await page.getByRole('heading', { name: 'Processing Queue', level: 1 }).waitFor();
      expect((await priceNow()).map(([, shown]) => shown)).toEqual(['11', '12']);
    }),
);

/** The visible parts of a row's texts: those that are cut are missing or only a part. */
function cutTexts(page: Page, row: number, texts: readonly string[]): Promise<string[]> {
  return page.locator(`[data-row="${row}"]`).evaluate((element, wanted) => {
    const isWhole = (node: Node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      for (let box = node.parentElement; box !== null && box !== element; box = box.parentElement) {
        const { left, right, top, bottom } = box.getBoundingClientRect();
        const hides = box.matches('td') || getComputedStyle(box).overflow !== 'visible';
        const isInside = text.left >= left - 1 && text.right <= right + 1 && text.top >= top - 2;
        if (hides && !(isInside && text.bottom <= bottom + 2)) return false;
      }
      return text.width > 0;
    };
    const found: Node[] = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) found.push(walker.currentNode);
    return wanted.filter((text) => !found.some((node) => node.textContent === text && isWhole(node)));
  }, texts);
}

test.runIf(isLong)(
  'numbers of seven digits are shown in full, and reasons on cards and in a focused row, at every width',
  ({ browser }) =>
    browser.visit({ touch: true }, async (page) => {
      await openSession(page);
      const header = 'Title,Price,Quantity,UPC,Brand';
      const lines = [
        'Vase,$1000000.99,1000000,036000291452,Oak',
        'Bowl,call us,7654321,036000291453,Oak',
        // Longer than any column: it breaks, but no digit is lost.
        'Ship,$123456789012.99,123456789012,,',
        'Cup,,1,,',
        'Vase,call us,1,,',
      ];
      await uploadAndOpen(page, { name: 'millions.csv', content: `${[header, ...lines].join('\n')}\n` });
      for (const width of [1440, 1024, 768, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.getByRole(width < 1024 ? 'list' : 'table', { name: 'Product rows' }).waitFor();
        expect(await cutTexts(page, 1, ['$1000000.99', '1,000,000']), `${width} px`).toEqual([]);
        expect(await cutTexts(page, 2, ['7,654,321']), `${width} px`).toEqual([]);
        expect(await cutTexts(page, 3, ['$123456789012.99', '123,456,789,012']), `${width} px`).toEqual([]);
        const sentence = 'Price isn’t a valid number, so it counts as missing.';
        if (width < 1024) {
          // A number with an issue, and the brand beside it where a line has room.
          const shown = [sentence, '036000291453', ...(width < 768 ? [] : ['Oak'])];
          expect(await cutTexts(page, 2, shown), `${width} px`).toEqual([]);
          await expectNoSidewaysScroll(page);
          continue;
        }
        const bubble = (place: Locator) => place.evaluate((one) => getComputedStyle(one, '::after').content);
        const reasons = page.locator('[data-row="2"] [data-full]').first();
        // Over the row above: the next row is read while this one is edited.
        const isAbove = (place: Locator) =>
          place.evaluate(
            (one) => Number.parseFloat(getComputedStyle(one, '::after').bottom) >= one.clientHeight,
          );
        const inFull = () => bubble(reasons);
        expect(await inFull()).toBe('none');
        // By tap …
        await reasons.tap();
        await expect.poll(inFull, { message: `${width} px` }).toContain(sentence);
        // … and with the keyboard, on any control of the row.
        await page.getByRole('button', { name: 'Edit row 1' }).focus();
        expect(await inFull()).toBe('none');
        await page.getByRole('button', { name: 'Edit row 2' }).focus();
        expect(await inFull(), `${width} px`).toContain(sentence);
        // While it is edited only the sentence about the field, and only for the value that it is about.
        await page.keyboard.press('Enter');
        const price = page.locator('[data-row="2"] td[data-field="price"]');
        await expect.poll(() => price.evaluate((cell) => cell.matches(':focus-within'))).toBe(true);
        expect(await bubble(price), `${width} px`).toBe(`"${sentence}"`);
        expect(await isAbove(price), `${width} px`).toBe(true);
        expect(await inFull()).toBe('none');
        await page.keyboard.type('5');
        expect(await bubble(price)).toBe('none');
        await page.keyboard.press('Escape');
        // What stands in the row in full is not repeated.
        await page.getByRole('button', { name: 'Edit row 4' }).focus();
        await sees(page.locator('[data-row="4"]'), 'Price is missing.');
        expect(await bubble(page.locator('[data-row="4"] [data-full]'))).toBe('none');
        await page.getByRole('heading', { name: 'Product Preview' }).click();
        await expectNoSidewaysScroll(page);
      }
      // A saved edit leaves nothing of the sentences that were cut.
      // Just wide enough for the UPC, so that the title is as narrow as it gets.
      await page.setViewportSize({ width: 1056, height: 900 });
      const row = page.locator('[data-row="5"]');
      await page.getByRole('button', { name: 'Edit row 5' }).focus();
      await row.locator('[data-cut]').waitFor();
      await page.getByRole('button', { name: 'Edit row 5' }).click();
      await row.getByLabel('Price of row 5').fill('5');
      await page.keyboard.press('Enter');
      await sees(row, '$5.00');
      await expect.poll(() => row.locator('[data-cut]').count()).toBe(0);
    }),
);
