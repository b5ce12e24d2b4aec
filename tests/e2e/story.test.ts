import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../support/fixture.ts';
import { accessKey } from './product.ts';
import {
  chooseInMenu,
  expectOutcomes,
  goTo,
  holdReplies,
  queueRow,
  sees,
  seesClasses,
  signInAt,
  toast,
} from './steps.ts';
import { test } from './test.ts';

// An operator's session, in order: each test continues where the previous one stopped.
const sampleName = 'home-decor-manifest.csv';
const sampleProducts = 53;

test('signing in: a blank key and a wrong one are refused, the right one opens the dashboard', ({
  browser,
}) =>
  browser.visit({ expectedConsole: [/status of 401 .*\/api\/auth\/login/] }, async (page) => {
    await page.goto('/queue');
    await page.getByRole('heading', { name: 'Draftshelf', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    await sees(page, 'CSV Processing System');
    await sees(page, 'Secure access to your processing dashboard');

    const field = page.getByLabel('Access Key');
    expect(await field.getAttribute('placeholder')).toBe('Enter your access key');
    expect(await field.getAttribute('type')).toBe('password');
    // One key, and nothing that names a user.
    expect(await page.locator('input').count()).toBe(1);
    const sent: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/login')) sent.push(request.postData());
    });
    for (const blank of ['', '   ']) {
      await field.fill(blank);
      await page.getByRole('button', { name: 'Sign In' }).click();
      const shown = await toast(page, 'Error');
      await sees(shown, 'Please enter your access key');
      await shown.getByRole('button', { name: 'Close notification' }).click();
      await shown.waitFor({ state: 'detached' });
    }

    await field.fill('not the key');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await sees(await toast(page, 'Login Failed'), 'Please check your access key and try again');
    await sees(page.getByRole('alert'), /^401: ./);

    const release = await holdReplies(page, '**/api/auth/login');
    await field.fill(accessKey);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByRole('button', { name: 'Signing in...' }).waitFor();
    release();
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(sent).toEqual(['{"accessKey":"not the key"}', JSON.stringify({ accessKey })]);
    expect(new URL(page.url()).pathname).toBe('/');
    await page.getByText('Login Failed').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
  }));

test('an empty queue offers the sample file, and one click processes it', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signInAt(page, '/queue');
    await sees(page, 'No processing jobs found');
    await page.getByRole('button', { name: 'Try the Sample File' }).click();
    const files = page.getByRole('list', { name: 'Chosen files' });
    await sees(files, sampleName);
    await sees(
      await toast(page, 'CSV Processing Complete!'),
      `${sampleProducts} products processed and queued. Go to Queue tab to review before pushing to Shopify.`,
    );
    await files.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('heading', { name: sampleName, level: 1 }).waitFor();
    await sees(page, 'Ready for your review');
    await seesClasses(page, '50 valid, 2 warnings, 1 error');
    await page.getByRole('button', { name: /^All\s*53$/ }).click();
    // Two thirds of the products have a picture that comes with the app.
    const pictures = page.getByRole('table', { name: 'Product rows' }).locator('img');
    await pictures.nth(16).waitFor();
    expect(await pictures.count()).toBe(17);
    // Those further down load when they are scrolled to.
    const widths = () =>
      pictures.evaluateAll((all) => all.slice(0, 5).map((one) => (one as HTMLImageElement).naturalWidth));
    await until('the pictures have loaded', async () => (await widths()).every((width) => width === 320));
  }));

test('rows are paged, bad ones show why, and fixing the last one makes the import ready', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openSample(page);
    // It waits for a review, so it opens on what needs one.
    await sees(page, '3 of 3 matching rows');
    await page.getByRole('button', { name: /^All\s*53$/ }).click();
    await sees(page, `Rows 1–25 of ${sampleProducts}`);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    expect(await pages.getByRole('button', { name: /^\d+$/ }).count()).toBe(3);
    await pages.getByRole('button', { name: '3', exact: true }).click();
    await sees(page, `Rows 51–53 of ${sampleProducts}`);
    expect(new URL(page.url()).searchParams.get('page')).toBe('3');

    const rows = page.getByRole('table', { name: 'Product rows' }).getByRole('row');
    const noTitle = rows.nth(1);
    const noPrice = rows.nth(2);
    const neither = rows.nth(3);
    await sees(noTitle, 'Warning');
    await sees(noTitle, 'Title is missing.');
    await sees(noPrice, 'Price isn’t a valid number, so it counts as missing.');
    await sees(neither, 'Error');

    await edit(page, 51, { Title: 'Striped Pillow' });
    await sees(noTitle, 'Valid');
    await edit(page, 52, { Price: '129.00' });
    await sees(noPrice, '$129.00');
    await page.reload();
    await sees(noTitle, 'Striped Pillow');
    await sees(page, 'Ready for your review');
    await edit(page, 53, { Title: 'Mystery Bundle', Price: '5' });
    await sees(neither, 'Valid');
    await seesClasses(page, `${sampleProducts} valid`);
    await sees(page.getByRole('banner'), 'Ready for Shopify');
  }));

