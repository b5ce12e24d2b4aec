import { saveSettings } from '@draftshelf/core/access/settings';
import { setMatchChoice } from '@draftshelf/core/push/push-run';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { afterEach, expect } from 'vitest';
import type { StoredProduct } from '../../../apps/simulators/store/src/catalogue.ts';
import { comparableProduct } from '../../store/comparable-product.ts';
import { csvOf } from '../../support/fixture.ts';
import { createByMerchant } from '../../support/merchant-product.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { reach, push, importOf, outcomes, edit } = pushSteps(() => stack);

afterEach(() => saveSettings(stack.database.db, { draftMode: true }));

let files = 0;
async function fileOf(...lines: readonly (readonly string[])[]): Promise<string> {
  files += 1;
  return (await importOf(csvOf(lines), String(files).padStart(64, 'd'))).id;
}

async function update(id: string): Promise<void> {
  await stack.database.db.transaction().execute(async (trx) => {
    const pushed = await pushImport(trx, id, 25, { supplier: null });
    if (!pushed.ok) throw new Error(pushed.reason);
    await setMatchChoice(trx, { import_id: id, run: pushed.import.push_run }, 'update');
  });
  await reach(id, 'completed', 'failed');
}

async function pushed(id: string): Promise<void> {
  await push(id);
  await reach(id, 'completed', 'failed');
}

