import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { waitMsMax } from './browser.ts';
import { measureShifts, shiftOf, smallTargets, violationsOf } from './page-checks.ts';
import {
  chooseClass,
  chooseOnPage,
  expectNoSidewaysScroll,
  holdPost,
  holdReplies,
  openDetails,
  openSession,
  queueRow,
  sees,
  toast,
  upload,
} from './steps.ts';
import { test } from './test.ts';

let importId: string;
test.beforeAll(async ({ product }) => {
  importId = await upload(product, 'large.csv', largeFile());
});

const rows = isLong ? 25_000 : 1_000;
/** One row in this many has a problem, in turns another one; and the last row. */
const problemEvery = isLong ? 400 : 40;
const longBrand = 'Manufactureofextraordinarilylongnames'.repeat(2);

function largeFile(): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const row = at + 1;
    const isProblem = row % problemEvery === 0;
    const kind = (row / problemEvery) % 3;
    const title = isProblem && kind === 0 ? '' : `Vase of blown glass number ${row}`;
    const price =
      row === rows ? '' : isProblem && kind !== 0 ? (kind === 1 ? '' : 'call') : `${(row % 90) + 1}.50`;
    const brand = row % 9 === 0 ? longBrand : `Brand ${row % 30}`;
    // Every fiftieth has a wrong check digit, which is a note and no problem.
    return `${title},${price},${brand},${row % 50 === 7 ? '036000291453' : ''},${row % 12}`;
  });
  return `Title,Price,Brand,UPC,Qty\n${lines.join('\n')}\n`;
}

async function openImport(page: Page, search = '?class=all'): Promise<void> {
  await openSession(page);
  await page.goto(`/queue/${importId}${search}`);
  await rowOf(page, 'first').waitFor();
}

/** A row by its number. */
function rowOf(page: Page, row: number | 'first'): Locator {
  return row === 'first' ? page.locator('[data-row]').first() : page.locator(`[data-row="${row}"]`);
}

const focusedField = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName);
const expectFocusOn = (page: Page, label: string) =>
  expect.poll(() => focusedField(page), { timeout: waitMsMax }).toBe(label);

/** The row and field of the cell that has the focus. */
const focusedCell = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: cell } = document;
    return cell instanceof HTMLTableCellElement
      ? `${cell.closest('tr')?.dataset.row} ${cell.dataset.field}`
      : (cell?.getAttribute('aria-label') ?? cell?.tagName);
  });
const expectCellFocus = (page: Page, row: number, field: string) =>
  expect.poll(() => focusedCell(page), { timeout: waitMsMax }).toBe(`${row} ${field}`);

/** How many rows are fully in the window, between the bars at its top and bottom. */
function visibleRows(page: Page, bars: { top: string; bottom: string }): Promise<number> {
  return page.evaluate(({ top, bottom }) => {
    const from = document.querySelector(top)?.getBoundingClientRect().bottom ?? 0;
    const to = Math.min(
      window.innerHeight,
      ...Array.from(document.querySelectorAll(bottom), (one) => one.getBoundingClientRect().top),
    );
    return Array.from(document.querySelectorAll('[data-row]'), (one) => one.getBoundingClientRect()).filter(
      (box) => box.top >= from && box.bottom <= to,
    ).length;
  }, bars);
}

const columnEdges = (page: Page) =>
  page
    .getByRole('table', { name: 'Product rows' })
    .getByRole('columnheader')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));

/** The numbered buttons of the pager. */
const expectPages = (page: Page, ...numbers: string[]) => {
  const buttons = page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: /^\d/ });
  return expect.poll(() => buttons.allTextContents(), { timeout: waitMsMax }).toEqual(numbers);
};

const chip = (page: Page, name: RegExp) =>
  page.getByRole('group', { name: 'Filter rows' }).getByRole('button', { name });

