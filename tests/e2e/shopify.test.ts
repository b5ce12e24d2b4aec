import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { csvForm } from '../support/api-client.ts';
import { csvOf, until } from '../support/fixture.ts';
import { isLong } from '../support/queue-backend.ts';
import { storeToken } from '../support/stack.ts';
import { waitMsMax } from './browser.ts';
import { api, browser, stack, testOnOwnStack } from './own-stack.ts';
import { columnEdges } from './page-checks.ts';
import {
  choose,
  expectNoSidewaysScroll,
  goTo,
  hasFocus,
  holdPost,
  openDetails,
  openSession,
  queueRow,
  requestsOf,
  sees,
  signInAt,
  tabNames,
  toast,
} from './steps.ts';

const test = testOnOwnStack(() => ({ credentialsKey: randomBytes(32).toString('hex') }));

const eventually = { timeout: waitMsMax };
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

const header = ['Title', 'Price', 'Vendor', 'SKU', 'Image'];
const pictureOf = (title: string) => `https://pictures.example/${title.replace(' ', '-')}.png`;
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Uploads products and waits until they are ready. Without a price they wait for a review. */
async function uploaded(filename: string, titles: readonly string[], price = '24.99'): Promise<string> {
  const rows = titles.map((title, at) => [
    title,
    price,
    'Nordic Home',
    `${filename}-${at}`,
    pictureOf(title),
  ]);
  const { body } = await api.upload(csvForm(csvOf([header, ...rows]), { filename }));
  const { id } = body as { id: string };
  await reach(id, price === '' ? 'queued' : 'processed');
  return id;
}

const quickStats = (page: Page) =>
  page.getByRole('region', { name: 'Quick stats' }).locator('dl > div').allTextContents();

async function reach(id: string, status: string): Promise<void> {
  await until(`${id} is ${status}`, async () => {
    const { body } = await api.call('GET', `/api/jobs/${id}?rows=0`);
    return (body as { status: string }).status === status;
  });
}

