import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { openBrowser, waitMsMax } from './browser.ts';
import { testInChromium } from './chromium-test.ts';
import { startProduct } from './product.ts';
import {
  chooseOnPage,
  closeDetails,
  openSession,
  queueRow,
  sees,
  seesClasses,
  toast,
  uploadByCall,
} from './steps.ts';

const test = testInChromium
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the needed fixtures from the pattern.
  .extend('product', { scope: 'file' }, async ({}, { onCleanup }) => {
    const product = await startProduct({ IMAGE_HOSTS: 'pictures.example' });
    onCleanup(product.close);
    return product;
  })
  .extend('browser', { scope: 'file' }, ({ chromium, product }) => openBrowser(chromium, product.apiUrl));

let id = '';

const name = 'spring-delivery.csv';
const upc = '036000291452';
/** 60 rows: the first six differ in price and picture, and two of them have no price. */
const first = [
  `Vase 1,$5,Lumen,${upc},https://pictures.example/vase.svg`,
  'Vase 2,abc,,,https://pictures.example/gone.png',
  'Vase 3,,,,',
  'Vase 4,4.5,,,foo.jpg',
  'Vase 5,1234.567,,,https://elsewhere.example/vase.svg',
  // A port that no shop has: it may be anything in the operator's network.
  'Vase 6,6.50,Lumen,,https://pictures.example:8443/vase.svg',
];
const others = Array.from({ length: 54 }, (_, at) => `Vase ${at + 7},${at + 7}.50,Lumen,,`);
const header = 'Product Name,Sale Price,Manufacturer,Variant Barcode,Image URL';
const content = `${[header, ...first, ...others].join('\n')}\n`;
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';

const banner = (page: Page) => page.getByRole('banner');
const card = (page: Page, title: string) => page.getByRole('region', { name: new RegExp(`^${title}`) });
const rowOf = (page: Page, row: number) => page.locator(`[data-row="${row}"]`);
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true });
const pathOf = (request: Request) => {
  const { pathname, search } = new URL(request.url());
  return pathname + search;
};

/** Opens the page of the one import of these tests, which the first of them uploads. */
async function openImport(page: Page): Promise<void> {
  await openSession(page);
  if (id === '') id = await uploadByCall(page, { name, content });
  await page.goto(`/queue/${id}?class=all`);
  await rowOf(page, 1).waitFor();
}

/** Answers the reads of an import with its data now, changed by what `change` holds at the time. */
async function changeReply(page: Page, change: { job: object }): Promise<void> {
  const reply = await (await page.request.get(`/api/queue/${id}?rows=0`)).json();
  await page.route('**/api/queue/*?rows=0', (route) =>
    route.fulfill({ json: { ...reply, job: { ...reply.job, ...change.job } } }),
  );
}

