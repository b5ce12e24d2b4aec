import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { violationsOf } from '../page-checks.ts';
import { openDetails, openSession, sees, uploadByCall } from '../steps.ts';
import { test } from '../test.ts';

const content =
  'Title,Price,SKU,Type,Washing\nBowl,8,SF-1,Wohnen > Vasen,Tumble\nJug,9,SF-2,Wohnen > Vasen,Cold\n';

test('a column is mapped to a metafield of the store, its cell says what does not fit, a category is chosen, and the cell is mended', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    await product.store.define({
      ...{ namespace: 'custom', key: 'care', name: 'Care', description: 'How to wash it' },
      ...{ type: 'single_line_text_field', validations: [{ name: 'choices', value: '["Cold"]' }] },
    });
    await openSession(page);
    const id = await uploadByCall(page, { name: 'care.csv', content });
    await page.goto(`/queue/${id}`);
    await openDetails(page);
    await page.getByRole('button', { name: 'Change Mapping…' }).click();
    const drawer = page.getByRole('dialog', { name: 'Field Mapping' });
    await drawer.getByLabel('Field of Washing').click();
    await page.getByRole('option', { name: /^Care.*How to wash it/ }).click();
    await sees(drawer, 'Set by you');
    expect(await violationsOf(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Re-read File' }).click();
    await drawer.waitFor({ state: 'detached' });
    await page.getByText('“Tumble” isn’t one of the choices').first().waitFor();

    await page.getByRole('button', { name: 'Readiness and Categories…' }).click();
    const readiness = page.getByRole('dialog', { name: 'Readiness' });
    await sees(readiness, '0 of 2');
    await readiness.getByLabel('Shopify category for Wohnen > Vasen').fill('vases');
    await page.getByRole('option', { name: 'Home & Garden > Decor > Vases' }).click();
    await readiness.getByRole('button', { name: 'Remove the category of Wohnen > Vasen' }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    await sees(readiness, '2 of 2');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await readiness.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Edit all fields of row 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Product Details - Shopify Format' });
    await sees(dialog, 'Care: “Tumble” isn’t one of the choices. It isn’t sent.');
    await dialog.getByLabel('Care', { exact: true }).fill('Cold');
    await dialog.getByLabel('Search title').fill('Bowl for the table');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('“Tumble” isn’t one of the choices').first().waitFor({ state: 'detached' });

    // Its column in the table, edited in place, and the filter by its values.
    await page.goto(`/queue/${id}`);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    const columns = page.getByRole('dialog', { name: 'Columns' });
    await columns.getByLabel('Care', { exact: true }).check();
    await page.keyboard.press('Escape');
    await columns.waitFor({ state: 'detached' });
    await page.getByRole('columnheader', { name: 'Care' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(`/queue/${id}?value=${encodeURIComponent('m:custom.care:Cold')}`);
    await sees(page, 'Care: Cold');
    await page.goto(`/queue/${id}?value=storeCategory%3A`);
    await sees(page, 'Category in Shopify: empty');
  }));

test.runIf(isLong)('a file with 40 columns is mapped with at most 45 clicks', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    const named = Array.from({ length: 20 }, (_, at) => `Trait ${at + 1}`);
    const other = ['Pflege', 'Passform', 'Saison', 'Kragen'];
    const kept = ['Lager', 'Regal', 'Kennung', 'Bemerkung'];
    const known = ['Title', 'Price', 'SKU', 'UPC', 'Description', 'Brand', 'Quantity', 'Type'];
    const more = ['Cost', 'Tags', 'Image', 'HS code'];
    for (const name of named) {
      await product.store.define({ namespace: 'custom', key: name.toLowerCase().replace(' ', '_'), name });
    }
    for (const [at, name] of ['Washing care', 'Fit of it', 'Time of year', 'Collar'].entries()) {
      await product.store.define({ namespace: 'custom', key: `other_${at}`, name });
    }
    const columns = [...known, ...named, ...other, ...kept, ...more];
    expect(columns).toHaveLength(40);
    const cellOf = (header: string, row: number) => {
      if (header === 'Price') return '8.50';
      if (header === 'Quantity') return '3';
      return header === 'HS code' ? '691200' : `${header} of ${row}`;
    };
    const lines = [1, 2, 3].map((row) => columns.map((header) => cellOf(header, row)));
    const content = [columns, ...lines].map((line) => line.join(',')).join('\n');
    await openSession(page);
    const id = await uploadByCall(page, { name: 'forty.csv', content });
    await page.goto(`/queue/${id}`);
    let clicks = 0;
    const click = async (locator: Locator) => {
      await locator.click();
      clicks += 1;
    };
    await openDetails(page);
    clicks += 1;
    await click(page.getByRole('button', { name: 'Change Mapping…' }));
    const drawer = page.getByRole('dialog', { name: 'Field Mapping' });
    await click(drawer.getByRole('button', { name: /^Show All/ }));
    for (const name of named)
      await click(drawer.getByRole('button', { name: `Use ${name} as ${name}`, exact: true }));
    for (const [at, name] of other.entries()) {
      await click(drawer.getByLabel(`Field of ${name}`));
      await click(
        page.getByRole('option', { name: ['Washing care', 'Fit of it', 'Time of year', 'Collar'][at] ?? '' }),
      );
    }
    await click(drawer.getByRole('button', { name: 'Re-read File' }));
    await drawer.waitFor({ state: 'detached' });
    await until('the mapping is read', async () => {
      const reply = await page.request.get(`/api/queue/${id}/mapping`);
      const read = (await reply.json()) as { columns: { field: string | null }[] };
      return read.columns.filter(({ field }) => field?.startsWith('m:')).length === 24;
    });
    console.log(`40 columns: ${clicks} clicks`);
    expect(clicks).toBeLessThanOrEqual(45);
  }),
);
