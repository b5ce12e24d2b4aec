import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { gtinOf } from '../../support/sources.ts';
import { openBrowser, waitMsMax } from '../browser.ts';
import { launchChromium } from '../chromium.ts';
import { smallTargets } from '../page-checks.ts';
import { bitmapFile, pictureOfCode, videoFile } from '../scan-steps.ts';
import { expectNoSidewaysScroll, post, put, requestsOf, sees, signInAt, toast } from '../steps.ts';
import { test } from '../test.ts';
import { typeAsScanner } from '../type-as-scanner.ts';

const phone = { width: 390, height: 844 };
/** JavaScript of the scan view and of the reader's worker, and the reader's wasm, as gzip. */
const scanBytesMax = 20_000;
const wasmBytesMax = 420_000;
const cameraRefused = /Draftshelf: the camera did not start/;
const upcOf = (number: number) => gtinOf(number).slice(2);

async function openScanner(page: Page): Promise<void> {
  await signInAt(page, '/scanner');
  await page.getByRole('heading', { name: 'Product Scanner', level: 1 }).waitFor();
}

const upcField = (page: Page) => page.getByLabel('UPC', { exact: true });
const hasValue = (page: Page, label: string, value: string) =>
  expect.poll(() => page.getByLabel(label).first().inputValue(), { timeout: waitMsMax }).toBe(value);

async function saveNew(page: Page, name: string, sku: string): Promise<void> {
  await page.getByLabel('Product Name *').fill(name);
  await page.getByLabel('SKU *').fill(sku);
  await page.getByLabel('Price ($) *').fill('9.90');
  await page.getByRole('button', { name: 'Save Product' }).click();
  await toast(page, 'Product Saved');
}

