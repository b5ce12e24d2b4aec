import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { csvOf } from '../support/fixture.ts';
import { isLong } from '../support/queue-backend.ts';
import { waitMsMax } from './browser.ts';
import { shiftMax, violationsOf } from './page-checks.ts';
import { accessKey, type Product } from './product.ts';
import {
  type ChosenFile,
  choose,
  editRow,
  expectNoSidewaysScroll,
  goTo,
  holdPost,
  queueRow,
  sees,
  signIn,
  signInAt,
  toast,
  uploadByCall,
} from './steps.ts';
import { test } from './test.ts';

/** 22 rows: 19 valid, the others without title, without price and with a price that is no number. */
function mixedCsv(noun: string): string {
  const rows = Array.from({ length: 22 }, (_, at) => {
    if (at === 12) return ['', '5', `${noun}-${at}`];
    if (at === 15) return [`${noun} ${at}`, '', `${noun}-${at}`];
    return [`${noun} ${at}`, at === 18 ? 'call us' : `${at}.50`, `${noun}-${at}`];
  });
  return csvOf([['Title', 'Price', 'SKU'], ...rows]);
}

const goodCsv = (noun: string) =>
  csvOf([
    ['Title', 'Price'],
    [`${noun} one`, '5'],
    [`${noun} two`, '7'],
  ]);

const previewOf = (page: Page) => page.getByRole('region', { name: 'CSV preview' });
const filesOf = (page: Page) => page.getByRole('region', { name: 'Files', exact: true });
const rowOf = (page: Page, filename: string) =>
  page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem').filter({ hasText: filename });
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

/** Drags files over an element, and drops them there. */
async function dropOn(page: Page, selector: string, files: readonly ChosenFile[]): Promise<void> {
  const given = files.map(({ name, content, type = 'text/csv' }) => ({
    name,
    content: String(content),
    type,
  }));
  const dataTransfer = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    // A character of the text is a byte of the file.
    for (const { name, content, type } of given) {
      const bytes = Uint8Array.from(content, (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
    }
    return transfer;
  }, given);
  const zone = page.getByRole('region', { name: 'File drop zone' });
  const look = () => zone.evaluate((one) => getComputedStyle(one).backgroundColor);
  const before = await look();
  await page.dispatchEvent(selector, 'dragover', { dataTransfer });
  await expect.poll(() => zone.getAttribute('data-over')).toBe('true');
  await expect.poll(look).not.toBe(before);
  await page.dispatchEvent(selector, 'drop', { dataTransfer });
}

async function openUpload(page: Page): Promise<void> {
  await signInAt(page, '/upload');
  await page.getByRole('region', { name: 'File drop zone' }).waitFor();
}

test.runIf(isLong)(
  'by mouse: a file dropped anywhere is checked, uploaded, and reviewable at once',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await openUpload(page);
      await dropOn(page, 'h1', [{ name: 'mixed.csv', content: mixedCsv('Lamp') }]);
      const preview = previewOf(page);
      await sees(preview, '22 products');
      for (const words of ['19 valid', '3 warnings', '0 errors']) await sees(preview, words);
      await sees(page, '22 products: 3 need a title or price before they can be pushed.');
      await sees(preview, 'UTF-8 · comma-separated · header in row 1');
      for (const words of ['19 valid · 3 warnings', '3 columns mapped'])
        await sees(rowOf(page, 'mixed.csv'), words);

      const prices = preview.getByRole('region', { name: 'Prices' });
      for (const end of ['0.50', '21.50']) await prices.getByText(end, { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Process All' }).hover();
      await sees(
        page.getByRole('tooltip'),
        'Uploads 1 file with 22 products, valid or not. Upload 19 Products does the same.',
      );

      const table = preview.getByRole('table', { name: 'Rows of the file' });
      expect(await table.getByRole('row').count()).toBe(1 + 10);
      await preview.getByText('Rows with problems (3)').click();
      await sees(table, 'Price isn’t a valid number, so it counts as missing.');
      expect(await table.getByRole('row').count()).toBe(1 + 3);
      const rows = table.getByRole('row');
      expect(await rows.nth(1).getByRole('img', { name: 'Warning' }).count()).toBe(1);
      await sees(rows.nth(1), 'Title is missing.');
      await sees(rows.nth(1), 'Missing');
      await rows.nth(3).locator('[data-wrong="bad"]').getByText('call us').waitFor();
      await preview.getByText('First 10').click();
      await expect.poll(() => table.getByRole('row').count()).toBe(1 + 10);
      const views = preview.getByRole('radiogroup', { name: 'Rows shown' });
      expect(await views.getByRole('radio', { name: 'First 10', checked: true }).count()).toBe(1);
      await preview.getByRole('button', { name: 'Show All' }).click();
      await expect.poll(() => table.getByRole('row').count()).toBe(1 + 22);
      expect(await views.getByRole('radio', { checked: true }).count()).toBe(0);
      await preview.getByText('First 10').click();
      await expect.poll(() => table.getByRole('row').count()).toBe(1 + 10);

      const begunMs = performance.now();
      await page.getByRole('button', { name: 'Upload 19 Products' }).click();
      const review = filesOf(page).getByRole('link', { name: 'Review 3 Products' });
      await review.waitFor();
      console.log(`reviewable ${Math.round(performance.now() - begunMs)} ms after the click`);
      await sees(page.getByRole('status'), 'Processed: 22 products.');
      await sees(rowOf(page, 'mixed.csv'), '19 valid · 3 warnings');
      await sees(
        await toast(page, 'CSV Processing Complete!'),
        '22 products processed and queued. Go to Queue tab to review before pushing to Shopify.',
      );
      await review.click();
      await page.getByRole('heading', { name: 'mixed.csv', level: 1 }).waitFor();
      await sees(page, '3 of 3 matching rows');
      await page.getByRole('button', { name: /^Needs you\s*3$/, pressed: true }).waitFor();
      expect(await page.locator('[data-row]').count()).toBe(3);
    }),
);