/** Clicks one control, and another one once the address has changed, but before the screen is drawn for it. */
async function clickBeforeDrawn(page: Page, ...controls: [Locator, Locator]): Promise<void> {
  const found = await Promise.all(controls.map((one) => one.elementHandle()));
  await page.evaluate(async ([first, second]) => {
    const { href } = location;
    (first as HTMLElement).click();
    // Nothing is drawn between microtasks.
    for (let turn = 0; turn < 1000 && location.href === href; turn += 1) await null;
    (second as HTMLElement).click();
  }, found);
}

test.runIf(isLong)('at 1440 px the rows come first, and filters and pages move no column', ({ browser }) =>
  browser.visit({ isFirst: true }, async (page) => {
    await measureShifts(page);
    await openImport(page);
    await sees(page, 'Ready for your review');
    await page.waitForLoadState('networkidle');
    expect(await visibleRows(page, { top: 'thead', bottom: '[data-pager]' })).toBeGreaterThanOrEqual(16);
    const head = page.getByRole('table', { name: 'Product rows' }).getByRole('columnheader').first();
    // The bar, and at most 120 px.
    expect((await head.boundingBox())?.y).toBeLessThanOrEqual(48 + 120);
    expect((await rowOf(page, 1).boundingBox())?.y).toBeLessThanOrEqual(220);
    expect(await shiftOf(page)).toBeLessThanOrEqual(0.02);

    await expectPages(page, '1', '2', '3', '4', '5');
    const edges = await columnEdges(page);
    const expectSameEdges = async () => expect(await columnEdges(page)).toEqual(edges);
    const choices = [
      () => chooseClass(page, /^Warning/),
      // Rows with a wrong check digit are valid.
      () => chooseClass(page, /^Valid/),
      () => chip(page, /^Invalid UPC/).click(),
      () => chip(page, /^All/).click(),
    ];
    for (const choose of choices) {
      const before = page.url();
      await choose();
      await page.waitForURL((url) => url.href !== before);
      await page.locator('[aria-busy="false"] [data-row]').first().waitFor();
      await expectSameEdges();
    }
    await clickBeforeDrawn(page, chip(page, /^Invalid UPC/), chip(page, /^Needs you/));
    await expect.poll(() => chip(page, /^Needs you/).getAttribute('aria-pressed')).toBe('true');
    expect(new URL(page.url()).search).toBe('?issue=upc-check-digit&class=needs-you');
    await page.goto(`/queue/${importId}?page=16`);
    await sees(rowOf(page, 400), 'Missing');
    await expectPages(page, '14', '15', '16', '17', '18');
    expect(await page.locator('[data-row]').count()).toBe(25);
    await sees(rowOf(page, 400), '$0.00');
    await expectSameEdges();
    await page.getByRole('button', { name: 'Edit row 400' }).click();
    await expectFocusOn(page, 'Price of row 400');
    await expectSameEdges();
    await page.keyboard.press('Escape');
    await expectFocusOn(page, 'Edit row 400');

    // The head stays below the top bar while the rows scroll.
    await rowOf(page, 400).scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 2000);
    await expect.poll(async () => Math.round((await head.boundingBox())?.y ?? 0)).toBe(48);
    await expectNoSidewaysScroll(page);
  }),
);