test('the reader of codes is small, and compressed by the build', async () => {
  const dir = join(inject('webDir'), 'assets');
  const names = await readdir(dir);
  const bytesOf = async (pattern: RegExp) => {
    const files = names.filter((name) => pattern.test(name));
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(dir, name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const scripts = await bytesOf(/^(?:scan|scan-view|one-scan|code-worker)-[^.]+\.js\.gz$/);
  const wasm = await bytesOf(/\.wasm\.gz$/);
  console.log(`scan view and reader: ${scripts} bytes of JavaScript, ${wasm} bytes of wasm`);
  expect(scripts).toBeGreaterThan(0);
  expect(scripts).toBeLessThanOrEqual(scanBytesMax);
  expect(wasm).toBeGreaterThan(0);
  expect(wasm).toBeLessThanOrEqual(wasmBytesMax);
});

test('the camera reads a code: a new one opens the form, a known one its product', async ({ product }) => {
  const upc = upcOf(36_000_291_451);
  const dir = await mkdtemp(join(tmpdir(), 'draftshelf-video-'));
  await writeFile(join(dir, 'code.y4m'), videoFile(await pictureOfCode(upc)));
  const chromium = await launchChromium([`--use-file-for-fake-video-capture=${join(dir, 'code.y4m')}`]);
  try {
    await openBrowser(chromium, product.apiUrl).visit(
      { viewport: phone, touch: true, camera: true },
      async (page) => {
        const wasm: string[] = [];
        page.on('requestfinished', (request) => {
          if (request.url().endsWith('.wasm')) wasm.push(request.url());
        });
        await openScanner(page);
        await page.waitForLoadState('networkidle');
        expect(wasm).toEqual([]);
        await page.getByRole('button', { name: 'Scan', exact: true }).tap();
        await page.getByRole('heading', { name: 'Create New Product' }).waitFor();
        await expect.poll(() => upcField(page).inputValue(), { timeout: waitMsMax }).toBe(upc);
        expect(wasm).toHaveLength(1);
        await saveNew(page, 'Ceramic vase', 'VA-12');
        await page.getByRole('heading', { name: 'Product Scanner', level: 1 }).waitFor();

        await page.getByRole('button', { name: 'Scan', exact: true }).tap();
        await page.getByRole('heading', { name: 'Edit Product' }).waitFor();
        await hasValue(page, 'Product Name *', 'Ceramic vase');
      },
    );
  } finally {
    await chromium.close();
    await rm(dir, { recursive: true, force: true });
  }
});

test.runIf(isLong)('without a camera the view says why, and a photo or typing does the same', ({ browser }) =>
  browser.visit({ viewport: phone, touch: true, expectedConsole: [cameraRefused] }, async (page) => {
    await openScanner(page);
    await page.getByRole('button', { name: 'Scan', exact: true }).tap();
    const view = page.getByRole('dialog', { name: 'Scan a code' });
    await sees(view.getByRole('alert'), /^The camera is blocked for this site\. Allow it/);
    await expectNoSidewaysScroll(page);
    expect(await smallTargets(view, 48)).toEqual([]);
    const blank = { data: new Uint8ClampedArray(300 * 300 * 4).fill(200), width: 300, height: 300 };
    const photo = view.locator('input[type=file]');
    await photo.setInputFiles({ name: 'wall.bmp', mimeType: 'image/bmp', buffer: bitmapFile(blank) });
    await sees(view, /^No code was found in this photo\./);
    await photo.setInputFiles({ name: 'text.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('text') });
    await sees(view, /^This file isn’t a picture/);
    const upc = upcOf(36_000_291_452);
    const code = bitmapFile(await pictureOfCode(upc));
    await photo.setInputFiles({ name: 'code.bmp', mimeType: 'image/bmp', buffer: code });
    await page.getByRole('heading', { name: 'Create New Product' }).waitFor();
    await expect.poll(() => upcField(page).inputValue(), { timeout: waitMsMax }).toBe(upc);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard Changes' }).click();

    await page.getByRole('button', { name: 'Scan', exact: true }).tap();
    await view.getByRole('button', { name: 'Type It In' }).tap();
    await view.getByLabel('Code', { exact: true }).fill('VA-99');
    await view.getByRole('button', { name: 'Use Code' }).tap();
    await hasValue(page, 'SKU *', 'VA-99');

    // The codes of this session, the latest first, also after a reload.
    await page.reload();
    await page.getByRole('button', { name: 'Scan a code' }).tap();
    const scans = view.getByRole('list', { name: 'Scanned in this session' }).getByRole('listitem');
    await expect.poll(() => scans.count(), { timeout: waitMsMax }).toBe(2);
    await sees(scans.first(), 'VA-99');
    expect(await smallTargets(view, 48)).toEqual([]);
    await view.getByRole('button', { name: `Use Again: ${upc}` }).tap();
    await expect.poll(() => upcField(page).inputValue(), { timeout: waitMsMax }).toBe(upc);
  }),
);

test('the keyboard alone opens the scan view and types a code, and the form has the focus then', ({
  browser,
}) =>
  browser.visit({ expectedConsole: [cameraRefused] }, async (page) => {
    await openScanner(page);
    await page.keyboard.press('s');
    const view = page.getByRole('dialog', { name: 'Scan a code' });
    await view.getByRole('alert').waitFor();
    const hasFocus = (target: Locator) => target.evaluate((one) => one === document.activeElement);
    const typeIn = view.getByRole('button', { name: 'Type It In' });
    const stops = ['Close', 'Try Again', 'Read from a Photo', 'Type It In', 'Close'];
    for (let tabs = 0; tabs <= stops.length && !(await hasFocus(typeIn)); tabs += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    const code = view.getByLabel('Code', { exact: true });
    await expect.poll(() => hasFocus(code), { timeout: waitMsMax }).toBe(true);
    // At the pace of a person.
    await page.keyboard.type('VA-7', { delay: 120 });
    await page.keyboard.press('Enter');
    await hasValue(page, 'SKU *', 'VA-7');
    await view.waitFor({ state: 'hidden' });
    const name = page.getByLabel('Product Name *');
    await expect.poll(() => hasFocus(name), { timeout: waitMsMax }).toBe(true);
  }));

test.runIf(isLong)(
  'a hand-held scanner is heard on the page and in a field, and changes nothing else',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await openScanner(page);
      const [first, second] = [upcOf(36_000_291_461), upcOf(36_000_291_462)];
      await typeAsScanner(page, first);
      await page.getByRole('heading', { name: 'Create New Product' }).waitFor();
      await expect.poll(() => upcField(page).inputValue(), { timeout: waitMsMax }).toBe(first);

      const name = page.getByLabel('Product Name *');
      await name.fill('Vase');
      await name.focus();
      await typeAsScanner(page, second);
      await expect.poll(() => upcField(page).inputValue(), { timeout: waitMsMax }).toBe(second);
      expect(await name.inputValue()).toBe('Vase');
      const undo = page.getByRole('button', { name: 'Undo Scan' });
      await sees(page, 'The scan filled in UPC.');
      await undo.click();
      expect(await upcField(page).inputValue()).toBe(first);
      // In the SKU field it is a product number all the same.
      const sku = page.getByLabel('SKU *');
      await sku.focus();
      await typeAsScanner(page, second);
      await sees(page, `${second} is in the UPC field.`);
      expect(await sku.inputValue()).toBe('');
      await page.getByRole('button', { name: 'Use as SKU' }).click();
      expect([await upcField(page).inputValue(), await sku.inputValue()]).toEqual([second, second]);
      await undo.click();
      expect([await upcField(page).inputValue(), await sku.inputValue()]).toEqual([first, '']);
      await undo.click();
      expect(await upcField(page).inputValue()).toBe('');
      expect(await undo.count()).toBe(0);
      expect(await name.inputValue()).toBe('Vase');
      // A code with the keys of shortcuts, without a suffix.
      await typeAsScanner(page, '/g?d-12', null);
      await hasValue(page, 'SKU *', '/g?d-12');
      expect(await name.inputValue()).toBe('Vase');
      expect(new URL(page.url()).pathname).toBe('/scanner');
      await page.getByRole('heading', { name: 'Create New Product' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);

      // While something else is open, a code is not used, and the screen says what to do.
      await page.getByRole('button', { name: 'Upload Photo' }).click();
      const uploads = page.getByRole('dialog', { name: 'Upload photos' });
      await uploads.waitFor();
      await typeAsScanner(page, first);
      const refused = await toast(page, 'Code not used');
      await sees(refused, `Close “Upload photos”, then scan ${first} again.`);
      await uploads.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
      await question.waitFor();
      await typeAsScanner(page, second);
      await sees(page, `Answer the question on the screen, then scan ${second} again.`);
      await question.getByRole('button', { name: 'Keep Editing' }).click();
      expect(await upcField(page).inputValue()).toBe('');
      expect(await sku.inputValue()).toBe('/g?d-12');
    }),
);

test('a known product opens without another read, and Back shows it as the library has it', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openScanner(page);
    await page.waitForLoadState('networkidle');
    const upc = upcOf(36_000_291_471);
    // The list on the screen does not have it yet.
    const data = { name: 'Made elsewhere', sku: 'ME-1', upc, price: '5', photos: [] };
    await post(page, '/api/scanner/products', data);
    const requests = requestsOf(page);
    await typeAsScanner(page, upc);
    await page.getByRole('heading', { name: 'Edit Product' }).waitFor();
    await hasValue(page, 'Product Name *', 'Made elsewhere');
    expect(requests.filter((one) => one.startsWith('GET /api/scanner/products/'))).toEqual([]);

    // After the browser's Back the library's product counts, not the one of the look-up.
    const id = new URL(page.url()).searchParams.get('product');
    await page.goBack();
    await page.getByRole('heading', { name: 'Product Scanner', level: 1 }).waitFor();
    const renamed = { ...data, name: 'Renamed elsewhere' };
    await put(page, `/api/scanner/products/${id}`, renamed);
    await page.getByLabel('Search products').fill('ME-1');
    await page.getByRole('button', { name: 'Renamed elsewhere', exact: true }).click();
    await hasValue(page, 'Product Name *', 'Renamed elsewhere');
  }));

test.runIf(isLong)('twenty codes in a row are kept, and saved once each', ({ browser }) =>
  browser.visit(
    {
      viewport: phone,
      touch: true,
      expectedConsole: [cameraRefused, /status of 400/, /net::ERR_FAILED/],
    },
    async (page) => {
      await openScanner(page);
      const before = ((await (await page.request.get('/api/scanner/products')).json()) as unknown[]).length;
      const codes = Array.from({ length: 20 }, (_, at) => upcOf(36_000_292_000 + at));
      await page.getByRole('button', { name: 'Scan Many' }).tap();
      const view = page.getByRole('dialog', { name: 'Scan many codes' });
      await view.getByText('Scan one code after the other.').waitFor();
      for (const code of [...codes, codes[0] ?? '']) await typeAsScanner(page, code);
      const lines = view.getByRole('list', { name: '20 scanned codes' }).getByRole('listitem');
      await expect.poll(() => lines.count(), { timeout: waitMsMax }).toBe(20);
      await lines.last().getByText('×2').waitFor();
      await sees(lines.last(), 'Scanned 2 times; this count isn’t saved.');

      await page.reload();
      await page.getByRole('button', { name: 'Scan Many' }).tap();
      await expect.poll(() => lines.count(), { timeout: waitMsMax }).toBe(20);
      for (const [at, code] of codes.entries()) {
        await view.getByLabel(`Name of ${code}`).fill(`Vase ${at + 1}`);
        await view.getByLabel(`Price of ${code}`).fill('9.90');
      }
      expect(await smallTargets(view, 48)).toEqual([]);
      await expectNoSidewaysScroll(page);
      let isLost = false;
      await page.route('**/api/scanner/products', async (route) => {
        const sku = route.request().method() === 'POST' ? route.request().postDataJSON().sku : null;
        if (sku === codes[4]) {
          return route.fulfill({ status: 400, json: { code: 'invalid', message: 'The SKU is taken.' } });
        }
        if (sku !== codes[8] || isLost) return route.continue();
        isLost = true;
        await route.fetch();
        return route.abort();
      });
      await view.getByRole('button', { name: 'Save All (20)' }).tap();
      await sees(view, '19 products saved. 1 line left.');
      await sees(view, /The SKU is taken\./);
      expect(isLost).toBe(true);
      const saved = (await (await page.request.get('/api/scanner/products')).json()) as { sku: string }[];
      expect(saved).toHaveLength(before + 19);
      const skus = saved.map(({ sku }) => sku).filter((sku) => codes.includes(sku));
      expect(skus.toSorted()).toEqual(codes.filter((_, at) => at !== 4).toSorted());
    },
  ),
);
