import { expect } from 'vitest';
import { violationsOf } from './page-checks.ts';
import { openDetails, openSession, sees, uploadByCall } from './steps.ts';
import { test } from './test.ts';

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
  }));