test('without a store the page says so, and leads to the credentials; once connected it works', () =>
  browser.visit({ expectedConsole: [/status of 409 .*\/api\/shopify\/products/] }, async (page) => {
    await signInAt(page, '/shopify');
    await page.getByRole('heading', { name: 'Shopify Integration', level: 1 }).waitFor();
    await sees(page, 'Manage your store connection and product uploads');
    await page.getByRole('heading', { name: 'Connection Error' }).waitFor();
    const panel = page.getByRole('alert');
    await sees(
      panel,
      'Unable to connect to your Shopify store. Please check your credentials and try again.',
    );
    expect(await tabNames(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Test Connection' }).waitFor();
    await panel.getByRole('link', { name: 'Configure Credentials' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    const store = page.getByRole('region', { name: 'Shopify', exact: true });
    await store.getByRole('button', { name: 'Configure' }).click();
    await store.getByLabel('Store address').fill(stack.store.url);
    await store.getByRole('textbox', { name: 'Access token' }).fill(storeToken);
    await store.getByRole('button', { name: 'Test and Save' }).click();
    await toast(page, 'Store connected');

    await goTo(page, 'Shopify Integration');
    const data = page.getByRole('region', { name: 'Store information' });
    for (const text of ['Draftshelf Demo Store', 'CAD', 'Basic', 'owner@draftshelf-demo.example']) {
      await sees(data, text);
    }
    const link = data.getByRole('link', { name: 'draftshelf-demo.myshopify.com' });
    expect(await link.getAttribute('href')).toBe(`${stack.store.url}/admin`);
    expect(await tabNames(page)).toEqual(['Store Overview', 'Products', 'Batch Push', 'Analytics']);
    const calls = requestsOf(page);
    await page.getByRole('button', { name: 'Test Connection' }).click();
    await expect
      .poll(() => calls, eventually)
      .toEqual(expect.arrayContaining(['POST /api/shopify/test', 'GET /api/shopify/store']));
    const preference = page.getByRole('switch', { name: 'Send what doesn’t overlap' });
    await preference.press('Space');
    await toast(page, 'Choice saved');
    await hasFocus(preference);
    const saved = await api.call('GET', '/api/preferences');
    expect(saved.body).toMatchObject({ sendNonOverlapping: false });
    await tab(page, 'Products');
    await sees(page, 'No products found in your Shopify store');
    await tab(page, 'Batch Push');
    await sees(page, 'No processed jobs ready for Shopify upload');
    await sees(page, 'Complete some CSV processing jobs first');
  }));

test.runIf(isLong)(
  'replies with the fields of the specification only are shown, three of five jobs as activity',
  () =>
    browser.visit({}, async (page) => {
      const answer = (path: string, json: unknown) =>
        page.route(
          (url) => url.pathname === path,
          (route) => route.fulfill({ json }),
        );
      const time = '2026-11-20T10:00:00.000Z';
      await answer('/api/shopify/store', { connected: { status: 'success', message: '' } });
      await answer('/api/shopify/products', [
        { id: 1, title: 'Without variants', status: 'archived', updated_at: time },
        {
          id: 2,
          title: 'Without inventory',
          status: 'draft',
          updated_at: time,
          variants: [{ price: '24.99' }],
        },
        {
          id: 3,
          title: 'In two sizes',
          status: 'active',
          updated_at: time,
          variants: [
            { price: '5.00', inventory_quantity: 3 },
            { price: '6.00', inventory_quantity: 4 },
          ],
        },
      ]);
      const job = { status: 'processed', processedProducts: 1, completedAt: null, createdAt: time };
      const jobs = [1, 2, 3, 4, 5].map((n) => ({ ...job, id: `job-${n}`, filename: `job ${n}.csv` }));
      await answer('/api/jobs/completed', jobs);
      const results = [true, true, false, true, true].map((success) => ({ success }));
      await answer('/api/shopify/products/batch', { results });
      await answer('/api/shopify/sync-inventory', { synced: 7 });
      const services = [true, true, false, true].map((active) => ({ active }));
      await answer('/api/connections', [
        { service: 'shopify', status: 'connected' },
        { service: 'onedrive', status: 'disconnected' },
        { service: 'upc_services', status: 'connected', details: { services } },
      ]);
      await answer('/api/connections/test/upc_services', {});
      await signInAt(page, '/shopify');
      await sees(page.getByRole('region', { name: 'Store information' }), 'No store information available');
      await tab(page, 'Products');
      const cells = (title: string) =>
        page
          .getByRole('table', { name: 'Store products' })
          .getByRole('row')
          .filter({ hasText: title })
          .getByRole('cell')
          .allTextContents();
      await expect
        .poll(() => cells('Without variants'), eventually)
        .toEqual(expect.arrayContaining(['Archived', 'N/A', '0']));
      expect(await cells('Without inventory')).toEqual(expect.arrayContaining(['Draft', '$24.99', '0']));
      expect(await cells('In two sizes')).toEqual(expect.arrayContaining(['Active', '$5.00', '3']));
      await sees(page, 'Price and inventory are those of a product’s first variant.');
      await tab(page, 'Batch Push');
      // A job that has not ended has the time of its upload.
      const first = page.getByRole('list', { name: 'Imports to push' }).getByRole('listitem').first();
      expect(await first.locator('time').getAttribute('datetime')).toBe(time);
      await page.getByRole('button', { name: 'Select All' }).click();
      await page.getByRole('button', { name: 'Push Selected (5)' }).click();
      await sees(await toast(page, 'Batch Push Completed'), '4 jobs pushed successfully, 1 failed');
      await page.getByRole('button', { name: 'Sync Inventory' }).click();
      await sees(await toast(page, 'Inventory Sync Complete'), 'Synced 7 products');
      await tab(page, 'Analytics');
      const activity = page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem');
      await expect
        .poll(() => activity.allTextContents(), eventually)
        .toEqual(['Connection verified', ...[1, 2, 3].map((n) => `job ${n}.csv ready for upload`)]);

      await goTo(page, 'Settings');
      await tab(page, 'Connections');
      const upcServices = page.getByRole('region', { name: 'UPC services' });
      await sees(upcServices, '3 services active');
      await upcServices.getByRole('button', { name: 'Test', exact: true }).click();
      await sees(await toast(page, 'Connection Test'), 'Connection test completed successfully');
    }),
);

test('three jobs are pushed together, one of them fails: one result each, and the selection is cleared', () =>
  browser.visit({}, async (page) => {
    const names = ['lamps.csv', 'vases.csv', 'bowls.csv'] as const;
    const ids: string[] = [];
    for (const name of names)
      ids.push(await uploaded(name, [`${name} A`, `${name} B`, `${name} C`, `${name} D`]));
    await uploaded('to review.csv', ['No price'], '');
    await signInAt(page, '/shopify');
    await expect.poll(() => quickStats(page), eventually).toContain('Ready to Push3');
    await tab(page, 'Batch Push');
    const jobs = page.getByRole('list', { name: 'Imports to push' }).getByRole('listitem');
    await expect.poll(() => jobs.count(), eventually).toBe(3);
    const lamps = jobs.filter({ hasText: 'lamps.csv' });
    await sees(lamps, '4 products');
    await sees(lamps, 'Ready for Shopify');
    const { completedAt } = (await api.call('GET', `/api/jobs/${ids[0]}?rows=0`)).body as {
      completedAt: string;
    };
    expect(await lamps.locator('time').getAttribute('datetime')).toBe(completedAt);
    const pushOne = lamps.getByRole('button', { name: 'Push lamps.csv' });
    expect(await pushOne.getAttribute('aria-disabled')).toBeNull();
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
    await sees(page, '0 of 3 jobs selected');
    await page.getByRole('button', { name: 'Select All' }).click();
    // Another operator cancels one of them meanwhile.
    await api.call('POST', `/api/queue/${ids[1]}/cancel`);
    const calls = requestsOf(page);
    const release = await holdPost(page, '/api/shopify/products/batch');
    await push(3).click();
    await expect.poll(() => push(3).isDisabled(), eventually).toBe(true);
    expect(await pushOne.getAttribute('aria-disabled')).toBe('true');
    release();
    const said = await toast(page, 'Batch Push Completed');
    await sees(said, '2 jobs pushed successfully, 1 failed');
    expect(await said.getAttribute('data-tone')).toBe('failure');
    await expect
      .poll(() => calls, eventually)
      .toEqual(
        expect.arrayContaining([
          'POST /api/shopify/products/batch',
          'GET /api/jobs/completed',
          'GET /api/shopify/products',
        ]),
      );
    const results = page.getByRole('region', { name: 'Last batch' }).getByRole('listitem');
    await expect.poll(() => results.count(), eventually).toBe(3);
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
    await page.route('https://pictures.example/**', (route) =>
      route.fulfill({ contentType: 'image/png', body: pixel }),
    );
    await signInAt(page, '/shopify');
    await tab(page, 'Batch Push');
    await page.getByRole('button', { name: 'Push more.csv' }).click();
    const said = await toast(page, 'Batch Push Completed');
    await sees(said, '1 jobs pushed successfully, 0 failed');
    expect(await said.getAttribute('data-tone')).toBe('plain');
    await reach(id, 'completed');
    const inStore = async (name: string) =>
      (await stack.store.products()).find(({ title }) => title === name)?.id ?? 0;
    const [oak, rug] = [await inStore('Oak shelf'), await inStore('Rug')];
    await stack.store.edit(oak, { quantity: 7 });
    await stack.store.edit(await inStore('Mirror'), { status: 'ACTIVE' });
    await stack.store.edit(rug, { status: 'ARCHIVED' });
    await goTo(page, 'Dashboard');
    // A store has the pictures of new products only after a moment, and the api keeps what it has read.
    await until('the pictures', async () => {
      await api.call('POST', '/api/shopify/sync-inventory');
      const { body } = await api.call('GET', '/api/shopify/products');
      const products = body as { title: string; images: unknown[] }[];
      return products.find(({ title }) => title === 'Oak shelf')?.images.length === 1;
    });
    const limits: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/shopify/products') limits.push(searchParams.get('limit'));
    });
    await goTo(page, 'Shopify Integration');
    await page.getByRole('button', { name: 'Sync Inventory' }).click();
    await toast(page, 'Inventory Sync Complete');
    await sees(page, 'Synced 13 products');
    await expect
      .poll(() => quickStats(page), eventually)
      .toEqual(['Total Products13', 'Ready to Push0', 'Draft Products11', 'Active Products1']);

    await tab(page, 'Products');
    await sees(page, '13 products');
    const rows = page.getByRole('table', { name: 'Store products' }).locator('tbody').getByRole('row');
    await expect.poll(() => rows.count(), eventually).toBe(10);
    const table = page.getByRole('table', { name: 'Store products' });
    const edges = await columnEdges(table);
    await page.getByPlaceholder('Search products...').fill('shelf');
    await sees(page, '2 of 13 products');
    expect(await columnEdges(table)).toEqual(edges);
    const row = rows.filter({ hasText: 'Oak shelf' });
    await expect
      .poll(() => row.getByRole('cell').allTextContents(), eventually)
      .toEqual(
        expect.arrayContaining([expect.stringMatching(/^Oak shelf\s*Nordic Home$/), 'Draft', '$24.99', '7']),
      );
    expect(await row.locator('img').getAttribute('src')).toBe(pictureOf('Oak shelf'));
    expect(await row.locator('time').getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT/);
    const view = row.getByRole('link', { name: /^View/ });
    expect(await view.getAttribute('href')).toBe(`${stack.store.url}/admin/products/${oak}`);
    await page.getByPlaceholder('Search products...').fill('zzz');
    await sees(page, 'No products found matching "zzz"');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect.poll(() => rows.count(), eventually).toBe(10);
    expect(new Set(limits)).toEqual(new Set(['100']));
    const icons = new Set<string>();
    for (const [title, word] of [
      ['Oak shelf', 'Draft'],
      ['Mirror', 'Active'],
      ['Rug', 'Archived'],
    ] as const) {
      await page.getByPlaceholder('Search products...').fill(title);
      await sees(rows.first(), word);
      icons.add(await rows.first().locator('svg').innerHTML());
    }
    expect(icons.size).toBe(3);
    await tab(page, 'Analytics');
    const bars = page.getByRole('region', { name: 'Product distribution' }).getByRole('listitem');
    await expect
      .poll(() => bars.allTextContents(), eventually)
      .toEqual(['Active1 · 8 %', 'Draft11 · 85 %', 'Archived1 · 8 %']);
    const widths = await bars
      .locator('[data-status]')
      .evaluateAll((all) =>
        all.map((bar) => bar.getBoundingClientRect().width / (bar.parentElement?.clientWidth ?? 0)),
      );
    expect(widths.map((share) => Math.round(share * 100))).toEqual([8, 85, 8]);
  }));

test.runIf(isLong)(
  'files that are held back for their currency do not keep the others from being pushed',
  () =>
    browser.visit({}, async (page) => {
      await signInAt(page, '/upload');
      const content = csvOf([header, ['Swiss jug', 'CHF 69.-', 'Nordic Home', 'francs', '']]);
      await choose(page, { name: 'francs.csv', content });
      await page.getByRole('button', { name: 'Process All' }).click();
      await sees(page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem'), 'Needs 1 answer');
      const listed = (await api.call('GET', '/api/queue')).body as { id: string; filename: string }[];
      const francs = listed.find(({ filename }) => filename === 'francs.csv')?.id ?? '';
      const euros = await uploaded('euros.csv', ['Dutch jug'], 'EUR 59.00');
      const plain = await uploaded('plain.csv', ['Plain jug']);
      const mixed = ['9', '8', 'CHF 69.-'].map((price, at) => [`Few ${at}`, price, 'Home', `few-${at}`, '']);
      const { body: few } = await api.upload(csvForm(csvOf([header, ...mixed]), { filename: 'few.csv' }));
      const { id: fewId } = few as { id: string };
      await reach(fewId, 'processed');
      await goTo(page, 'Dashboard');
      // Lists say that an import is asked about.
      const current = page.getByRole('region', { name: 'Current Processing' }).getByRole('listitem');
      await sees(current.filter({ hasText: 'francs.csv' }), 'Needs 1 answer');
      expect(await current.filter({ hasText: 'plain.csv' }).getByText('after 1 answer').count()).toBe(0);
      await goTo(page, 'Processing Queue');
      await sees(queueRow(page, 'euros.csv'), 'Needs 1 answer');
      await page.goto('/shopify');
      await tab(page, 'Batch Push');
      const jobs = page.getByRole('list', { name: 'Imports to push' }).getByRole('listitem');
      await sees(jobs.filter({ hasText: 'francs.csv' }), 'Needs 1 answer');
      await page.getByRole('button', { name: 'Select All' }).click();
      await page.getByRole('button', { name: 'Push Selected (4)' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Prices aren’t in CAD, the store’s currency' });
      await sees(dialog, 'francs.csv: amounts aren’t converted, so 10.00 CHF becomes 10.00 CAD.');
      await sees(dialog, 'euros.csv: amounts aren’t converted, so 10.00 EUR becomes 10.00 CAD.');
      await sees(dialog, 'The other 2 files are in CAD.');
      await dialog.getByRole('button', { name: 'Hold Back, Push the Others' }).click();
      // One of three rows is asked about by itself, and the others are pushed.
      const ofRow = page.getByRole('alertdialog', { name: '1 row is in CHF, but the store uses CAD.' });
      await sees(ofRow, 'All other rows are pushed, whatever you choose.');
      await ofRow.getByRole('button', { name: 'Leave Out' }).click();
      await sees(await toast(page, 'Batch Push Completed'), '2 jobs pushed successfully, 0 failed');
      const results = page.getByRole('region', { name: 'Last batch' });
      await sees(results, 'francs.csv: Held back. Prices are in CHF, but the store uses CAD.');
      await sees(results, 'euros.csv: Held back. Prices are in EUR, but the store uses CAD.');
      await reach(plain, 'completed');
      await reach(fewId, 'completed');
      const { body: sent } = await api.call('GET', `/api/jobs/${fewId}?rows=0`);
      expect(sent).toMatchObject({ outcomes: { created: 2, skipped: 1 } });
      for (const id of [francs, euros]) {
        const { body } = await api.call('GET', `/api/jobs/${id}?rows=0`);
        expect(body).toMatchObject({ status: 'processed', otherCurrency: { answer: 'hold' } });
        await api.call('POST', `/api/queue/${id}/cancel`);
      }
    }),
);

test.runIf(isLong)(
  'what happens to products that the store has already is chosen here, and a failed save shows',
  () =>
    browser.visit({ expectedConsole: [/status of 500 .*\/api\/preferences/] }, async (page) => {
      const saved = async () => (await api.call('GET', '/api/preferences')).body;
      await signInAt(page, '/shopify');
      const choice = (name: string) => page.getByRole('radio', { name });
      await expect.poll(() => choice('Skip them').isChecked()).toBe(true);
      await page.route('**/api/preferences', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
      );
      await choice('Create new ones').click();
      await toast(page, 'Couldn’t save the choice');
      await expect.poll(() => choice('Skip them').isChecked()).toBe(true);
      expect(await saved()).toMatchObject({ whenInStore: 'skip' });

      await page.unroute('**/api/preferences');
      await choice('Update them').click();
      await toast(page, 'Choice saved');
      expect(await saved()).toMatchObject({ whenInStore: 'update' });
      await page.reload();
      await expect.poll(() => choice('Update them').isChecked()).toBe(true);
      await choice('Skip them').click();
      await toast(page, 'Choice saved');
    }),
);

test.runIf(isLong)('failed reads leave the page usable, also on a phone', () =>
  browser.visit(
    {
      viewport: { width: 390, height: 844 },
      touch: true,
      expectedConsole: [/status of 50[03] /],
    },
    async (page) => {
      await openSession(page);
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
      await sees(await toast(page, 'Batch Push Failed'), '500: Internal Server Error');
      await sees(page, '1 of 1 jobs selected');
      await page.unroute('**/api/shopify/products/batch');
      const refused = { jobId: 'x', success: false, message: 'The store is locked.' };
      await page.route('**/api/shopify/products/batch', (route) =>
        route.fulfill({ json: { results: [refused] } }),
      );
      await page.getByRole('button', { name: 'Push Selected (1)' }).click();
      await sees(await toast(page, 'Batch Push Completed'), '0 jobs pushed successfully, 1 failed');
      // The job is still there, but no longer selected.
      await sees(page, '0 of 1 jobs selected');
      await expectNoSidewaysScroll(page);
    },
  ),
);

test.runIf(isLong)(
  'prices in another currency are one question, and a row says which other import has its SKU',
  () =>
    browser.visit({ viewport: { width: 390, height: 844 } }, async (page) => {
      const upload = async (filename: string, rows: readonly (readonly string[])[]) => {
        const { body } = await api.upload(csvForm(csvOf([header, ...rows]), { filename }));
        const { id } = body as { id: string };
        await reach(id, 'processed');
        return id;
      };
      await upload('first-jugs.csv', [['Jug', '5', 'Nordic Home', 'JUG-1']]);
      const id = await upload('second-jugs.csv', [
        ['Jug', '5', 'Nordic Home', 'JUG-1'],
        ['Swiss jug', 'CHF 69.-', 'Nordic Home', 'JUG-2'],
      ]);
      await openSession(page);
      const counts = async () => {
        const { body } = await api.call('GET', `/api/queue/${id}/rows`);
        return (body as { facets: { issues: object } }).facets.issues;
      };
      await expect.poll(counts).toMatchObject({ 'other-currency': 1, 'in-other-import': 1 });
      await page.goto(`/queue/${id}?details=before-push`);
      const question = 'Prices are in CHF, but the store uses CAD.';
      const list = page.getByRole('region', { name: 'Before you push' });
      await sees(list, `${question} Amounts aren’t converted.`);
      await sees(list, 'Also in first-jugs.csv, which isn’t pushed yet.');
      expect(await list.getByText('1 row', { exact: true }).count()).toBe(2);
      await list.getByRole('link', { name: 'first-jugs.csv' }).waitFor();
      // Facts of the import are not repeated in its rows, unless they are filtered by them: an icon at most.
      expect(await page.getByText('Price is in CHF').count()).toBe(0);
      await page
        .getByTitle('The same SKU is also in first-jugs.csv, which isn’t pushed yet.', { exact: true })
        .waitFor();
      const push = page.getByRole('button', { name: 'Push', exact: true });
      await push.click();
      const dialog = page.getByRole('alertdialog', { name: question });
      // Closing the question answers nothing.
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      const { body } = await api.call('GET', `/api/jobs/${id}?rows=0`);
      expect(body).toMatchObject({ status: 'processed', otherCurrency: { answer: null } });
      await list.getByRole('button', { name: 'Hold Back' }).waitFor();
      await push.click();
      await dialog.getByRole('button', { name: 'Hold Back' }).click();
      await sees(page, `Held back. ${question}`);
      await sees(page, '0 of 2');
      const plan = page.getByRole('region', { name: 'In the store' });
      await sees(plan, 'Held back. If you send its prices as they are, a push would create 2 products.');
      await page.goto('/queue');
      await sees(page, `Held back. ${question}`);
      await page.getByRole('button', { name: 'Push' }).first().click();
      await sees(dialog, 'second-jugs.csv: amounts aren’t converted, so 10.00 CHF becomes 10.00 CAD.');
      await page.keyboard.press('Escape');
      await page.goto(`/queue/${id}?details=before-push`);
      await list.getByRole('button', { name: 'Send As They Are' }).click();
      await sees(page, 'Prices in CHF are sent as they are; nothing is converted to CAD.');
      await page.goto(`/queue/${id}?issue=other-currency`);
      await sees(page, 'Price is in CHF, but the store uses CAD. Amounts aren’t converted.');
      await openDetails(page);
      // The rows of both files are also a cell short, which is a fact of its own.
      const also = list.locator('[data-fact="in-other-import"]');
      await also.getByRole('link', { name: 'Show Rows' }).click();
      await expect.poll(() => new URL(page.url()).search).toBe('?issue=in-other-import');
      await sees(page, /The same SKU is also in first-jugs.csv, which isn’t pushed yet./);
      await expectNoSidewaysScroll(page);
      await page.getByRole('link', { name: 'View Import' }).first().click();
      await page.getByRole('heading', { name: 'first-jugs.csv', level: 1 }).waitFor();
    }),
);
