import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectNoSidewaysScroll, openSession, sees, toast, uploadAndOpen } from '../steps.ts';
import { test } from '../test.ts';

const content = 'Title,Price,SKU\nBrass lamp,24.90,L-1\nNo price,,L-2\n';

const start = (page: Page) => page.getByRole('button', { name: 'Dry Run', exact: true }).click();

test('a dry run says product by product what a push would send, writes nothing, and says why there is none', ({
  browser,
  product,
}) =>
  browser.visit({ expectedConsole: [/Dry Run Failed/, /status of 500 .*dry-run/] }, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, { name: 'dry.csv', content });
    const posted = page.waitForRequest((request) => request.url().endsWith('/api/shopify/dry-run'));
    await start(page);
    expect((await posted).postDataJSON()).toMatchObject({
      product: { title: 'Brass lamp', published_scope: 'web', variants: [{ price: '24.90', sku: 'L-1' }] },
    });
    const dialog = page.getByRole('dialog', { name: 'Dry run' });
    await sees(dialog, 'All required fields present');
    await sees(dialog, 'Product 1 of 2 on the first page of rows');
    await sees(dialog, 'There is no image.');
    await dialog.getByRole('button', { name: 'Show Payload' }).click();
    await sees(dialog, /"product_type": "Home Goods"/);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await sees(dialog, 'Missing required fields');
    await sees(dialog, 'The push would skip this product. Add: price.');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await product.productWrites()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });

    let without: 'csvData' | 'processedData' | null = 'csvData';
    await page.route(/\/api\/queue\/[\w-]+$/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      if (without) body.job[without] = [];
      await route.fulfill({ response, json: body });
    });
    await start(page);
    await sees(await toast(page, 'Dry Run Failed'), 'No CSV data available');
    without = 'processedData';
    await start(page);
    await sees(await toast(page, 'Dry Run Failed'), 'No processed data available');
    without = null;
    await page.route('**/api/shopify/dry-run', (route) => route.fulfill({ status: 500, body: 'down' }));
    await start(page);
    await sees(await toast(page, 'Dry Run Failed'), '500: down');
    await page.unroute('**/api/shopify/dry-run');
    const validation = { passed: true, message: 'All required fields present', missing: [], warnings: [] };
    await page.route('**/api/shopify/dry-run', (route) =>
      route.fulfill({ json: { success: true, validation } }),
    );
    await start(page);
    await sees(page.getByRole('dialog', { name: 'Dry run' }), 'All required fields present');
  }));
