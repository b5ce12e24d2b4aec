import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { waitMsMax } from './browser.ts';
import { smallTargets } from './page-checks.ts';
import {
  expectNoSidewaysScroll,
  holdPost,
  plainJob,
  post,
  requestsOf,
  sees,
  seesOptions,
  signIn,
  signInAt,
  toast,
} from './steps.ts';
import { test } from './test.ts';

const productsPath = '/api/scanner/products';
const isList = (url: URL) => url.pathname === productsPath;
const isSave = (url: URL) => url.pathname.startsWith(productsPath);

const button = (within: Locator | Page, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ has: button(page, name) });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const focused = (target: Locator) =>
  expect.poll(() => target.evaluate((one) => one === document.activeElement), { timeout: waitMsMax });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

async function open(page: Page): Promise<void> {
  await signInAt(page, '/scanner');
  await heading(page, 'Product Scanner').waitFor();
}

async function openNew(page: Page): Promise<void> {
  await button(page, 'New Product').click();
  await heading(page, 'Create New Product').waitFor();
}

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await field(page, label).fill(value);
}

/** Products with the specification's fields only, as another server could send them. */
const plainProduct = (id: string, set: object = {}) => ({
  id,
  name: `Product ${id}`,
  description: '',
  price: '24.99',
  sku: `SKU-${id}`,
  dimensions: { length: 10, width: 5, height: 3, unit: 'in' },
  weight: { value: 2, unit: 'lb' },
  photos: [],
  status: 'active',
  ...set,
});

/** Waits for the notification of a failure, with this text. */
async function failed(page: Page, title: string, text: string): Promise<void> {
  const shown = await toast(page, title);
  await sees(shown, text);
  expect(await shown.getAttribute('data-tone')).toBe('failure');
}

/** Notes the bodies of the saves of a page. */
function savesOf(page: Page): Record<string, unknown>[] {
  const bodies: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith(productsPath) && ['POST', 'PUT'].includes(request.method())) {
      const body = request.postData();
      if (body) bodies.push(request.postDataJSON());
    }
  });
  return bodies;
}