/** The rows of `mixedCsv` that are not valid, the field that is wrong, and what it should be. */
const repairs = [
  { row: 13, field: 'Title', text: 'Twelve' },
  { row: 16, field: 'Price', text: '16.50' },
  { row: 19, field: 'Price', text: '19' },
] as const;

/** The titles in the store of the products of `mixedCsv`. */
const inStore = async ({ store }: Product, noun: string) => {
  const titles = (await store.products()).map(({ title }) => title);
  return titles.filter((title) => title.startsWith(`${noun} `) || title === 'Twelve').length;
};

test('by keyboard alone: from signing in over the upload and its problems to the push', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    await page.goto('/');
    await page.getByLabel('Access Key').waitFor();
    await page.keyboard.type(accessKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.getByRole('region', { name: 'File drop zone' }).waitFor();
    const press = async (name: RegExp | string) => {
      const control = page.getByRole('button', { name });
      await expect
        .poll(
          async () => {
            await page.keyboard.press('Tab');
            return control.evaluate((one) => one === document.activeElement);
          },
          { timeout: waitMsMax, interval: 10 },
        )
        .toBe(true);
    };
    const chooser = page.waitForEvent('filechooser');
    await press('Choose File');
    await page.keyboard.press('Enter');
    const buffer = Buffer.from(mixedCsv('Vase'));
    await (await chooser).setFiles({ name: 'keys.csv', mimeType: 'text/csv', buffer });
    const button = page.getByRole('button', { name: 'Upload 19 Products' });
    await button.waitFor();
    await expect.poll(() => button.getAttribute('aria-disabled')).toBeNull();
    await press('Upload 19 Products');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedText(page)).toBe('keys.csv');
    await filesOf(page)
      .getByRole('link', { name: /^Review/ })
      .waitFor();
    expect(await focusedText(page)).toBe('keys.csv');
    await page.keyboard.press('Tab');
    expect(await focusedText(page)).toBe('Review 3 Products');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'keys.csv', level: 1 }).waitFor();
    await page.locator('[data-row]').first().waitFor();

    const expectFocusOn = (label: string) =>
      expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), {
          timeout: waitMsMax,
        })
        .toBe(label);
    // The first wrong cell has the focus, where a letter would be text.
    await page.locator('td:focus').waitFor();
    await page.keyboard.press('Home');
    await page.locator('td:focus').waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    for (const { row, field, text } of repairs) {
      await expectFocusOn(`${field} of row ${row}`);
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    }
    // The focus returns to the cell that was edited last.
    const lastCell = page.locator('[data-row="19"] td:focus');
    await lastCell.waitFor();
    await sees(page.getByRole('banner'), 'Ready for Shopify');
    await page.keyboard.press('Home');
    await page.keyboard.press('e');
    await page.getByRole('dialog').getByLabel('Title').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press(/^Push$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Processing Queue', level: 1 }).waitFor();
    await sees(queueRow(page, 'keys.csv'), 'Completed');
    await sees(queueRow(page, 'keys.csv'), '22 created');
    expect(await inStore(product, 'Vase')).toBe(22);
    // The result of the upload has what became of its import.
    await goTo(page, 'Upload');
    await sees(rowOf(page, 'keys.csv'), 'Completed');
    await rowOf(page, 'keys.csv').getByRole('link', { name: 'View Report' }).click();
    await page.getByRole('heading', { name: 'Processing Queue', level: 1 }).waitFor();
  }));

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('latin1');