test('an import opens on its first wrong cell, counts what is fixed, and ends with its push', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    const { keyboard } = page;
    const prices = new Map([
      [4, 'TBD'],
      [25, ''],
      [50, ''],
    ]);
    const lines = Array.from({ length: 60 }, (_, at) => `Jug ${at + 1},${prices.get(at + 1) ?? '8'}`);
    const id = await upload(product, 'open.csv', `Title,Price\n${lines.join('\n')}\n`);
    await openSession(page);
    // The plan that is made by itself comes late, and has its place.
    const planPath = /\/api\/queue\/[^/]+\/plan(\?|$)/;
    const releaseReply = await holdReplies(page, planPath);
    await page.goto(`/queue/${id}`);
    const expectCell = (row: number) => expectCellFocus(page, row, 'price');
    await expectCell(4);
    const place = await rowOf(page, 4).boundingBox();
    releaseReply();
    await sees(page, /^A push creates 57, skips 3$/);
    expect(await rowOf(page, 4).boundingBox()).toEqual(place);
    await page.unroute(planPath);
    await chip(page, /^Needs you\s*3$/).waitFor();
    expect(await chip(page, /^Needs you/).getAttribute('aria-pressed')).toBe('true');
    const announces = (words: string) => page.getByRole('status').filter({ hasText: words }).waitFor();
    await announces('3 need you');
    await sees(page.getByRole('banner'), 'Push 57 of 60');
    // Typing edits the cell.
    await keyboard.type('8.50');
    await keyboard.press('Enter');
    await sees(rowOf(page, 4), '$8.50');
    await expectCell(25);
    await announces('2 need you');
    await keyboard.press('Escape');
    // The notice leads there too, and the rows that were fixed stay.
    await page.getByRole('link', { name: '2 need you' }).click();
    await expectCell(25);
    await sees(rowOf(page, 4), 'Fixed');
    await keyboard.press('Escape');
    await page.getByRole('button', { name: 'Refresh List' }).click();
    await rowOf(page, 4).waitFor({ state: 'detached' });
    await rowOf(page, 25).locator('td[data-field="price"]').focus();
    await keyboard.press('Home');
    await expectFocusOn(page, 'Tick row 25');
    await keyboard.press('n');
    await expectFocusOn(page, 'Price of row 25');

    // All rows are an address of their own; Back and a reload keep the choice.
    await keyboard.press('Escape');
    await chip(page, /^All/).click();
    await rowOf(page, 1).waitFor();
    expect(new URL(page.url()).search).toBe('?class=all');
    await page.reload();
    await rowOf(page, 1).waitFor();
    expect(await focusedField(page)).toBe('BODY');
    await page.goBack();
    await rowOf(page, 1).waitFor({ state: 'detached' });

    // While a filter loads, `n` waits for its rows: row 50 is one of the rows before.
    await page.goto(`/queue/${id}?class=all&page=2`);
    await rowOf(page, 50).waitFor();
    const releaseFilter = await holdReplies(page, /\/rows\?.*class=needs-you/);
    await chip(page, /^Needs you/).click();
    await page.locator('[data-rows][aria-busy="true"]').waitFor();
    await keyboard.press('n');
    releaseFilter();
    await expectFocusOn(page, 'Price of row 25');
    await keyboard.press('Escape');
    await page.unroute(/\/rows\?.*class=needs-you/);

    // A product without a problem is found with one click more.
    const search = page.getByLabel('Search rows');
    await search.fill('Jug 60');
    await page.getByRole('button', { name: 'Search All Rows' }).click();
    await rowOf(page, 60).waitFor();
    expect(new URL(page.url()).search).toBe('?q=Jug+60');
    await search.press('Escape');
    await rowOf(page, 1).waitFor();
    await chip(page, /^Needs you/).click();
    await rowOf(page, 1).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Edit row 25' }).click();
    for (const row of [25, 50]) {
      await expectFocusOn(page, `Price of row ${row}`);
      await keyboard.type('9');
      await keyboard.press('Enter');
    }
    await sees(page.getByRole('banner'), 'Ready for Shopify');
    // The focus is on the cell, on no button that pushes.
    await expectCell(50);
    // The plan is made again by itself.
    await sees(page, /^A push creates 60$/);
    const before = await rowOf(page, 25).boundingBox();
    const begin = await holdPost(page, `/api/jobs/${id}/push-shopify`);
    await page.getByRole('button', { name: 'Push', exact: true }).click();
    // Nothing has been sent yet, and the rows keep their places.
    const status = page.getByRole('region', { name: 'Job Status' });
    await sees(status, '0%');
    await sees(status, '0 of 60');
    expect(await rowOf(page, 25).boundingBox()).toEqual(before);
    begin();
    await page.getByRole('heading', { name: 'Processing Queue', level: 1 }).waitFor();
    await sees(queueRow(page, 'open.csv'), '60 created');
  }));