/** The store's product with a SKU, as the store keeps it. */
async function stored(sku: string): Promise<StoredProduct> {
  const products = (await stack.store.products()) as unknown as StoredProduct[];
  const [found, ...others] = products.filter((one) => one.variants.some((variant) => variant.sku === sku));
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} products with ${sku}`);
  return found;
}

/** A product without our own metafields, which each of our writes sets. */
const withoutOurs = (product: StoredProduct) =>
  comparableProduct(
    { ...product, metafields: product.metafields.filter(({ namespace }) => namespace !== 'scd') },
    false,
  );

const ofMerchant = {
  product: {
    descriptionHtml: '<p>Blown by hand in Murano.</p>',
    vendor: 'Vetreria Rossi',
    productType: 'Vases',
    tags: ['handmade', 'gift'],
    metafields: [{ namespace: 'custom', key: 'care', type: 'single_line_text_field', value: 'By hand' }],
  },
  variant: {
    compareAtPrice: '30.00',
    barcode: '4006381333931',
    inventoryPolicy: 'CONTINUE',
    inventoryItem: {
      cost: '4.00',
      tracked: true,
      measurement: { weight: { value: 1.5, unit: 'KILOGRAMS' } },
    },
  },
  images: 2,
};

it('changes only the price of a merchant’s product by a price list', async () => {
  await createByMerchant(stack, 'Vase by the merchant', 'SAY-1', ofMerchant);
  const before = await stored('SAY-1');
  const id = await fileOf(['Title', 'Price', 'SKU'], ['Vase by the merchant', '12.50', 'SAY-1']);
  await update(id);
  expect(await outcomes(id)).toMatchObject([{ outcome: 'updated', message: null }]);
  const [variant] = before.variants;
  if (!variant) throw new Error('The merchant’s product has no variant');
  const expected = { ...before, variants: [{ ...variant, price: '12.50' }] };
  const after = await stored('SAY-1');
  expect(withoutOurs(after)).toEqual(withoutOurs(expected));
  await pushed(id);
  expect(await outcomes(id)).toMatchObject([{ outcome: 'unchanged' }]);
  expect(withoutOurs(await stored('SAY-1'))).toEqual(withoutOurs(expected));
});

it('changes only the variant that a row without options names by its SKU', async () => {
  await createByMerchant(stack, 'Shirt by the merchant', 'SAY-2', { ...ofMerchant, sizes: ['S', 'M', 'L'] });
  const before = await stored('SAY-2');
  const id = await fileOf(['Title', 'Price', 'SKU'], ['Shirt by the merchant', '9.99', 'SAY-2-M']);
  await update(id);
  const variants = before.variants.map((one) => (one.sku === 'SAY-2-M' ? { ...one, price: '9.99' } : one));
  expect(withoutOurs(await stored('SAY-2'))).toEqual(withoutOurs({ ...before, variants }));
});

it('empties in the store what a person has emptied', async () => {
  const id = await fileOf(
    ['Title', 'Price', 'SKU', 'Brand', 'Description', 'Compare Price'],
    ['Bowl', '8', 'SAY-3', 'Acme', 'A bowl.', '10'],
  );
  await pushed(id);
  await edit(id, 1, { description: '', vendor: '', compareAtPrice: '' });
  await pushed(id);
  expect(await stored('SAY-3')).toMatchObject({
    descriptionHtml: '',
    vendor: '',
    variants: [{ compareAtPrice: null }],
  });
});

it('takes back tags and a compare-at price that the next file leaves empty, and keeps texts', async () => {
  const columns = ['Title', 'Price', 'SKU', 'Brand', 'Tags', 'Compare Price'];
  await pushed(await fileOf(columns, ['Jug', '8', 'SAY-4', 'Acme', 'sale, glass', '10']));
  const next = await fileOf(columns, ['Jug', '7', 'SAY-4', '', 'glass', '']);
  await update(next);
  expect(await stored('SAY-4')).toMatchObject({
    vendor: 'Acme',
    tags: ['glass'],
    variants: [{ price: '7.00', compareAtPrice: null }],
  });
});

it('does not ask about what the merchant changed in a field that the file is silent about, but a later file does', async () => {
  const full = ['Title', 'Price', 'SKU', 'Description', 'Compare Price'];
  await pushed(await fileOf(full, ['Plate', '8', 'SAY-5', 'By us.', '10']));
  const { id: inStore } = await stored('SAY-5');
  await stack.store.edit(inStore, { descriptionHtml: 'By the merchant.' });
  const prices = await fileOf(['Title', 'Price', 'SKU'], ['Plate', '7', 'SAY-5']);
  await update(prices);
  expect(await outcomes(prices)).toMatchObject([{ outcome: 'updated', message: null }]);
  expect(await stored('SAY-5')).toMatchObject({
    descriptionHtml: 'By the merchant.',
    variants: [{ price: '7.00', compareAtPrice: '10.00' }],
  });
  const later = await fileOf(full, ['Plate', '7', 'SAY-5', 'By us, again.', '10']);
  await update(later);
  expect(await outcomes(later)).toMatchObject([
    { outcome: 'skipped', code: 'drifted', message: expect.stringContaining('description') },
  ]);
});

it.runIf(isLong)('leaves a status to the merchant, whatever Safe Mode says', async () => {
  await saveSettings(stack.database.db, { draftMode: false });
  const columns = ['Title', 'Price', 'SKU', 'Status'];
  await pushed(await fileOf(columns, ['Cup', '8', 'SAY-6', 'active'], ['Mug', '8', 'SAY-7', 'draft']));
  await saveSettings(stack.database.db, { draftMode: true });
  await stack.store.edit((await stored('SAY-7')).id, { status: 'ACTIVE' });
  const next = await fileOf(columns, ['Cup', '7', 'SAY-6', 'draft'], ['Mug', '7', 'SAY-7', 'archived']);
  await update(next);
  expect(await outcomes(next)).toMatchObject([
    { outcome: 'updated', message: null },
    { outcome: 'updated', message: null },
  ]);
  expect([await stored('SAY-6'), await stored('SAY-7')]).toMatchObject([
    { status: 'ACTIVE', variants: [{ price: '7.00' }] },
    { status: 'ACTIVE', variants: [{ price: '7.00' }] },
  ]);
});

it('sends a status that a person set in the import, up and down, also in Safe Mode', async () => {
  const id = await fileOf(['Title', 'Price', 'SKU'], ['Pot', '8', 'SAY-8']);
  await pushed(id);
  expect(await stored('SAY-8')).toMatchObject({ status: 'DRAFT' });
  await edit(id, 1, { status: 'active' });
  await pushed(id);
  expect(await stored('SAY-8')).toMatchObject({ status: 'ACTIVE' });
  await edit(id, 1, { status: 'draft' });
  await pushed(id);
  expect(await stored('SAY-8')).toMatchObject({ status: 'DRAFT' });
});

const sized = ['Title', 'Price', 'SKU', 'Quantity', 'Option1 Name', 'Option1 Value', 'Handle'];
const sizeOf = (product: string, size: string, { price = '8', quantity = '5', sku = size } = {}) => [
  product,
  price,
  `${product}-${sku}`,
  quantity,
  'Size',
  size,
  product,
];

it('keeps variants that are no longer in the file, with their stock, and says so', async () => {
  await pushed(await fileOf(sized, ...['S', 'M', 'L'].map((size) => sizeOf('SAY-9', size))));
  const before = await stored('SAY-9-M');
  await stack.store.edit(before.id, { quantity: 2 });
  const sold = await stored('SAY-9-M');
  const next = await fileOf(sized, sizeOf('SAY-9', 'M', { price: '7' }), sizeOf('SAY-9', 'XL'));
  await update(next);
  const message = 'No longer in the file: 2 variants; they stay in the store.';
  expect(await outcomes(next)).toMatchObject([{ outcome: 'updated', message }]);
  const after = await stored('SAY-9-M');
  expect(after.variants.slice(0, 3)).toEqual(
    sold.variants.map((one) => (one.sku === 'SAY-9-M' ? { ...one, price: '7.00' } : one)),
  );
  expect(after.variants.slice(3)).toMatchObject([{ sku: 'SAY-9-XL', quantity: 5 }]);
  await update(next);
  expect(await outcomes(next)).toMatchObject([{ outcome: 'unchanged', message }]);
});

it.runIf(isLong)(
  'keeps ids and stock of variants whose option, value or only its case is renamed',
  async () => {
    await pushed(await fileOf(sized, ...['S', 'M', 'L'].map((size) => sizeOf('SAY-10', size))));
    await stack.store.edit((await stored('SAY-10-M')).id, { quantity: 2 });
    const before = await stored('SAY-10-M');
    const next = await fileOf(
      sized,
      ...[
        sizeOf('SAY-10', 'Small', { sku: 'S' }),
        sizeOf('SAY-10', 'm', { sku: 'M' }),
        sizeOf('SAY-10', 'L'),
      ].map((row) => row.map((cell) => (cell === 'Size' ? 'Width' : cell))),
    );
    await update(next);
    expect(await outcomes(next)).toMatchObject([{ outcome: 'updated', message: null }]);
    const names = ['Small', 'm', 'L'];
    const renamed = before.variants.map((one, at) => ({
      ...one,
      optionValues: [{ name: 'Width', value: names[at] }],
    }));
    expect((await stored('SAY-10-M')).variants).toEqual(renamed);
  },
);