test.runIf(isLong)(
  'several files are checked at once, the wrong ones are named, the others are uploaded and announced once',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/status of 429/] }, async (page) => {
      await openUpload(page);
      // The server receives other files at first; the page waits as long as it asks.
      const busy = { status: 429, headers: { 'retry-after': '0' }, json: { code: 'busy', message: 'Busy.' } };
      let refused = 0;
      // Not `times`: when it is used up, requests under way can stay without an answer.
      await page.route('**/api/upload', (route) => {
        refused += 1;
        return refused > 2 ? route.continue() : route.fulfill(busy);
      });
      // A machine that is as busy as in the short form draws too late after an input.
      if (isLong) await page.evaluate(observeShifts);
      await dropOn(page, 'main', [
        { name: 'first.csv', content: goodCsv('Stool') },
        { name: 'notes.csv', content: 'Title,Price\n' },
        { name: 'second.csv', content: goodCsv('Shelf') },
        { name: 'third.csv', content: mixedCsv('Chair') },
        { name: 'empty.csv', content: '' },
        { name: 'picture.csv', content: png },
        { name: 'photo.png', content: png, type: 'image/png' },
      ]);
      await sees(rowOf(page, 'first.csv'), '2 valid');
      await sees(rowOf(page, 'third.csv'), '19 valid · 3 warnings');
      for (const name of ['notes.csv', 'empty.csv']) {
        await sees(rowOf(page, name), 'CSV file must have at least a header row and one data row');
      }
      await sees(
        rowOf(page, 'picture.csv'),
        'This is a PNG image, not a CSV file. Choose a CSV file instead.',
      );
      await sees(rowOf(page, 'photo.png'), 'Invalid File Type: Please select a CSV file');
      await sees(
        page,
        '26 products of 3 files: 3 need a title or price before they can be pushed. 4 files can’t be uploaded.',
      );
      await page.getByRole('heading', { name: 'Preview of first.csv' }).waitFor();
      await rowOf(page, 'third.csv').getByRole('button', { name: 'third.csv', exact: true }).click();
      await page.getByRole('heading', { name: 'Preview of third.csv' }).waitFor();
      await rowOf(page, 'notes.csv').getByRole('button', { name: 'notes.csv', exact: true }).click();
      await page.getByRole('heading', { name: 'CSV Parse Error', level: 2 }).waitFor();
      await page.getByRole('button', { name: 'Read It Differently' }).waitFor();
      await page.getByRole('button', { name: 'Remove notes.csv' }).click();
      expect(await focusedText(page)).toBe('second.csv');

      await page.getByRole('button', { name: 'Upload 23 Products' }).click();
      await sees(
        await toast(page, 'CSV Processing Complete!'),
        '3 files processed and queued, with 26 products.',
      );
      await sees(page, '3 files processed, with 26 products. 3 files can’t be uploaded.');
      await page.getByRole('banner').getByRole('link', { name: 'Go to Queue' }).waitFor();
      const files = filesOf(page);
      expect(await files.getByRole('link', { name: /^Review/ }).count()).toBe(3);
      expect(await files.locator('[data-variant="filled"]').count()).toBe(0);
      expect(await files.getByRole('listitem').count()).toBe(6);
      if (isLong) expect(await shiftOf(page)).toBeLessThanOrEqual(shiftMax);
      await goTo(page, 'Processing Queue');
      await queueRow(page, 'first.csv').waitFor();
      await queueRow(page, 'third.csv').waitFor();
      expect(await page.getByRole('link', { name: 'picture.csv' }).count()).toBe(0);

      await goTo(page, 'Upload CSV');
      await choose(page, { name: 'alone.csv', content: goodCsv('Bench') });
      await page.getByRole('button', { name: 'Upload 2 Products' }).click();
      await sees(await toast(page, 'CSV Processing Complete!'), /^2 products processed and queued\./);
    }),
);

test.runIf(isLong)(
  'a file that was uploaded before says so, and its counts are those with the edits it will get',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await signIn(page);
      const file = { name: 'known.csv', content: mixedCsv('Known') };
      const id = await uploadByCall(page, file);
      await editRow(page, id, 16, { price: '16.50' });
      await goTo(page, 'Upload');
      await choose(page, { ...file, name: 'again.csv' });
      const row = rowOf(page, 'again.csv');
      await sees(row, '20 valid · 2 warnings');
      await sees(row, /^Uploaded .*, 1 edit applies$/);
      await sees(page, '22 products: 2 need a title or price before they can be pushed.');
      const preview = previewOf(page);
      await sees(preview, '20 valid');
      await preview.getByRole('link', { name: 'earlier import' }).waitFor();
      await page.getByRole('button', { name: 'Upload 20 Products' }).click();
      await filesOf(page).getByRole('link', { name: 'Review 2 Products' }).waitFor();
      await sees(row, '20 valid · 2 warnings');
      await row.getByRole('link', { name: 'Uploaded before' }).waitFor();
    }),
);