test('a product is created, edited and deleted; each change is saved once and named', ({ browser }) =>
  browser.visit({}, async (page) => {
    await open(page);
    await sees(page, 'Scan, create, and manage products with photos, dimensions, and pricing');
    await page.getByRole('heading', { name: 'Product Library' }).waitFor();
    await sees(page, 'No Products Yet');
    await sees(page, 'Start by creating your first product with the scanner');
    const saves = savesOf(page);
    const requests = requestsOf(page);
    await button(page, 'Create First Product').click();
    await heading(page, 'Create New Product').waitFor();
    expect(await page.getByRole('heading', { name: 'Product Library' }).count()).toBe(0);
    await sees(page, 'Product Photos');
    expect(await field(page, 'Description').getAttribute('rows')).toBe('3');
    const price = field(page, 'Price ($) *');
    expect(
      await price.evaluate((input: HTMLInputElement) => [input.inputMode, input.step, input.value]),
    ).toEqual(['decimal', '0.01', '']);
    await price.press('ArrowUp');
    expect(await price.inputValue(), 'an arrow key is a step').toBe('0.01');
    expect(await field(page, 'Unit of length').inputValue()).toBe('in');
    expect(await field(page, 'Unit of weight').inputValue()).toBe('lb');
    for (const [label, options] of [
      ['Unit of length', ['in', 'cm']],
      ['Unit of weight', ['lb', 'kg', 'oz', 'g']],
    ] as const) {
      await field(page, label).click();
      await seesOptions(page, ...options);
      await page.keyboard.press('Escape');
    }
    await heading(page, 'Create New Product').waitFor();

    const required = { 'Product Name *': 'Ceramic vase', 'SKU *': 'VA-12', 'Price ($) *': '24.99' };
    for (const missing of Object.keys(required)) {
      await fill(page, { ...required, [missing]: '' });
      await button(page, 'Save Product').click();
      await failed(page, 'Missing Required Fields', 'Please fill in name, SKU, and price');
      await focused(field(page, missing)).toBe(true);
    }
    expect(saves).toEqual([]);

    await fill(page, { ...required, Length: '10', Width: '5', Height: '3', 'Weight (for shipping)': '2.5' });
    await page.keyboard.press('Control+Enter');
    await sees(await toast(page, 'Product Saved'), 'Product has been saved successfully');
    await sees(page, '1 product(s) scanned');
    expect(saves).toEqual([
      expect.objectContaining({
        name: 'Ceramic vase',
        sku: 'VA-12',
        price: '24.99',
        dimensions: { length: 10, width: 5, height: 3, unit: 'in' },
        weight: { value: 2.5, unit: 'lb' },
        photos: [],
        selectedBatch: 'none',
      }),
    ]);
    const vase = card(page, 'Ceramic vase');
    for (const text of ['VA-12', '$24.99', '10×5×3 in', '2.5 lb', 'active']) await sees(vase, text);
    await vase.locator('.tabler-icon-photo').waitFor();
    expect(await vase.locator('img').count()).toBe(0);
    await focused(button(vase, 'Ceramic vase')).toBe(true);

    await page.keyboard.press('Enter');
    await heading(page, 'Edit Product').waitFor();
    expect(await field(page, 'SKU *').inputValue()).toBe('VA-12');
    await fill(page, { 'Product Name *': 'Tall vase', Length: '' });
    await button(page, 'Update Product').click();
    await sees(await toast(page, 'Product Updated'), 'Product has been updated successfully');
    await sees(card(page, 'Tall vase'), '0×5×3 in');

    await button(page, 'Delete Tall vase').click();
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this product?' });
    await button(question, 'Keep Product').click();
    await question.waitFor({ state: 'hidden' });
    await focused(button(page, 'Delete Tall vase')).toBe(true);
    expect(requests.filter((one) => one.startsWith('DELETE'))).toEqual([]);
    await button(page, 'Delete Tall vase').click();
    await button(question, 'Delete Product').click();
    await sees(await toast(page, 'Product Deleted'), 'Product has been deleted successfully');
    await sees(page, 'No Products Yet');
    await focused(page.locator('h1')).toBe(true);
    const reads = () => requests.filter((one) => one === `GET ${productsPath}`).length;
    // A page that is open for long reads it once more.
    await expect
      .poll(reads, { message: 'the list is read after each of the three changes' })
      .toBeGreaterThanOrEqual(3);
  }));

test.runIf(isLong)(
  'a price and measures with decimal commas are saved as typed, and what is no number is refused',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await open(page);
      await openNew(page);
      const saves = savesOf(page);
      await fill(page, { 'Product Name *': 'Comma vase', 'SKU *': 'CO-1', Length: '1.234,5', Width: '2,5' });
      const price = field(page, 'Price ($) *');
      // Quick keys are held until it is known that no scanner types.
      const type = async (text: string) => {
        await price.pressSequentially(text);
        await expect.poll(() => price.inputValue(), { timeout: waitMsMax }).toBe(text);
      };
      await type('29,9x');
      await fill(page, { 'Weight (for shipping)': '0,25 kg' });
      await button(page, 'Save Product').click();
      await sees(page, 'Enter an amount like 24.99.');
      await sees(page, 'Enter a number from 0 to 1,000,000.');
      await focused(price).toBe(true);
      expect([await price.inputValue(), saves]).toEqual(['29,9x', []]);
      await price.fill('');
      await type('29,95');
      await fill(page, { 'Weight (for shipping)': '0,25' });
      await button(page, 'Save Product').click();
      await toast(page, 'Product Saved');
      const vase = card(page, 'Comma vase');
      for (const text of ['$29.95', '1234.5×2.5×0 in', '0.25 lb']) await sees(vase, text);
      const [stored] = await (await page.request.get(productsPath)).json();
      expect(stored).toMatchObject({ price: '29.95', weight: { value: 0.25 } });
      expect((await page.request.delete(`${productsPath}/${stored.id}`)).status()).toBe(200);
    }),
);

