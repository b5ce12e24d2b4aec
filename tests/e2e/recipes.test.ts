import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../support/fixture.ts';
import { isLong } from '../support/queue-backend.ts';
import { smallTargets, violationsOf } from './page-checks.ts';
import { expectNoSidewaysScroll, openDetails, openSession, post, put, sees, upload } from './steps.ts';
import { test } from './test.ts';

const phone = { width: 390, height: 844 };

/** A list of 30 products of a supplier, of whom the titles tell; the first `nikes` are of NIKE. */
function listOf(prefix: string, nikes: number, price: string, cost = 'Cost'): string {
  const rows = Array.from(
    { length: 30 },
    (_, at) => `${prefix}-${at},${prefix} vase ${at},${price},${at < nikes ? 'NIKE' : 'Puma'},4.00`,
  );
  return `SKU,Title,Price,Brand,${cost}\n${rows.join('\n')}\n`;
}

const command = (page: Page, id: string, operations: object[], target: object) =>
  post(page, `/api/queue/${id}/edits`, { operations, target });

const priceOf = async (page: Page, id: string, row: number): Promise<string> => {
  const { rows } = await (await page.request.get(`/api/queue/${id}/rows?limit=1&after=${row - 1}`)).json();
  return rows[0].values.price;
};

test.runIf(isLong)(
  'what was done to the last list is offered, asked about before a push, and done again as one change',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      const march = await upload(product, 'march.csv', listOf('Rain', 3, '10.00'));
      await command(page, march, [{ kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' }], {});
      await command(page, march, [{ kind: 'set', field: 'vendor', value: 'Nike' }], { value: 'vendor:NIKE' });
      const take = { kind: 'take', field: 'compareAtPrice', from: { column: 'Cost' } };
      await command(page, march, [take], { value: 'vendor:Puma' });
      const april = await upload(product, 'april.csv', listOf('Rain', 12, '20.00', 'Wholesale price'));
      await page.goto(`/queue/${april}?class=all`);
      await sees(page, 'Changed in the last list by “Price × 1.2” and 2 more. Do it again?');
      expect(await violationsOf(page)).toEqual([]);

      // The push asks, once.
      await page.getByRole('button', { name: /^Push/ }).first().press('Enter');
      const drawer = page.getByRole('dialog', { name: 'Last time’s changes' });
      await sees(drawer, '30 rows, last time 30 (march.csv) · All rows');
      await sees(drawer, 'The change would affect 12 of 30 rows. Last time, it affected 3 of 30.');
      await sees(drawer, 'Cost isn’t in this list.');
      const raise = drawer.getByRole('checkbox', { name: 'Price × 1.2' });
      const rename = drawer.getByRole('checkbox', { name: 'Brand set to “Nike”' });
      expect([await raise.isChecked(), await rename.isChecked()]).toEqual([true, false]);
      await drawer.getByRole('button', { name: 'Use Wholesale price' }).press('Enter');
      await sees(drawer, 'Uses Wholesale price in place of Cost.');
      await drawer.getByRole('button', { name: 'Preview' }).first().press('Enter');
      await sees(drawer, 'Row 1, Price: 20.00 → 24.00');
      expect(await violationsOf(page)).toEqual([]);
      await page.setViewportSize(phone);
      await expectNoSidewaysScroll(page);
      await page.setViewportSize({ width: 1440, height: 900 });
      await drawer.getByRole('button', { name: 'Do It Again' }).press('Enter');
      await until('the prices are raised', async () => (await priceOf(page, april, 1)) === '24.00');
      const details = await openDetails(page);
      await sees(details, 'Last time’s changes: Brand set to “Nike” wasn’t applied to this list.');

      // One change, one undo.
      const changes = page.getByRole('region', { name: 'Changes of many rows' });
      // What is open stays beside it.
      await changes.waitFor();
      await sees(page.getByRole('region', { name: /^Job Status/ }), 'which isn’t pushed yet.');
      await changes.getByRole('button', { name: /^Undo/ }).press('Enter');
      await until('the prices are as before', async () => (await priceOf(page, april, 1)) === '20.00');
      await sees(details, /and 2 more weren’t applied to this list/);
      await details.getByRole('button', { name: 'Review', exact: true }).press('Enter');
      await sees(drawer, 'The change would affect 12 of 30 rows.');
      await drawer.getByRole('button', { name: 'Forget: Brand set to “Nike”' }).press('Enter');
      await drawer.getByText('Brand set to “Nike”').waitFor({ state: 'detached' });
      await sees(drawer, 'Price × 1.2');
    }),
);

test.runIf(isLong)(
  'a list says what it changes, and last time’s changes are done again by one press',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      const march = await upload(product, 'march.csv', listOf('Snow', 3, '10.00'));
      await command(page, march, [{ kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' }], {});
      await put(page, `/api/queue/${march}/list`, { counts: true });
      await until('the list counts', async () => {
        const { job } = await (await page.request.get(`/api/queue/${march}?rows=0`)).json();
        return job.list.state === 'counted';
      });
      const april = await upload(
        product,
        'april.csv',
        `${listOf('Snow', 3, '11.00')}Snow-30,Bowl,5.00,Puma,4.00\n`,
      );
      await page.goto(`/queue/${april}?class=all`);
      const status = page.getByRole('region', { name: /^Job Status/ });
      await sees(status, '1 new · 30 dearer (avg +10%)');
      await sees(status, 'Changed in the last list by “Price × 1.2”. Do it again?');
      expect(await violationsOf(page)).toEqual([]);
      await status.getByRole('button', { name: 'Do It Again' }).press('Enter');
      await until('the prices are raised', async () => (await priceOf(page, april, 1)) === '13.20');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }),
);

test.runIf(isLong)(
  'on a phone a supplier’s recipes are a sheet, and its page orders them',
  ({ browser, product }) =>
    browser.visit({ viewport: phone, touch: true }, async (page) => {
      await openSession(page);
      const may = await upload(product, 'may.csv', listOf('Sun', 3, '10.00'));
      await command(page, may, [{ kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' }], {});
      const june = await upload(product, 'june.csv', listOf('Sun', 3, '30.00'));
      await page.goto(`/queue/${june}?class=all`);
      await page.getByRole('button', { name: 'Decide', exact: true }).tap();
      const details = page.getByRole('complementary', { name: 'Details' });
      await details.getByRole('button', { name: 'Review', exact: true }).tap();
      const drawer = page.getByRole('dialog', { name: 'Last time’s changes' });
      await sees(drawer, '30 rows, last time 30 (may.csv) · All rows');
      await expectNoSidewaysScroll(page);
      expect(await smallTargets(drawer)).toEqual([]);
      await drawer.getByRole('button', { name: 'Not This Time' }).tap();
      await drawer.waitFor({ state: 'hidden' });
      const { job } = await (await page.request.get(`/api/queue/${june}?rows=0`)).json();
      expect(job.list).toMatchObject({ asksRecipes: false, recipes: [{ sentence: 'Price × 1.2' }] });
      await page.goto(`/suppliers/${job.list.supplier.id}`);
      const recipes = page.getByRole('list', { name: 'Recipes' });
      await sees(recipes, 'All rows · 30 of 30 rows of may.csv');
      await expectNoSidewaysScroll(page);
      await recipes.getByRole('button', { name: 'Delete: Price × 1.2' }).tap();
      await sees(page, 'None yet. They appear here with the next list.');
    }),
);