test('an import is shown with its mapping and 25 rows a page, with prices and pictures', ({ browser }) =>
  browser.visit({ expectedConsole: [/status of 404 .*gone\.png/] }, async (page) => {
    await page.route('https://pictures.example/**', (route) =>
      route.request().url().endsWith('vase.svg')
        ? route.fulfill({ contentType: 'image/svg+xml', body: picture })
        : route.fulfill({ status: 404, body: '' }),
    );
    const outside: string[] = [];
    page.on('request', (request) => outside.push(request.url()));
    await openImport(page);
    await banner(page).getByRole('heading', { name, level: 1 }).waitFor();
    await sees(banner(page), 'Queued');
    await sees(card(page, 'Job Status'), '60 products');
    await seesClasses(page, '58 valid, 2 warnings');
    await button(page, 'Field Mapping').click();
    const mapping = card(page, 'Field Mapping');
    await sees(mapping, 'Manufacturer');
    expect(await mapping.locator('dl > div').allTextContents()).toEqual([
      'TitleProduct Name',
      'PriceSale Price',
      'UPCVariant Barcode',
      'BrandManufacturer',
      'ImageImage URL',
    ]);

    await closeDetails(page);

    const preview = card(page, 'Product Preview');
    const rows = preview.locator('[data-row]');
    expect(await rows.count()).toBe(25);
    const pages = preview.getByRole('navigation', { name: 'Pages' });
    const numbers = pages.getByRole('button', { name: /^\d/ });
    expect(await numbers.allTextContents()).toEqual(['1', '2', '3']);
    const prices = ['$5.00', '$0.00', '$0.00', '$4.50', '$1234.57'];
    for (const [at, price] of prices.entries()) {
      await rowOf(page, at + 1)
        .getByText(price, { exact: true })
        .waitFor();
    }

    const imageCell = (row: number) => rowOf(page, row).getByRole('cell').nth(2);
    await imageCell(1).locator('img').waitFor();
    const said = [2, 3, 4, 5, 6].map((row) => imageCell(row));
    await expect
      .poll(() => Promise.all(said.map((cell) => cell.textContent())), { timeout: waitMsMax })
      .toEqual(['Failed', 'No Image', 'Invalid', 'Invalid', 'Failed']);
    expect(outside.filter((url) => url.includes(':8443'))).toEqual([]);
    // Row 6 is not loaded at all, so nothing is known about it.
    await sees(preview, 'Your browser couldn’t load 1 picture on this page.');
    await button(page, 'Image of Vase 2, failed to load').hover();
    await sees(page.getByRole('tooltip'), /^Failed\. Your browser couldn’t load the image\./);
    await button(page, 'Image of Vase 2, failed to load').click();
    const image = page.getByRole('dialog', { name: 'Vase 2' });
    await sees(image, 'Image failed to load');
    await sees(image, /^gone\.png: Your browser couldn’t load the image\./);
    await page.keyboard.press('Escape');
    await image.waitFor({ state: 'detached' });
    for (const [row, words] of [
      [3, 'No Image'],
      [4, 'Invalid: “foo.jpg” isn’t a web address that begins with http:// or https://.'],
      [5, 'vase.svg: Pictures on elsewhere.example aren’t allowed.'],
    ] as const) {
      const opener = imageCell(row).getByRole('button');
      await opener.click();
      const images = page.getByRole('dialog', { name: `Images of Vase ${row}`, exact: true });
      await sees(images, words);
      await page.keyboard.press('Escape');
      await images.waitFor({ state: 'detached' });
      await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
    }

    await pages.getByRole('button', { name: '3', exact: true }).click();
    await expect.poll(() => rows.count(), { timeout: waitMsMax }).toBe(10);
    await page.getByRole('link', { name: 'Back to Queue' }).click();
    await page.getByRole('heading', { name: 'Processing Queue', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/queue');
  }));

test.runIf(isLong)('an edit in the row is discarded or kept', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openImport(page);
    const saved: string[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && saved.push(pathOf(request)));
    const row = rowOf(page, 3);
    const price = page.getByLabel('Price of row 3');
    await button(page, 'Edit row 3').click();
    await price.fill('7');
    await row.getByRole('button', { name: 'Cancel' }).click();
    await row.getByText('Missing', { exact: true }).waitFor();
    await button(page, 'Edit row 3').click();
    expect(await price.inputValue()).toBe('');
    expect(saved).toEqual([]);
    await price.fill('8');
    await row.getByRole('button', { name: 'Save' }).click();
    await row.getByText('$8.00', { exact: true }).waitFor();
    expect(saved).toHaveLength(1);
    await page.reload();
    await row.getByText('$8.00', { exact: true }).waitFor();
  }),
);

const review = ['Dry Run', 'Update Images', 'Test Shopify', 'Push'];
/** A window in which no action of the bar is in its menu for want of room. */
const wideBar = { width: 1700, height: 900 };
/** Each status as the bar shows it, and what the page adds for those that are reviewed. */
const statuses: [status: string, label: string, notices: string[] | null][] = [
  ['processing', 'Processing', null],
  ['queued', 'Queued', ['Ready for your review']],
  ['processed', 'Ready for Shopify', []],
  ['uploading', 'Uploading to Shopify', null],
  ['completed', 'Completed', null],
  ['failed', 'Failed', null],
  ['paused', 'Paused', null],
  ['cancelled', 'Cancelled', null],
];