test.runIf(isLong)(
  'unsaved changes are asked about, and a form that is opened again is empty',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await open(page);
      await openNew(page);
      await button(page, 'Cancel').click();
      await heading(page, 'Product Scanner').waitFor();
      await page.keyboard.press('n');
      await heading(page, 'Create New Product').waitFor();
      await fill(page, { 'Product Name *': 'Lost' });
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
      await page.keyboard.press('Escape');
      await button(question, 'Keep Editing').click();
      await question.waitFor({ state: 'hidden' });
      expect(await field(page, 'Product Name *').inputValue()).toBe('Lost');
      await page.goBack();
      await button(question, 'Discard Changes').click();
      await heading(page, 'Product Scanner').waitFor();
      await openNew(page);
      expect(await field(page, 'Product Name *').inputValue()).toBe('');

      const release = await holdPost(page, productsPath);
      await fill(page, { 'Product Name *': 'Slow', 'SKU *': 'SL-1', 'Price ($) *': '1' });
      const save = button(page, 'Save Product');
      await save.click();
      await expect.poll(() => save.getAttribute('aria-busy'), { timeout: waitMsMax }).toBe('true');
      await fill(page, { Description: 'Typed during the save' });
      release();
      await toast(page, 'Product Saved');
      await heading(page, 'Edit Product').waitFor();
      expect(await field(page, 'Description').inputValue()).toBe('Typed during the save');
      await button(page, 'Update Product').click();
      await heading(page, 'Product Scanner').waitFor();
      const [slow] = await (await page.request.get(productsPath)).json();
      expect(slow).toMatchObject({ name: 'Slow', description: 'Typed during the save', version: 2 });
      expect((await page.request.delete(`${productsPath}/${slow.id}`)).status()).toBe(200);
    }),
);

test.runIf(isLong)(
  'lost answers and a second click save one product, and the form keeps what was typed',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/ERR_FAILED|status of 409/] }, async (page) => {
      await open(page);
      await openNew(page);
      const saves = savesOf(page);
      const dropped = new Set<unknown>();
      /** The server saves the next product with this price, and its answer does not arrive. */
      const dropAnswer = async (price: string) => {
        dropped.add(price);
        await fill(page, { 'Price ($) *': price });
      };
      await page.route(isSave, async (route) => {
        const { price } = route.request().method() === 'GET' ? {} : route.request().postDataJSON();
        if (!dropped.delete(price)) return route.fallback();
        await route.fetch();
        await route.abort();
      });
      const noAnswer = 'The product may have been saved. You can save again: no second product is made.';
      await fill(page, { 'Product Name *': 'Lost answer', 'SKU *': 'LO-1' });
      await dropAnswer('5');
      await button(page, 'Save Product').click();
      await sees(await toast(page, 'Save Failed'), 'The server can’t be reached');
      await sees(page, noAnswer);
      await dropAnswer('6');
      await button(page, 'Save Product').click();
      await expect.poll(() => dropped.size, { timeout: waitMsMax }).toBe(0);
      await sees(page, noAnswer);
      await fill(page, { 'Price ($) *': '7' });
      await button(page, 'Save Product').click();
      await button(page, 'Save Yours').dblclick();
      await toast(page, 'Product Updated');
      await sees(page, '1 product(s) scanned');
      await sees(card(page, 'Lost answer'), '$7.00');
      expect(saves.map(({ price }) => price)).toEqual(['5', '6', '7', '7']);
      expect(new Set(saves.slice(0, 3).map(({ id }) => id)).size).toBe(1);

      await button(card(page, 'Lost answer'), 'Edit').click();
      await dropAnswer('8');
      await button(page, 'Update Product').click();
      await sees(page, noAnswer);
      await button(page, 'Update Product').click();
      await sees(card(page, 'Lost answer'), '$8.00');
      expect(saves.slice(4).map(({ version }) => version)).toEqual([3, 3]);
      const { length } = await (await page.request.get(productsPath)).json();
      expect(length).toBe(1);
    }),
);