test.runIf(isLong)('the test panel reports each check and leaves nothing behind', ({ browser, product }) =>
  browser.visit({ expectedConsole: [/status of 400/, /ERR_CONNECTION_REFUSED/] }, async (page) => {
    const imports = async () => {
      const { rows } = await product.database.pool.query<{ count: string }>('select count(*) from imports');
      return rows[0]?.count;
    };
    const before = await imports();
    await openUpload(page);
    const panel = page.getByRole('region', { name: 'System Edge Case Testing' });
    const checks = panel.getByRole('table', { name: 'Tests' }).getByRole('row');
    await checks.nth(16).waitFor();
    await panel.getByRole('heading', { name: 'System Edge Case Testing' }).waitFor();
    expect(await panel.getAttribute('data-state')).toBe('idle');
    expect(await panel.getByText('PENDING').count()).toBe(16);
    const asked = page.waitForRequest('**/api/fast-upload');
    const release = await holdPost(page, '/api/fast-upload');
    await panel.getByRole('button', { name: 'Run All Tests' }).click();
    expect((await asked).postDataJSON()).toEqual({
      csvContent: expect.stringMatching(/^Title,Price\n/),
      options: { enableUPC: false, enableAI: false, draftMode: true },
    });
    expect(await panel.getAttribute('data-state')).toBe('running');
    await panel.getByText('RUN', { exact: true }).waitFor();
    release();
    await sees(await toast(page, 'System Testing Complete'), 'All edge case tests have been executed');
    const failed = panel.getByText('FAIL', { exact: true });
    expect(await failed.count(), (await panel.textContent()) ?? '').toBe(0);
    await sees(panel, /^\d+ passed, 0 failed, \d warnings? of 16 · [\d,]+ ms$/);
    expect(await panel.getByText(/^(PASS|WARN)$/).count()).toBe(16);
    expect(await panel.getByText(/^[\d,]+ ms$/).count()).toBe(16);
    expect(await panel.getAttribute('data-state')).toBe('complete');
    const [status, name, details, duration] = await checks.nth(1).getByRole('cell').allInnerTexts();
    expect([status, name, details]).toEqual([
      'PASS',
      'Quoted commas',
      '2 rows: 2 valid, 0 warnings, 0 errors.',
    ]);
    expect(duration).toMatch(/^[\d,]+ ms$/);
    expect(await imports()).toBe(before);

    await page.route('**/api/fast-upload', (route) => route.abort('connectionrefused'));
    await panel.getByRole('button', { name: 'Run All Tests' }).click();
    await toast(page, 'Testing Failed');
  }),
);

function observeShifts(): void {
  const sum = { value: 0 };
  Object.assign(globalThis, { unexpectedShift: sum });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
      if (!entry.hadRecentInput) sum.value += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Sums the layout shifts of each page as CLS does: what moves within 500 ms of an input is expected to. */
const measureShifts = (page: Page) => page.addInitScript(observeShifts);

const shiftOf = (page: Page) =>
  page.evaluate(
    () => (globalThis as unknown as { unexpectedShift: { value: number } }).unexpectedShift.value,
  );

const longName = `${'supplier-price-list-'.repeat(4)}2026.csv`;

test.runIf(isLong).for([
  { width: 390, height: 844, scheme: 'dark' },
  { width: 1440, height: 900, scheme: 'light' },
  { width: 1440, height: 900, scheme: 'dark' },
  { width: 768, height: 1024, scheme: 'light' },
  { width: 390, height: 844, scheme: 'light' },
] as const)('at $width px, $scheme: accessible, nothing moves, nothing scrolls sideways', (at, { browser }) =>
  browser.visit(
    {
      isFirst: true,
      viewport: { width: at.width, height: at.height },
      colorScheme: at.scheme,
      touch: at.width < 768,
    },
    async (page) => {
      await measureShifts(page);
      await signInAt(page, '/upload');
      const check = async (what: string) => {
        await page.waitForLoadState('networkidle');
        expect([what, await violationsOf(page)]).toEqual([what, []]);
        expect(await shiftOf(page), `layout shift: ${what}`).toBeLessThanOrEqual(shiftMax);
        await expectNoSidewaysScroll(page);
      };
      await page.getByRole('region', { name: 'System Edge Case Testing' }).waitFor();
      await check('empty');
      await choose(page, { name: longName, content: mixedCsv(`Rug-${at.width}-${at.scheme}`) });
      await page.getByRole('button', { name: 'Upload 19 Products' }).waitFor();
      await previewOf(page).getByText('Rows with problems (3)').click();
      await sees(previewOf(page), 'Title is missing.');
      await check('preview');
      await page.getByRole('button', { name: 'Upload 19 Products' }).click();
      await filesOf(page).getByRole('link', { name: 'Review 3 Products' }).waitFor();
      await check('result');
    },
  ),
);
