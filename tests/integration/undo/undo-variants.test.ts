import type { UndoLineRecord } from '@draftshelf/core/connection/schema';
import type { VariantSetInput } from '@draftshelf/shopify/documents';
import type { LiveProduct, LiveVariant } from '@draftshelf/shopify/product/live-product';
import { setProduct } from '@draftshelf/shopify/products';
import { expect } from 'vitest';
import type { StoredProduct } from '../../../apps/simulators/store/src/catalogue.ts';
import { csvOf } from '../../support/fixture.ts';
import { storeClient } from '../../support/merchant-product.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const it = testOnWorkers(pushers);
const { reach, push, edit, importOf, productsNamed, states } = pushSteps(() => stack);
const { plan } = planSteps(() => stack);
const { undo } = undoSteps(() => stack);

type Field = {
  name: string;
  key: keyof LiveVariant;
  /** The push changes it from the first to the second, as operators see it, and a colleague to the third. */
  shown: [string, string, string];
  edit: Parameters<typeof edit>[2];
  colleague: Partial<VariantSetInput>;
};

const fields: Field[] = [
  {
    ...{ name: 'price', key: 'price', shown: ['10.00', '11.00', '12.00'] },
    ...{ edit: { price: '11' }, colleague: { price: '12' } },
  },
  {
    ...{ name: 'compare-at price', key: 'compareAtPrice', shown: ['20.00', '21.00', '22.00'] },
    ...{ edit: { compareAtPrice: '21' }, colleague: { compareAtPrice: '22' } },
  },
  {
    ...{ name: 'cost', key: 'cost', shown: ['5.50', '6.00', '7.00'] },
    ...{ edit: { cost: '6' }, colleague: { inventoryItem: { cost: '7' } } },
  },
  {
    ...{ name: 'SKU', key: 'sku', shown: ['NAMED-3', 'NAMED-3-B', 'NAMED-3-C'] },
    ...{ edit: { sku: 'NAMED-3-B' }, colleague: { sku: 'NAMED-3-C' } },
  },
  {
    ...{ name: 'UPC', key: 'barcode', shown: ['4006381333931', '036000291452', '012345678905'] },
    ...{ edit: { upc: '036000291452' }, colleague: { barcode: '012345678905' } },
  },
  {
    ...{ name: 'weight', key: 'weight', shown: ['1.5 kilograms', '2 kilograms', '3 kilograms'] },
    edit: { weight: '2' },
    colleague: { inventoryItem: { measurement: { weight: { value: 3, unit: 'KILOGRAMS' } } } },
  },
  {
    ...{ name: 'tracked', key: 'tracked', shown: ['yes', 'no', 'no'] },
    ...{ edit: { trackQuantity: 'none' }, colleague: { inventoryItem: { tracked: false } } },
  },
  {
    ...{ name: 'sell when out of stock', key: 'inventoryPolicy', shown: ['no', 'yes', 'yes'] },
    ...{ edit: { continueSelling: 'continue' }, colleague: { inventoryPolicy: 'CONTINUE' } },
  },
];

const header = ['Title', 'Price', 'SKU', 'Compare Price', 'Cost', 'UPC', 'Weight', 'Weight Unit'];
const upc = (at: number) => (fields[at]?.name === 'UPC' ? '4006381333931' : '');
const cells = (at: number) => [`Named ${at}`, '10', `NAMED-${at}`, '20', '5.50', upc(at), '1.5', 'kg'];

async function stored(title: string): Promise<StoredProduct> {
  const [found] = (await productsNamed(title)) as unknown as StoredProduct[];
  if (!found) throw new Error(`The store has no ${title}`);
  return found;
}

const idOf = (type: string, { id }: { id: number }) => `gid://shopify/${type}/${id}`;

/** A colleague sets the variants of a product, by their option values; those with an id are known. */
async function change(
  title: string,
  optionName: string,
  variants: readonly (Partial<VariantSetInput> & { option: string })[],
): Promise<void> {
  await setProduct(storeClient(stack), {
    identifier: { id: idOf('Product', await stored(title)) },
    input: {
      productOptions: [{ name: optionName, values: variants.map(({ option }) => ({ name: option })) }],
      variants: variants.map(({ option, ...values }) => ({
        ...values,
        optionValues: [{ optionName, name: option }],
      })),
    },
  });
}

/** A colleague changes each field of the only variant of a product. */
async function changeFields(): Promise<void> {
  for (const [at, { colleague }] of fields.entries()) {
    const [variant] = (await stored(`Named ${at}`)).variants;
    if (!variant) throw new Error('The product has no variant');
    const id = idOf('ProductVariant', variant);
    await change(`Named ${at}`, 'Title', [{ id, option: 'Default Title', ...colleague }]);
  }
}

type Difference = { part: string; name: string; store: string | null; push: string | null };
/** The differences that a new plan shows, for each product. */
async function planned(id: string): Promise<Difference[][]> {
  const { lines } = await plan(id);
  const replies = lines.map(({ product }) =>
    stack.api.call('GET', `/api/queue/${id}/plan/products/${product}`),
  );
  return (await Promise.all(replies)).map(({ body }) => (body as { differences: Difference[] }).differences);
}

const keptOf = (lines: readonly UndoLineRecord[]) =>
  new Map(lines.map(({ title, facts }) => [title, facts.kept ?? null]));