test.runIf(isLong)('two tabs that change one product meet, and the operator chooses', ({ browser }) =>
  browser.visit({ expectedConsole: [/status of 409/] }, async (page) => {
    await open(page);
    const data = { name: 'Two tabs', sku: 'TT-1', price: '9', dimensions: {}, weight: {}, photos: [] };
    await post(page, productsPath, data);
    await page.reload();
    await button(card(page, 'Two tabs'), 'Edit').click();
    await heading(page, 'Edit Product').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await field(other, 'Price ($) *').fill('10');
    await button(other, 'Update Product').click();
    await toast(other, 'Product Updated');
    await other.close();
    await fill(page, { 'Product Name *': 'Mine' });
    await button(page, 'Update Product').click();
    // The panel says why.
    await sees(await toast(page, 'Update Failed'), 'Choose which values to keep.');
    const values = page.getByRole('table', { name: 'Both values' });
    expect(await values.getByRole('row').allTextContents()).toEqual([
      'FieldYoursSaved meanwhile',
      'Product NameMineTwo tabs',
      'Price ($)9.0010.00',
    ]);
    await button(page, 'Use Theirs').click();
    expect(await field(page, 'Product Name *').inputValue()).toBe('Two tabs');
    await fill(page, { 'Product Name *': 'Ours' });
    await button(page, 'Update Product').click();
    await toast(page, 'Product Updated');
    await sees(card(page, 'Ours'), '$10.00');
  }),
);

test.runIf(isLong)(
  'another server: six skeletons, three badges, and each failure in the specified words',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/status of 5\d\d/] }, async (page) => {
      // As over HTTP/2: a reply without a body then has no words at all.
      await page.addInitScript(() =>
        Object.defineProperty(Response.prototype, 'statusText', { get: () => '' }),
      );
      await signIn(page);
      const statuses = ['active', 'synced', 'archived'];
      const products = statuses.map((status, at) => plainProduct(String(at), { status }));
      const released = Promise.withResolvers<void>();
      await page.route(isList, async (route) => {
        if (route.request().method() !== 'GET') return route.fulfill({ status: 500, body: '' });
        await released.promise;
        return route.fulfill({ json: products });
      });
      await page.goto('/scanner');
      await expect.poll(() => page.locator('.mantine-Skeleton-root').count(), { timeout: waitMsMax }).toBe(6);
      released.resolve();
      await sees(page, '3 product(s) scanned');
      const variants = await Promise.all(
        statuses.map((_, at) =>
          card(page, `Product ${at}`).locator('.mantine-Badge-root').getAttribute('data-variant'),
        ),
      );
      expect(variants).toEqual(['light', 'light', 'outline']);
      expect(await button(page, 'Sync').count()).toBe(2);

      const answered = Promise.withResolvers<void>();
      await page.route(`${productsPath}/*`, async (route) => {
        await answered.promise;
        return route.fulfill({ status: 500, body: '' });
      });
      const bin = button(card(page, 'Product 0'), 'Delete Product 0');
      await bin.click();
      await button(page.getByRole('alertdialog'), 'Delete Product').click();
      // It is gone at once, and comes back.
      await bin.waitFor({ state: 'detached' });
      answered.resolve();
      await failed(page, 'Delete Failed', 'Failed to delete product');
      await bin.waitFor();
      await openNew(page);
      await fill(page, { 'Product Name *': 'New', 'SKU *': 'N', 'Price ($) *': '1' });
      await button(page, 'Save Product').click();
      await failed(page, 'Save Failed', 'Failed to save product');
      await button(page, 'Cancel').click();
      await button(page, 'Discard Changes').click();
      await button(card(page, 'Product 0'), 'Edit').click();
      await button(page, 'Update Product').click();
      await failed(page, 'Update Failed', 'Failed to update product');
      await button(page, 'Cancel').click();

      const sync = button(card(page, 'Product 0'), 'Sync');
      for (const [body, words] of [
        ['', 'Failed to sync to Shopify'],
        ['no', '500: no'],
      ] as const) {
        const release = await holdPost(page, `${productsPath}/0/sync-shopify`, { status: 500, body });
        await sync.click();
        await expect.poll(() => sync.isDisabled(), { timeout: waitMsMax }).toBe(true);
        release();
        await failed(page, 'Sync Failed', words);
        await sees(card(page, 'Product 0').getByRole('alert'), words);
      }
    }),
);