/** Products without a problem, and then one without a title, one with a wrong price, and one with neither. */
const threeToFix = (name: string) =>
  [
    'Title,Price,UPC',
    ...Array.from({ length: 50 }, (_, at) => `${name} ${at + 1},8,`),
    ',8,\nRug,TBD,\n,,036000291452\n',
  ].join('\n');

/** The values of the last three rows, as they are stored. */
async function lastRows(page: Page, id: string) {
  const answer = await page.request.get(`/api/queue/${id}/rows?after=50`);
  const { rows: last } = (await answer.json()) as { rows: { values: Record<string, string> }[] };
  return last.map(({ values: { title = '', price = '', upc = '' } }) => [title, price, upc].join('|'));
}

test.runIf(isLong)(
  'text that is typed into the focused cell edits that cell and nothing else',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      const { keyboard } = page;
      const id = await upload(product, 'typed.csv', threeToFix('Pillow'));
      await openSession(page);
      await page.goto(`/queue/${id}`);
      await expectCellFocus(page, 51, 'title');
      const { search } = new URL(page.url());
      // Each letter of it is a key of the screen, and ⇧P pushes.
      await keyboard.type('Striped Pillow? n/p xvcefigq 12');
      await expectFocusOn(page, 'Title of row 51');
      expect(await page.getByLabel('Title of row 51').inputValue()).toBe('Striped Pillow? n/p xvcefigq 12');
      await keyboard.press('Control+a');
      await keyboard.type('Striped Pillow');
      await keyboard.press('Enter');
      await expectCellFocus(page, 52, 'price');
      await expect
        .poll(() => lastRows(page, id))
        .toEqual(['Striped Pillow|8|', 'Rug|TBD|', '||036000291452']);
      expect(new URL(page.url()).search).toBe(search);

      // A control of a cell belongs to it. Space is text too, and an accent or a copied text begins the edit.
      await keyboard.press('Escape');
      await page.getByRole('button', { name: 'Rug: edit all fields of row 52' }).focus();
      await keyboard.type('pin');
      await expectFocusOn(page, 'Title of row 52');
      expect(await page.getByLabel('Title of row 52').inputValue()).toBe('pin');
      await keyboard.press('Escape');
      await expectCellFocus(page, 52, 'title');
      const session = await page.context().newCDPSession(page);
      const begin = (key: string) =>
        session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode: 229 });
      for (const key of ['Dead', 'Process']) {
        await begin(key);
        await session.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 });
        await session.send('Input.insertText', { text: '枕' });
        expect(await page.getByLabel('Title of row 52').inputValue()).toBe('枕');
        await keyboard.press('Escape');
        await expectCellFocus(page, 52, 'title');
      }
      await keyboard.press('Space');
      expect(await page.getByLabel('Title of row 52').inputValue()).toBe(' ');
      await keyboard.press('Escape');
      await expectCellFocus(page, 52, 'title');
      await page.getByLabel('Search rows').fill('pasted');
      await page.getByLabel('Search rows').press('Control+a');
      await keyboard.press('Control+x');
      await page.goto(`/queue/${id}`);
      await expectCellFocus(page, 52, 'price');
      await keyboard.press('Control+v');
      expect(await page.getByLabel('Price of row 52').inputValue()).toBe('pasted');
      await keyboard.press('Enter');
      const saved = await toast(page, 'Saved');
      await sees(saved, 'Price of row 52 changed to “pasted”.');
      await sees(saved, 'A saved value needs a fix.');
      expect(await saved.getAttribute('data-tone')).toBe('neutral');
      await expectCellFocus(page, 53, 'price');
      await keyboard.press('ArrowUp');
      await expectCellFocus(page, 52, 'price');

      // Esc stays in the cell. Home leaves it for its row, where letters are keys and Space ticks.
      await keyboard.press('Escape');
      await expectCellFocus(page, 52, 'price');
      await keyboard.press('Home');
      await expectFocusOn(page, 'Tick row 52');
      await keyboard.press('Space');
      expect(await page.getByLabel('Tick row 52').isChecked()).toBe(true);
      await keyboard.press('p');
      await sees(page, 'There is no previous row with a problem.');
      await keyboard.press('ArrowDown');
      await page.getByText('There is no previous row').waitFor({ state: 'detached' });
      await keyboard.press('ArrowUp');
      await keyboard.press('n');
      await expectFocusOn(page, 'Price of row 52');
      expect(await lastRows(page, id)).toEqual(['Striped Pillow|8|', 'Rug|pasted|', '||036000291452']);
    }),
);

