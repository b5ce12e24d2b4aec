import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { smallTargets, violationsOf } from '../page-checks.ts';
import type { Product } from '../product.ts';
import { editRow, expectNoSidewaysScroll, goTo, openSession, put, sees, toast, upload } from '../steps.ts';
import { test } from '../test.ts';

const phone = { width: 390, height: 844 };

/** A list of 20 products of a supplier, of whom the titles tell. `prices`: by number. */
function listOf(prefix: string, prices: Record<number, string> = {}): string {
  const rows = Array.from({ length: 20 }, (_, at) => {
    const price = prices[at] ?? `${at + 10}.00`;
    return `${prefix}-${at},${prefix} vase ${at},${price}`;
  });
  return `SKU,Title,Price\n${rows.join('\n')}\n`;
}

/** Uploads a list and says whose it is. */
async function listed(page: Page, product: Product, filename: string, content: string, name: string) {
  const id = await upload(product, filename, content);
  await put(page, `/api/queue/${id}/supplier`, { name });
  await until(`${filename} is ${name}’s`, async () => {
    const { job } = await (await page.request.get(`/api/queue/${id}?rows=0`)).json();
    return job.status !== 'processing' && job.list?.supplier?.name === name;
  });
  return id;
}

const shown = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function unfolded(page: Page, name: string) {
  await page.getByRole('button', { name: `Show ${name}`, exact: true }).press('Enter');
  return shown(page, name);
}

test('suppliers show their lists and your values, which are forgotten, and two become one', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    await page.goto('/suppliers');
    await sees(page, 'A supplier appears here after its first list.');
    expect(await page.getByRole('link', { name: 'Suppliers', exact: true }).count()).toBe(0);

    const march = await listed(page, product, 'march.csv', listOf('A'), 'Acme');
    await page.goto('/settings');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Suppliers' }).waitFor();
    await editRow(page, march, 1, { price: '14.40' });
    await editRow(page, march, 2, { title: 'Blue vase' });
    await listed(page, product, 'april.csv', listOf('A', { 0: '11.00' }), 'Acme');
    await listed(page, product, 'beta.csv', listOf('B'), 'Beta');

    await page.goto('/');
    await page.getByRole('link', { name: 'april.csv: 1 of your prices to decide' }).waitFor();
    await goTo(page, 'Suppliers');
    const suppliers = page.getByRole('table', { name: 'Suppliers' });
    const acme = suppliers.getByRole('row').filter({ hasText: 'Acme' });
    await sees(acme, 'Decide 1 change in april.csv');
    await sees(suppliers.getByRole('row').filter({ hasText: 'Beta' }), 'Review beta.csv');
    expect(await violationsOf(page)).toEqual([]);

    await acme.getByRole('link', { name: 'Acme' }).press('Enter');
    await sees(shown(page, 'Lists'), 'Not pushed yet');
    const readiness = shown(page, 'Readiness');
    await sees(readiness, 'How many products of april.csv have each field.');
    const category = readiness.getByRole('link', { name: /^Show \d+ without category in Shopify$/ });
    expect(await category.getAttribute('href')).toMatch(/\?value=storeCategory%3A$/);
    const values = shown(page, 'Your values');
    await sees(values, 'A-0 · Price: 14.40');
    await values.getByRole('searchbox').fill('blue');
    await expect.poll(() => values.getByRole('listitem').count()).toBe(1);
    await values.getByRole('button', { name: /^Forget Title: Blue vase/ }).press('Enter');
    await sees(values, 'No value matches.');
    await values.getByRole('searchbox').fill('');
    await sees(values, 'A-0 · Price: 14.40');
    expect(await violationsOf(page)).toEqual([]);
    const guards = await unfolded(page, 'Guards');
    await guards.getByLabel('Price changed by at most').fill('5');
    await guards.getByLabel('Price changed by at most').press('Enter');
    await guards.getByLabel('Never below the column').click();
    await page.getByRole('option', { name: 'SKU', exact: true }).click();
    await expect
      .poll(
        async () => (await (await page.request.get(`/api${new URL(page.url()).pathname}`)).json()).answers,
      )
      .toMatchObject({ guardChange: 5, guardColumn: 'SKU', guardCost: null });
    expect(await violationsOf(page)).toEqual([]);
    const recognized = await unfolded(page, 'How its lists are recognized');
    await recognized
      .getByRole('button', { name: 'Forget: Columns of april.csv: SKU, Title, Price' })
      .press('Enter');
    await recognized.getByText('Columns of april.csv').waitFor({ state: 'detached' });

    await goTo(page, 'Suppliers');
    await suppliers.getByRole('link', { name: 'Beta', exact: true }).press('Enter');
    const merge = await unfolded(page, 'Merge');
    await merge.getByRole('combobox').click();
    await page.getByRole('option', { name: 'Acme' }).click();
    await merge.getByRole('button', { name: 'Merge…' }).press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Merge Suppliers' }).press('Enter');
    await toast(page, 'Merging suppliers');
    await expect.poll(() => suppliers.getByRole('row').count()).toBe(2);
    await suppliers.getByRole('link', { name: 'Acme', exact: true }).press('Enter');
    for (const name of ['march.csv', 'april.csv', 'beta.csv']) {
      await shown(page, 'Lists').getByRole('link', { name }).waitFor();
    }
    expect(await guards.getByLabel('Price changed by at most').inputValue()).toBe('5 %');
  }));

test.runIf(isLong)(
  'on a phone, a supplier is reached from its import, and nothing scrolls sideways',
  ({ browser, product }) =>
    browser.visit({ viewport: phone, touch: true, colorScheme: 'dark' }, async (page) => {
      await openSession(page);
      const name = `Gamma${'longname'.repeat(8)}`;
      const id = await listed(page, product, `${'gamma-'.repeat(12)}.csv`, listOf('G'), name);
      await editRow(page, id, 1, { price: '14.40' });
      await listed(page, product, 'gamma-2.csv', listOf('G', { 3: '99.00' }), name);
      await page.goto(`/queue/${id}`);
      await page.getByRole('button', { name: `from ${name}` }).tap();
      await page
        .getByRole('dialog')
        .getByRole('link', { name: /^Lists and values of/ })
        .tap();
      await sees(shown(page, 'Your values'), 'G-0 · Price: 14.40');
      await expectNoSidewaysScroll(page);
      expect(await smallTargets(page.locator('#main'))).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      await page.goto('/suppliers');
      await page.getByRole('list', { name: 'Suppliers' }).getByRole('link', { name, exact: true }).waitFor();
      await expectNoSidewaysScroll(page);
      expect(await smallTargets(page.locator('#main'))).toEqual([]);
      expect(
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Suppliers' }).count(),
      ).toBe(0);
    }),
);
