import { expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { openSession, post, sees, uploadByCall } from '../steps.ts';
import { test } from '../test.ts';

const productsPath = '/api/scanner/products';

const places = [
  ['in the table', { width: 1440, height: 900 }],
  ['on a card', { width: 390, height: 844 }],
] as const;

test.for(isLong ? places : places.slice(0, 1))(
  'a row added from the scanner leads to its product, %s',
  async ([place, viewport], { browser }) =>
    browser.visit({ viewport }, async (page) => {
      await openSession(page);
      const name = `supplier-${viewport.width}.csv`;
      const content = 'Title,Price,SKU\nLamp,10,L-1\nVase,20,L-2\n';
      const id = await uploadByCall(page, { name, content });
      const data = { name: `Clock ${place}`, sku: `C ${place}`, price: '30', selectedBatch: id };
      const product = await (await post(page, productsPath, data)).json();
      await page.goto(`/queue/${id}`);
      const row = page.locator('[data-row="3"]');
      await sees(row, `Clock ${place}`);
      expect(await page.locator('[data-row]').count()).toBe(3);
      const link = row.getByRole('link', { name: 'Scanner' });
      expect(await link.getAttribute('href')).toBe(`/scanner?product=${product.id}`);
      await link.click();
      await expect.poll(() => page.getByLabel('Product Name').inputValue()).toBe(`Clock ${place}`);
      const checked = page.waitForResponse(`**/api/scanner/batches/${id}?*`);
      await page.getByLabel('Add to Batch (Optional)').click();
      await page.getByRole('option').filter({ hasText: name }).click();
      expect(await (await checked).json()).toEqual({ refusal: null, sameSku: null });
    }),
);