test('the batches are the imports that are read or ready, and each is checked before it is saved', ({
  browser,
}) =>
  browser.visit({ expectedConsole: [/status of 409/] }, async (page) => {
    await open(page);
    const statuses = ['queued', 'processing', 'processed', 'uploading', 'completed', 'paused'];
    await page.route(
      (url) => url.pathname === '/api/queue',
      (route) => route.fulfill({ json: statuses.map((status) => plainJob(status, status)) }),
    );
    await openNew(page);
    const batch = field(page, 'Add to Batch (Optional)');
    expect(await batch.getAttribute('placeholder')).toBe('Select a batch (optional)');
    await batch.click();
    await seesOptions(
      page,
      'No batch selected',
      'processing.csv (Processing)',
      'processed.csv (Ready for Shopify)',
    );
    const sameSku = 'processed.csv already has this SKU in row 12.';
    await page.route('**/api/scanner/batches/**', (route) => {
      const hasSku = new URL(route.request().url()).searchParams.get('sku') === 'L-1';
      return route.fulfill({ json: { refusal: null, sameSku: hasSku ? sameSku : null } });
    });
    await page.getByRole('option', { name: 'processed.csv (Ready for Shopify)' }).click();
    await fill(page, { 'Product Name *': 'Lamp', 'SKU *': 'L-1', 'Price ($) *': '5' });
    await sees(page, sameSku);
    const message = 'This import is being pushed. Add the product after the push.';
    await page.route(isList, (route) =>
      route.fulfill({ status: 409, json: { code: 'not_allowed', message, field: 'selectedBatch' } }),
    );
    await button(page, 'Save Product').click();
    await toast(page, 'Save Failed');
    await sees(page, message);
    await focused(batch).toBe(true);
    expect(await field(page, 'Product Name *').inputValue()).toBe('Lamp');
    await page.unroute(isList);
    const full = 'The library is full.';
    await page.route(isList, (route) =>
      route.fulfill({ status: 409, json: { code: 'conflict', message: full } }),
    );
    await button(page, 'Save Product').click();
    await page
      .getByRole('alert')
      .filter({ hasText: full })
      .filter({ hasText: 'Nothing was saved.' })
      .waitFor();
    expect(await batch.getAttribute('aria-invalid')).toBeNull();
  }));

test.runIf(isLong)('the library is searched and filtered; keys move between its cards', ({ browser }) =>
  browser.visit({}, async (page) => {
    await open(page);
    for (const name of ['Oak lamp', 'Brass lamp', 'Rug']) {
      const data = { name, sku: name.slice(0, 3), price: '5', photos: [] };
      await post(page, productsPath, data);
    }
    await page.reload();
    await button(page, 'Rug').focus();
    await page.keyboard.press('ArrowRight');
    await focused(button(page, 'Brass lamp')).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await focused(button(page, 'Rug')).toBe(true);
    const search = field(page, 'Search products');
    await page.keyboard.press('/');
    // At the pace of a person: keys without pauses come from a hand-held scanner.
    await page.keyboard.type('lamp', { delay: 120 });
    await button(page, 'Rug').waitFor({ state: 'hidden' });
    await button(page, 'Oak lamp').waitFor();
    await page.goto('/scanner?q=x');
    await sees(page, 'No products match “x”.');
    const read = await holdList(page);
    await search.press('End');
    await search.press('Backspace');
    await read.held;
    await sees(page, 'No products match “x”.');
    await focused(search).toBe(true);
    read.release();
    await button(page, 'Rug').waitFor();
    await focused(search).toBe(true);
    await search.fill('no such');
    await sees(page, 'No products match “no such”.');
    await button(page, 'Clear Search').click();
    await button(page, 'Rug').waitFor();
    await button(page, 'Synced').click();
    await sees(page, 'There are no synced products.');
    await button(page, 'Show All').click();
    await button(page, 'Rug').waitFor();

    await button(page, 'Delete Brass lamp').click();
    await button(page.getByRole('alertdialog'), 'Delete Product').click();
    await button(page, 'Brass lamp').waitFor({ state: 'hidden' });
    await focused(button(page, 'Oak lamp')).toBe(true);
  }),
);