test('Push creates drafts, the queue leads to them, the report lists them, and View opens the product in the store', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    await openSample(page);
    // So that the upload is seen on a busy machine, too.
    await product.store.fault({ kind: 'delay', delayMs: 4_000, operation: 'productSet', times: 1 });
    const pushes: string[] = [];
    page.on('request', (request) => request.url().endsWith('/push-shopify') && pushes.push(request.url()));
    await page.getByRole('button', { name: 'Push', exact: true }).dblclick();
    await page.getByRole('heading', { name: 'Processing Queue', level: 1 }).waitFor();
    expect(pushes).toHaveLength(1);
    const row = queueRow(page, sampleName);
    await sees(row, 'Uploading to Shopify');
    await sees(row, 'Completed');
    await sees(row, `${sampleProducts} uploaded to Shopify`);

    await row.getByRole('button', { name: 'View Report' }).click();
    const report = await toast(page, 'Processing report');
    for (const line of [
      `File: ${sampleName}`,
      'Status: Completed',
      'Products: 53 of 53',
      'Uploaded: 53',
      'Results: 53 created',
    ])
      await sees(report, line);

    const stored = await product.store.products();
    expect(stored.length).toBe(sampleProducts);
    expect(await product.productWrites()).toBe(sampleProducts);
    expect(new Set(stored.map(({ status }) => status))).toEqual(new Set(['DRAFT']));

    const opening = page.waitForEvent('popup');
    await row.getByRole('button', { name: 'See the Drafts' }).click();
    const drafts = await opening;
    await drafts.getByRole('heading', { name: `Products ${sampleProducts}`, level: 1 }).waitFor();
    await sees(drafts, 'status:draft');
    expect(new URL(drafts.url()).origin).toBe(product.store.url);
    await drafts.close();

    await row.getByRole('link', { name: sampleName }).click();
    await page.getByRole('button', { name: 'See the Drafts' }).waitFor();
    const popup = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'View Ceramic Table Lamp, Sage, 22" in the store' }).click();
    const inStore = await popup;
    await inStore.getByRole('heading', { name: 'Ceramic Table Lamp, Sage, 22"', level: 1 }).waitFor();
    await sees(inStore, 'draft');
    await sees(inStore, '59.99');
    expect(new URL(inStore.url()).origin).toBe(product.store.url);
  }));

test('pushing the same import again writes nothing, and shows that', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await signInAt(page, '/queue');
    const row = queueRow(page, sampleName);
    const before = await product.productWrites();
    await chooseInMenu(row, 'Push again');
    await row.getByRole('link', { name: sampleName }).click();
    await expectOutcomes(page, '53 Unchanged');
    expect(await page.getByRole('button', { name: 'See the Drafts' }).count()).toBe(0);
    await goTo(page, 'Processing Queue');
    await row.getByRole('button', { name: 'View Report' }).click();
    await sees(await toast(page, 'Processing report'), 'Results: 53 unchanged');
    expect(await product.productWrites()).toBe(before);
    expect((await product.store.products()).length).toBe(sampleProducts);
  }));

async function openSample(page: Page): Promise<void> {
  await signInAt(page, '/queue');
  await queueRow(page, sampleName).getByRole('link', { name: sampleName }).click();
  await page.getByRole('heading', { name: sampleName, level: 1 }).waitFor();
}

async function edit(page: Page, row: number, values: Record<string, string>): Promise<void> {
  await page.getByRole('button', { name: `Edit row ${row}` }).click();
  for (const [field, value] of Object.entries(values))
    await page.getByLabel(`${field} of row ${row}`, { exact: true }).fill(value);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: `Edit row ${row}` }).waitFor();
}