test.runIf(isLong)(
  'at 390 px four rows are on the first screen, and nothing is too small for a finger',
  ({ browser }) =>
    browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
      await openImport(page, '?class=warning');
      await page.waitForLoadState('networkidle');
      const bars = { top: 'header', bottom: '[data-actions], nav[aria-label="Main"]' };
      await expect.poll(() => visibleRows(page, bars), { timeout: waitMsMax }).toBeGreaterThanOrEqual(4);
      await expectNoSidewaysScroll(page);
      await page.getByRole('button', { name: /^Issues/ }).click();
      const sheet = page.getByRole('dialog', { name: 'Issues' });
      await sheet.getByRole('button', { name: /^No title/ }).waitFor();
      // The rows stay in sight above it.
      expect((await sheet.boundingBox())?.height).toBeLessThanOrEqual(0.6 * 844);
      await sheet.getByRole('button', { name: /^No title/ }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get('issue')).toBe('title-missing');
      const small = await page.locator('#main').evaluate((main) =>
        Array.from(main.querySelectorAll('button, a[href]:not(p a), input'), (one) => ({
          name: one.textContent || one.getAttribute('aria-label'),
          box: (one.closest('label') ?? one).getBoundingClientRect(),
          isIcon: one.matches('[data-size="sm"]'),
        }))
          .filter(({ box, isIcon }) => !isIcon && box.height > 0 && box.height < 43.5)
          .map(({ name, box }) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`),
      );
      expect(small).toEqual([]);

      // On a wide screen the issues stand as bars beside the rows.
      await page.setViewportSize({ width: 1700, height: 900 });
      const pressed = page
        .getByRole('complementary', { name: 'Issues' })
        .getByRole('button', { name: /^No title/ });
      await expect.poll(() => pressed.getAttribute('aria-pressed')).toBe('true');
      await pressed.click();
      await expect.poll(() => new URL(page.url()).searchParams.get('issue')).toBeNull();
      await expectNoSidewaysScroll(page);
    }),
);

test.runIf(isLong)(
  'the table is one Tab stop, near the top of the page, and from a cell Tab goes through its row',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      const { keyboard } = page;
      await openImport(page);
      const press = async (...keys: string[]) => {
        for (const key of keys) await keyboard.press(key);
      };
      // From the top of the page: 'Skip to content', 'Skip to rows', the first cell.
      let tabs = 0;
      const tabTo = async (name: string) => {
        await press('Tab');
        tabs += 1;
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
        await press('Enter');
      };
      await tabTo('Skip to content');
      await tabTo('Skip to rows');
      await expectCellFocus(page, 1, 'title');
      expect(tabs).toBeLessThanOrEqual(6);
      const inOrder = page.locator(
        '[data-rows] tbody :is(td[tabindex], a, button, summary, input):not([tabindex="-1"], td[tabindex="0"] *)',
      );
      const expectStops = (stops: number) =>
        expect.poll(() => inOrder.count(), { timeout: waitMsMax }).toBe(stops);
      await expectStops(await page.locator('[data-rows] tbody tr:first-child td[tabindex]').count());

      await press('ArrowDown', 'ArrowDown', 'ArrowUp');
      await expectCellFocus(page, 2, 'title');
      await press('ArrowRight');
      await expectCellFocus(page, 2, 'price');
      await press('ArrowLeft');
      await expectCellFocus(page, 2, 'title');
      // Tab leads to what a cell holds.
      await press('Tab');
      expect(await focusedCell(page)).toMatch(/: edit all fields of row 2$/);
      await press('Tab');
      await expectCellFocus(page, 2, 'price');
      await press('ArrowLeft', 'Tab', 'ArrowRight');
      await expectCellFocus(page, 2, 'price');
      await press('End');
      await expectFocusOn(page, 'Edit row 2');
      await press('ArrowDown', 'Home');
      await expectFocusOn(page, 'Tick row 3');
      await press('ArrowRight');
      await expectCellFocus(page, 3, 'title');
      await press('Control+End', 'ArrowLeft', 'ArrowLeft');
      await expectCellFocus(page, 25, 'upc');

      // Enter edits and Esc leaves, to the same cell. Meanwhile Tab goes through the row's fields.
      await press('Enter');
      await expectFocusOn(page, 'UPC of row 25');
      await press('Tab');
      await expectFocusOn(page, 'Quantity of row 25');
      await press('Tab');
      await expectFocusOn(page, 'Save');
      await press('Escape');
      await expectCellFocus(page, 25, 'upc');
      // From the last cell of a row, one press leaves the table, and one returns, also after the rows have changed.
      await press('Tab');
      await expectCellFocus(page, 25, 'quantity');
      await press('Tab');
      await expectStops(1);
      expect(await page.evaluate(() => document.activeElement?.closest('table'))).toBeNull();
      await press('Shift+Tab');
      await expectCellFocus(page, 25, 'quantity');
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: '2' }).click();
      await rowOf(page, 26).waitFor();
      await expectStops(1);
      expect(await violationsOf(page)).toEqual([]);
    }),
);

test.runIf(isLong)(
  'on a phone, problems are fixed in a sheet, from one to the next, over pages',
  ({ browser, product }) =>
    browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
      // 40 rows without a valid price, then 20 that are valid.
      const lines = Array.from({ length: 60 }, (_, at) => {
        const price = at >= 40 ? '5' : at === 38 ? 'TBD' : '';
        return `Jug ${at + 1},J-${at + 1},${price}`;
      });
      const id = await upload(product, 'thumb.csv', `Title,SKU,Price\n${lines.join('\n')}\n`);
      await openSession(page);
      await page.goto(`/queue/${id}`);
      const tap = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).tap();
      // The sentence is on the card, in full; beside its picture the card is one target.
      await sees(rowOf(page, 1), 'Price is missing.');
      const targets = rowOf(page, 1).getByRole('button');
      const names = await targets.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      expect(names).toEqual(['Edit row 1', 'No Image. Images of Jug 1']);
      await tap('Fix 40');
      const sheet = page.getByRole('dialog', { name: 'Jug 1', exact: true });
      await expectFocusOn(page, 'Price of row 1');
      expect(await sheet.getByRole('textbox').count()).toBe(1);
      await sees(sheet, 'Price is missing.');
      expect(await sheet.getByRole('textbox').getAttribute('inputmode')).toBe('decimal');
      expect(await smallTargets(sheet)).toEqual([]);
      await page.keyboard.type('4.50');
      // The focus stays in the field, and the keyboard with it.
      await tap('Save & Next');
      await expectFocusOn(page, 'Price of row 2');
      await tap('Next problem');
      await expectFocusOn(page, 'Price of row 3');
      await tap('Previous problem');
      await expectFocusOn(page, 'Price of row 2');
      await tap('Close');
      await expectFocusOn(page, 'Edit row 2');
      await sees(rowOf(page, 1), 'Fixed');
      await page.getByRole('button', { name: 'Fix 39' }).waitFor();

      // The next problem is on the next page.
      await tap('Edit row 25');
      await expectFocusOn(page, 'Price of row 25');
      await page.keyboard.type('5');
      await page.keyboard.press('Enter');
      await expectFocusOn(page, 'Price of row 26');
      await swipe(page.getByRole('dialog').getByRole('textbox'), -150);
      await expectFocusOn(page, 'Price of row 27');
      await tap('Close');
      await tap('Edit row 39');
      await sees(page.getByRole('dialog'), 'Price isn’t a valid number, so it counts as missing.');
      expect(await page.getByLabel('Price of row 39').inputValue()).toBe('TBD');
      await tap('Close');
      await tap('Edit row 40');
      await page.keyboard.type('6');
      await page.keyboard.press('Enter');
      await sees(page, 'There is no next row with a problem.');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await sees(rowOf(page, 40), 'Fixed');
      // A row without a problem opens the dialog with all fields.
      await page.getByRole('button', { name: /^All \d/ }).tap();
      await tap('Edit row 1');
      await page.getByRole('dialog', { name: 'Edit Product Details - Shopify Format' }).waitFor();
    }),
);

/** Swipes with one finger to the side, starting on an element. */
function swipe(on: Locator, px: number): Promise<void> {
  return on.evaluate((target, right) => {
    const send = (type: string, clientX: number) => {
      const touch = new Touch({ identifier: 1, target, clientX, clientY: 100 });
      target.dispatchEvent(new TouchEvent(type, { bubbles: true, changedTouches: [touch] }));
    };
    send('touchstart', 200);
    send('touchend', 200 + right);
  }, px);
}

test.runIf(isLong)(
  'an action shows its status at once, and takes it back with the reason if it is refused',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/status of 409/] }, async (page) => {
      await openImport(page);
      const banner = page.getByRole('banner');
      const asked = Promise.withResolvers<void>();
      await page.route('**/api/queue/*/ready', async (route) => {
        await asked.promise;
        await route.fulfill({ status: 409, json: { code: 'conflict', message: 'Not in this status.' } });
      });
      await chooseOnPage(page, 'Mark as Ready');
      await sees(banner, 'Ready for Shopify');
      asked.resolve();
      await sees(await toast(page, 'Couldn’t mark the import as ready'), '409: Not in this status.');
      await sees(banner, 'Queued');

      // A file link that is rested on has its first rows before it is opened.
      await page.goto('/queue');
      const ahead = page.waitForRequest((request) => request.url().includes(`/api/queue/${importId}/rows?`));
      await queueRow(page, 'large.csv').getByRole('link', { name: 'large.csv' }).hover();
      expect(new URL((await ahead).url()).searchParams.get('class')).toBe('needs-you');
    }),
);

test.runIf(isLong)(
  'a re-read shows what it would give, and the reading before it is restored with one click',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await openImport(page);
      await openDetails(page);
      const mapping = page.getByRole('region', { name: /^Field Mapping/ });
      await mapping.getByRole('button', { name: 'Change how this file is read' }).click();
      const dialog = page.getByRole('dialog', { name: 'File format' });
      await dialog.getByLabel('Separator').first().click();
      await page.getByRole('option', { name: 'Semicolon ;' }).click();
      await sees(dialog, /^Valid [\d,]+ → 0/);
      await sees(dialog, 'from the first 2,000 rows');
      const records = dialog.getByRole('region', { name: 'First rows as they would be read' });
      expect(await records.getByRole('row').count()).toBe(6);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });

      await mapping.getByRole('button', { name: 'Change Mapping…' }).click();
      const drawer = page.getByRole('dialog', { name: 'Field Mapping' });
      await drawer.getByLabel('Column for Price').first().click();
      await page.getByRole('option', { name: /^Qty/ }).click();
      await sees(drawer, /^Valid [\d,]+ → 1,999/);
      await drawer.getByRole('button', { name: 'Re-read File' }).click();
      await drawer.waitFor({ state: 'detached' });
      await sees(rowOf(page, 3), '$3.00');
      const restore = page
        .getByRole('region', { name: 'Before you push' })
        .getByRole('button', { name: 'Restore Previous Reading' });
      await restore.click();
      await sees(rowOf(page, 3), '$4.50');
      await restore.waitFor({ state: 'detached' });
    }),
);