test.runIf(isLong)(
  'a long library is drawn as far as it is scrolled, and older products are read on request',
  ({ browser }) =>
    browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
      const [newest, older] = [200, 50];
      const productsFrom = (first: number, count: number) =>
        Array.from({ length: count }, (_, at) => plainProduct(String(first + at)));
      await page.route(isList, (route) => {
        const isFirst = !new URL(route.request().url()).searchParams.has('before');
        const headers = {
          'x-total-count': String(newest + older),
          ...(isFirst && { 'x-next-before': '1_x' }),
        };
        return route.fulfill({
          headers,
          json: isFirst ? productsFrom(0, newest) : productsFrom(newest, older),
        });
      });
      await open(page);
      await sees(page, '250 product(s) scanned');
      const cards = page.locator('[data-product]');
      await cards.first().waitFor();
      expect(await cards.count()).toBeLessThan(newest);
      const more = button(page, 'Show More (50 Older)');
      /** Scrolls to the end until so many cards are drawn and the page no longer grows below the next tap. */
      const scrollUntil = (count: number) => {
        let height = 0;
        return expect
          .poll(
            async () => {
              const before = height;
              height = await page.evaluate(() => {
                window.scrollTo(0, document.documentElement.scrollHeight);
                return document.documentElement.scrollHeight;
              });
              return { drawn: await cards.count(), isAtRest: height === before };
            },
            { timeout: waitMsMax },
          )
          .toEqual({ drawn: count, isAtRest: true });
      };
      await scrollUntil(newest);
      await more.tap();
      await scrollUntil(newest + older);
      expect(await more.count()).toBe(0);
      // A product that was opened far below has the focus again, and the cards around it are still drawn.
      await button(page, 'Product 249').tap();
      await heading(page, 'Edit Product').waitFor();
      await button(page, 'Cancel').tap();
      await focused(button(page, 'Product 249')).toBe(true);
    }),
);

/** Holds the next read of the list. */
async function holdList(page: Page) {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(
    isList,
    async (route) => {
      held.resolve();
      await released.promise;
      return route.fallback();
    },
    { times: 1 },
  );
  return { held: held.promise, release: released.resolve };
}

test.runIf(isLong)(
  'with one hand on a phone: large targets, and the actions above the bottom bar',
  ({ browser }) =>
    browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
      await open(page);
      await post(page, productsPath, { name: 'x'.repeat(80), sku: 'P-1', price: '5', photos: [] });
      await page.reload();
      const targetMin = 48;
      const look = async () => {
        await expectNoSidewaysScroll(page);
        expect(await smallTargets(page.locator('main'), targetMin)).toEqual([]);
        expect(await smallTargets(page.locator('[data-actions]'), targetMin)).toEqual([]);
      };
      await button(page, 'x'.repeat(80)).waitFor();
      await look();
      await button(page, 'New Product').tap();
      await heading(page, 'Create New Product').waitFor();
      await look();
      // As with a keyboard on the screen.
      await page.setViewportSize({ width: 390, height: 500 });
      const save = await button(page, 'Save Product').boundingBox();
      const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
      expect(save && bar && save.y + save.height).toBeLessThanOrEqual(bar?.y ?? 0);
    }),
);