test.runIf(isLong)(
  'actions and notice depend on the status; an error and missing rows are said',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/Push Failed/], viewport: wideBar }, async (page) => {
      await openImport(page);
      const change = { job: {} };
      await changeReply(page, change);
      for (const [status, label, notices] of statuses) {
        change.job = { status };
        await page.reload();
        await sees(banner(page), new RegExp(`^${label}$`));
        await card(page, 'Product Preview').waitFor();
        const counts = review.map((action) => button(page, action).count());
        expect([status, await Promise.all(counts)]).toEqual([status, review.map(() => (notices ? 1 : 0))]);
        const shown = card(page, 'Job Status').getByText(/^Ready for /);
        expect([status, await shown.allTextContents()]).toEqual([status, notices ?? []]);
      }

      change.job = { status: 'failed', errorMessage: 'The disk is full.' };
      await page.reload();
      await sees(page.getByRole('alert'), 'The disk is full.');

      change.job = { csvData: [] };
      await page.reload();
      await sees(card(page, 'Product Preview'), 'No CSV data found for this job.');
      await button(page, 'Push').click();
      await sees(await toast(page, 'Push Failed'), 'No CSV data available');
    }),
);

test.runIf(isLong)(
  'failed actions say why; Update Images reads the import again, and Push leads to the queue',
  ({ browser, product }) =>
    browser.visit(
      { expectedConsole: [/Push Failed/, /status of 500 /, /ERR_CONNECTION_REFUSED/] },
      async (page) => {
        await openImport(page);
        const asked: string[] = [];
        page.on('request', (request) => asked.push(pathOf(request)));
        const said: string[] = [];
        page.on('console', (message) => said.push(message.text()));

        const storeTest = '**/api/shopify/test';
        await page.route(storeTest, (route) => route.abort('connectionrefused'));
        await chooseOnPage(page, 'Test Shopify');
        await sees(
          await toast(page, 'Connection Test Failed'),
          'Unable to connect to Shopify. Please check your credentials.',
        );
        await page.unroute(storeTest);
        await page.route(storeTest, (route) =>
          route.fulfill({ json: { success: false, message: 'The store refused the token.' } }),
        );
        await chooseOnPage(page, 'Test Shopify');
        await sees(await toast(page, 'Connection Failed'), 'The store refused the token.');
        await page.unroute(storeTest);
        await chooseOnPage(page, 'Test Shopify');
        await toast(page, 'Connection Successful');

        asked.length = 0;
        await chooseOnPage(page, 'Update Images');
        await sees(await toast(page, 'No new images'), 'No new images were found.');
        const rowsRead = () => asked.findIndex((path) => path.startsWith(`/api/queue/${id}/rows?`));
        await expect.poll(rowsRead, { timeout: waitMsMax }).toBeGreaterThan(0);
        const posted = asked.indexOf(`/api/queue/${id}/reprocess-images`);
        // Only a refetch reads the rows too; a poll would not.
        expect(asked.slice(posted, rowsRead())).toContain(`/api/queue/${id}?rows=0`);

        const push = `**/api/jobs/${id}/push-shopify`;
        await page.route(push, (route) => route.fulfill({ status: 500, body: 'down' }));
        await button(page, 'Push').click();
        await sees(
          await toast(page, 'Push Failed'),
          'Failed to push to Shopify: 500: down. Check the console for details.',
        );
        expect(said.some((text) => text.includes('Push Failed') && text.includes('500: down'))).toBe(true);
        await page.unroute(push);

        const details = '**/api/queue/*?rows=0';
        await page.route(details, (route) => route.fulfill({ status: 500, body: 'down' }));
        await page.reload();
        const alert = page.getByRole('alert');
        await sees(alert, 'Job not found or failed to load details.');
        await alert.getByRole('button', { name: 'Show Details' }).click();
        await sees(alert, 'Failed to fetch job details: 500: down');
        await page.unroute(details);
        await alert.getByRole('button', { name: 'Try Again' }).click();

        const pushed = page.waitForRequest((request) => request.method() === 'POST');
        await button(page, 'Push').click();
        expect(pathOf(await pushed)).toBe(`/api/jobs/${id}/push-shopify`);
        await page.getByRole('heading', { name: 'Processing Queue', level: 1 }).waitFor();
        expect(new URL(page.url()).pathname).toBe('/queue');
        await sees(queueRow(page, name), 'Completed');
        const vase = (await product.store.products()).find(({ title }) => title === 'Vase 1');
        expect(vase?.status).toBe('DRAFT');
        const ours = vase?.metafields.map(({ namespace, key, value }) => `${namespace}.${key} ${value}`);
        expect(ours).toEqual(expect.arrayContaining(['scd.import_source draftshelf', `scd.upc ${upc}`]));
      },
    ),
);