it('plan, push and undo name the same fields of a variant', async () => {
  const { id } = await importOf(csvOf([header, ...fields.map((_, at) => cells(at))]), '71'.repeat(32));
  for (const [at, differences] of (await planned(id)).entries()) {
    const { name, shown } = fields[at] as Field;
    expect(differences).toContainEqual({ part: 'variants', name, store: null, push: shown[0] });
  }
  await push(id);
  await reach(id, 'completed');
  for (const [at, field] of fields.entries()) await edit(id, at + 1, field.edit);
  // The UPC has a metafield, too.
  const ofVariants = (await planned(id)).map((all) => all.filter(({ part }) => part !== 'metafields'));
  expect(ofVariants).toEqual(
    fields.map(({ name, shown: [store, push] }) => [{ part: 'variants', name, store, push }]),
  );
  await push(id);
  await reach(id, 'completed');
  const written = (await states(id)).filter(({ run }) => run === 2);
  expect(written).toHaveLength(fields.length);
  for (const { before, after } of written as { before: unknown; after: unknown }[]) {
    const [was, is] = [before as LiveProduct, after as LiveProduct];
    const { key } = fields[Number(is.title.split(' ')[1])] as Field;
    const [variant] = was.variants;
    expect(is.variants).not.toEqual(was.variants);
    expect(is.variants).toEqual([{ ...variant, [key]: is.variants[0]?.[key] }]);
  }

  await changeFields();
  const kept = keptOf(await undo(id));
  for (const [at, { name, shown }] of fields.entries()) {
    const [before, ours, now] = shown;
    const stays = { part: 'variants', name, before, ours, now, reason: 'changed' };
    expect([name, kept.get(`Named ${at}`)]).toEqual([name, now === ours ? null : [stays]]);
  }

  // The push before it created the products: an undo of that one names what differs since.
  await changeFields();
  const keptOfFirst = keptOf(await undo(id));
  for (const [at, { name, shown }] of fields.entries()) {
    const stays = { part: 'variants', name, before: null, ours: shown[0], now: shown[2], reason: 'changed' };
    expect([name, keptOfFirst.get(`Named ${at}`)]).toEqual([name, [stays]]);
  }
});

const sizes = ['S', 'M', 'L'];
const sized = ['Title', 'Price', 'SKU', 'Quantity', 'Option1 Name', 'Option1 Value', 'Handle'];
const sizesOf = (title: string) =>
  sizes.map((size) => [title, '8', `V-${title}-${size}`, '5', 'Size', size, title]);

it('an undo gives renamed options their names again, with ids and stock, and names those that stay', async () => {
  const titles = ['Renamed one', 'Renamed two', 'Renamed three'];
  const { id } = await importOf(csvOf([sized, ...titles.flatMap(sizesOf)]), '73'.repeat(32));
  await push(id);
  await reach(id, 'completed');
  await stack.store.edit((await stored('Renamed one')).id, { quantity: 2 });
  const before = new Map(await Promise.all(titles.map(async (one) => [one, await stored(one)] as const)));
  for (const row of [1, 4, 7]) await edit(id, row, { option1Value: 'Small' });
  await edit(id, 2, { option1Value: 'm' });
  for (const row of [1, 2, 3]) await edit(id, row, { option1Name: 'Width' });
  const options = (name: string, store: string, push: string) => ({
    ...{ part: 'variants', name: `${name} · options` },
    ...{ store: `Size: ${store}`, push },
  });
  const small = [options('S', 'S', 'Size: Small')];
  expect(await planned(id)).toEqual([
    [options('S', 'S', 'Width: Small'), options('M', 'M', 'Width: m'), options('L', 'L', 'Width: L')],
    small,
    small,
  ]);
  await push(id);
  await reach(id, 'completed');
  const names = (await stored('Renamed one')).variants.map(({ optionValues }) => optionValues);
  expect(names).toEqual(['Small', 'm', 'L'].map((value) => [{ name: 'Width', value }]));

  const kept = (title: string, changed: readonly string[]) =>
    before.get(title)?.variants.map((one, at) => ({
      ...{ id: idOf('ProductVariant', one), option: changed[at] ?? '' },
    })) ?? [];
  await change('Renamed two', 'Size', kept('Renamed two', ['Tiny', 'M', 'L']));
  // The earlier name is that of another variant now.
  await change('Renamed three', 'Size', [
    ...kept('Renamed three', ['Small', 'M', 'L']),
    { option: 'S', price: '9' },
  ]);
  const touched = await stored('Renamed three');
  const lines = keptOf(await undo(id));
  const [one, two, three] = titles.map((title) => lines.get(title));
  expect(one).toBeNull();
  expect((await stored('Renamed one')).variants).toEqual(before.get('Renamed one')?.variants);
  const [tiny, ...others] = (await stored('Renamed two')).variants;
  expect([tiny?.optionValues, others]).toEqual([
    [{ name: 'Size', value: 'Tiny' }],
    before.get('Renamed two')?.variants.slice(1),
  ]);
  expect(two).toEqual([
    {
      ...{ part: 'variants', name: 'Tiny · options' },
      ...{ before: 'Size: S', ours: 'Size: Small', now: 'Size: Tiny', reason: 'changed' },
    },
  ]);
  expect((await stored('Renamed three')).variants).toEqual(touched.variants);
  expect(three).toEqual([
    {
      ...{ part: 'options', name: '', before: 'Size: S, M, L', ours: 'Size: Small, M, L' },
      ...{ now: 'Size: Small, M, L, S', reason: 'changed' },
    },
  ]);
});
