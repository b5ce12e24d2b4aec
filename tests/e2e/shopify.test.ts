import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { browserOf, csvForm } from '../support/api.ts';
import { csvOf, until } from '../support/fixture.ts';
import { type Stack, startStack, storeToken } from '../support/stack.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { columnEdges } from './page-checks.ts';
import { accessKey } from './product.ts';
import { expectNoSidewaysScroll, goTo, sees, signIn, toast } from './steps.ts';

let stack: Stack;
let browser: TestBrowser;
let api: ReturnType<typeof browserOf>;
beforeAll(async () => {
  stack = await startStack({
    names: ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'],
    credentialsKey: randomBytes(32).toString('hex'),
    webDir: inject('webDir'),
  });
  browser = await openBrowser(stack.apiUrl);
  api = browserOf(stack.apiUrl);
  await api.login(accessKey);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

const header = ['Title', 'Price', 'Vendor', 'SKU'];
/** Uploads products and waits until they are ready. */
async function uploaded(filename: string, titles: readonly string[]): Promise<string> {
  const rows = titles.map((title, at) => [title, '24.99', 'Nordic Home', `${filename}-${at}`]);
  const { body } = await api.upload(csvForm(csvOf([header, ...rows]), { filename }));
  const { id } = body as { id: string };
  await reach(id, 'processed');
  return id;
}

async function reach(id: string, status: string): Promise<void> {
  await until(`${id} is ${status}`, async () => {
    const { body } = await api.call('GET', `/api/jobs/${id}?rows=0`);
    return (body as { status: string }).status === status;
  });
}

test('without a store the page says so, and leads to the credentials; once connected it works', () =>
  browser.visit({ expectedConsole: [/status of 409 .*\/api\/shopify\/products/] }, async (page) => {
    await signIn(page);
    await goTo(page, 'Shopify Integration');
    await sees(page, 'Manage your store connection and product uploads');
    await page.getByRole('heading', { name: 'Connection Error' }).waitFor();
    const panel = page.getByRole('alert');
    await sees(
      panel,
      'Unable to connect to your Shopify store. Please check your credentials and try again.',
    );
    expect(await page.getByRole('tab').count()).toBe(0);
    await panel.getByRole('link', { name: 'Configure Credentials' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    const store = page.getByRole('region', { name: 'Shopify', exact: true });
    await store.getByRole('button', { name: 'Configure' }).click();
    await store.getByLabel('Store address').fill(stack.store.url);
    await store.getByRole('textbox', { name: 'Access token' }).fill(storeToken);
    await store.getByRole('button', { name: 'Test and Save' }).click();
    await toast(page, 'Store Connected');

    await goTo(page, 'Shopify Integration');
    const data = page.getByRole('region', { name: 'Store Information' });
    for (const text of ['Draftshelf Demo Store', 'CAD', 'Basic', 'owner@draftshelf-demo.example']) {
      await sees(data, text);
    }
    const link = data.getByRole('link', { name: 'draftshelf-demo.myshopify.com' });
    expect(await link.getAttribute('href')).toBe(`${stack.store.url}/admin`);
    await tab(page, 'Products');
    await sees(page, 'No products found in your Shopify store');
    await tab(page, 'Batch Push');
    await sees(page, 'No processed jobs ready for Shopify upload');
    await sees(page, 'Complete some CSV processing jobs first');
  }));

test('three jobs are pushed together, one of them fails: one result each, and the selection is cleared', () =>
  browser.visit({}, async (page) => {
    const names = ['lamps.csv', 'vases.csv', 'bowls.csv'] as const;
    const ids: string[] = [];
    for (const name of names)
      ids.push(await uploaded(name, [`${name} A`, `${name} B`, `${name} C`, `${name} D`]));
    await signIn(page);
    await goTo(page, 'Shopify Integration');
    await tab(page, 'Analytics');
    const activity = page.getByRole('region', { name: 'Recent Activity' });
    await sees(activity, 'Connection verified');
    await expect.poll(() => activity.getByText('ready for upload').count()).toBe(3);
    await tab(page, 'Batch Push');
    const jobs = page.getByRole('list', { name: 'Jobs ready to push' }).getByRole('listitem');
    await expect.poll(() => jobs.count()).toBe(3);
    await sees(jobs.first(), '4 products');
    await sees(jobs.first(), 'Ready for Shopify');
    const push = (count: number) => page.getByRole('button', { name: `Push Selected (${count})` });
    expect(await push(0).isDisabled()).toBe(true);
    await jobs.first().click();
    await sees(page, '1 of 3 jobs selected');
    await jobs.first().click();
    await sees(page, '0 of 3 jobs selected');
    await jobs.first().click();
    await jobs.last().click({ modifiers: ['Shift'] });
    await sees(page, '3 of 3 jobs selected');
    await jobs
      .nth(1)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await sees(page, '1 of 3 jobs selected');
    await page.getByRole('button', { name: 'Select All' }).click();
    await sees(page, '3 of 3 jobs selected, 12 products');
    await page.getByRole('button', { name: 'Clear Selection' }).click();
    await page.getByRole('button', { name: 'Select All' }).click();
    // Another operator cancels one of them meanwhile.
    await api.call('POST', `/api/queue/${ids[1]}/cancel`);
    await push(3).click();
    await toast(page, 'Batch Push Completed');
    await sees(page, '2 jobs pushed successfully, 1 failed');
    const results = page.getByRole('region', { name: 'Last Batch' }).getByRole('listitem');
    await expect.poll(() => results.count()).toBe(3);
    const shown = await results.allTextContents();
    expect(shown.filter((text) => text.startsWith('vases.csv'))).toEqual([
      expect.stringContaining('status doesn’t allow this'),
    ]);
    await sees(page, 'No processed jobs ready for Shopify upload');
    for (const id of [ids[0], ids[2]]) await reach(id ?? '', 'completed');
  }));

test('the store’s products are searched, the first ten are shown, and inventory is synced', () =>
  browser.visit({}, async (page) => {
    const id = await uploaded('more.csv', ['Oak shelf', 'Pine shelf', 'Rug', 'Mirror', 'Clock']);
    await api.call('POST', `/api/queue/${id}/push`);
    await reach(id, 'completed');
    await signIn(page);
    const limits: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/shopify/products') limits.push(searchParams.get('limit'));
    });
    await goTo(page, 'Shopify Integration');
    await page.getByRole('button', { name: 'Sync Inventory' }).click();
    await toast(page, 'Inventory Sync Complete');
    await sees(page, 'Synced 13 products');
    const stats = page.getByRole('region', { name: 'Quick Stats' });
    await expect
      .poll(() => stats.textContent())
      .toMatch(/Total Products13.*Draft Products13Active Products0/);

    await tab(page, 'Products');
    await sees(page, '13 products');
    const rows = page.getByRole('table', { name: 'Store products' }).locator('tbody').getByRole('row');
    await expect.poll(() => rows.count()).toBe(10);
    const table = page.getByRole('table', { name: 'Store products' });
    const edges = await columnEdges(table);
    await page.getByPlaceholder('Search products...').fill('shelf');
    await sees(page, '2 of 13 products');
    expect(await columnEdges(table)).toEqual(edges);
    await sees(rows.first(), 'Nordic Home');
    await sees(rows.first(), 'Draft');
    await sees(rows.first(), '$24.99');
    const view = rows.filter({ hasText: 'Oak shelf' }).getByRole('link', { name: /^View/ });
    const oak = (await stack.store.products()).find(({ title }) => title === 'Oak shelf');
    expect(await view.getAttribute('href')).toBe(`${stack.store.url}/admin/products/${oak?.id}`);
    await page.getByPlaceholder('Search products...').fill('zzz');
    await sees(page, 'No products found matching "zzz"');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect.poll(() => rows.count()).toBe(10);
    expect(new Set(limits)).toEqual(new Set(['100']));
    await tab(page, 'Analytics');
    await sees(page.getByRole('region', { name: 'Product Distribution' }), '13 · 100 %');
  }));

test('failed reads leave the page usable, also on a phone', () =>
  browser.visit(
    {
      viewport: { width: 390, height: 844 },
      touch: true,
      expectedConsole: [/status of 50[03] /],
    },
    async (page) => {
      await page.request.post('/api/auth/login', { data: { accessKey } });
      await page.route('**/api/shopify/products?*', (route) => route.fulfill({ status: 503, body: '' }));
      await page.goto('/shopify?tab=products');
      await sees(page, 'No products found in your Shopify store');
      await page.getByRole('button', { name: 'Show Details' }).click();
      await sees(page, 'HTTP 503: Service Unavailable');
      await expectNoSidewaysScroll(page);

      await uploaded('phone.csv', ['Phone stand']);
      await page.route('**/api/shopify/products/batch', (route) => route.fulfill({ status: 500, body: '' }));
      await page.goto('/shopify?tab=batch');
      await page.getByRole('button', { name: 'Select All' }).click();
      await page.getByRole('button', { name: 'Push Selected (1)' }).click();
      await toast(page, 'Batch Push Failed');
      await expectNoSidewaysScroll(page);
    },
  ));
