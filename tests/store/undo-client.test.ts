import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { deleteMetafields, deleteProduct, setProduct } from '@draftshelf/shopify/products';
import { testDraft, testVariant } from '@draftshelf/shopify/testing/drafts';
import { findImageFiles, readProductChanges, readUndoProducts } from '@draftshelf/shopify/undo/undo-live';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startStore, type TestStore, testClient } from './start-store.ts';

const locationId = 'gid://shopify/Location/72000000001';

let store: TestStore;
beforeEach(async () => {
  store = await startStore();
});
afterEach(() => store.stop());

async function create(externalId: string, changes: Parameters<typeof testDraft>[0] = {}): Promise<string> {
  const client = testClient(store);
  await ensureIdDefinition(client);
  const draft = testDraft(changes);
  return (await setProduct(client, toCreateInput(draft, { externalId, locationId, collectionIds: [] }))).id;
}

test('an undo reads a hundred products with what people set, in one request', async () => {
  const variants = [testVariant({ weight: 2.5, weight_unit: 'kg' })];
  const ids = [];
  for (let i = 0; i < 100; i += 1) ids.push(await create(`id-${i}`, { title: `Lamp ${i}`, variants }));
  const [first = '', second = ''] = ids;
  await store.edit(second, {
    published: true,
    seo: { title: 'Lamp' },
    category: 'gid://shopify/TaxonomyCategory/hg-3-66',
    templateSuffix: 'lamp',
  });
  const read = await readUndoProducts(testClient(store), ids, { locationId });
  const { requests, points } = await store.stats();
  expect(requests.nodes).toBe(1);
  expect(points.nodes).toBe(26);
  expect(read.size).toBe(100);
  expect(read.get(first)).toMatchObject({
    externalId: 'id-0',
    createdAt: '2026-11-20T10:00:00Z',
    publishedAt: null,
    seoTitle: null,
    seoDescription: null,
    category: null,
    templateSuffix: null,
    variants: [{ quantity: 7, weight: { value: 2.5, unit: 'KILOGRAMS' } }],
  });
  expect(read.get(second)).toMatchObject({
    publishedAt: expect.any(String),
    seoTitle: 'Lamp',
    category: { fullName: 'Home & Garden > Decor > Vases' },
    templateSuffix: 'lamp',
  });
});

test('a product is deleted once, and a repeated deletion finds it gone', async () => {
  const id = await create('id-1');
  expect(await deleteProduct(testClient(store), id)).toBe('deleted');
  expect(await deleteProduct(testClient(store), id)).toBe('gone');
  expect(await store.products()).toEqual([]);
});

test('our metafields are deleted, and missing ones are no error', async () => {
  const id = await create('id-1');
  const ours = [
    { namespace: 'scd', key: 'external_id' },
    { namespace: 'scd', key: 'payload' },
    { namespace: 'scd', key: 'nothing' },
  ];
  for (let i = 0; i < 2; i += 1) await deleteMetafields(testClient(store), id, ours);
  const [product] = await store.products();
  expect(product?.metafields.map(({ key }) => key)).toEqual(['import_source']);
});

test.each([true, false])(
  'an image that a product lost is a file if the store keeps it (%s)',
  async (keeps) => {
    await store.changeShop({ keepsFiles: keeps });
    const id = await create('id-1');
    const client = testClient(store);
    const image = (await readUndoProducts(client, [id])).get(id)?.media[0]?.id ?? '';
    expect([...(await findImageFiles(client, [image])).keys()]).toEqual([image]);
    await setProduct(client, { identifier: { id }, input: { files: [] } });
    expect([...(await findImageFiles(client, [image])).keys()]).toEqual(keeps ? [image] : []);
    const back = setProduct(client, { identifier: { id }, input: { files: [{ id: image }] } });
    if (!keeps) return await expect(back).rejects.toThrow('File id does not exist');
    await back;
    expect((await store.products())[0]?.media.map((one) => `gid://shopify/MediaImage/${one.id}`)).toEqual([
      image,
    ]);
  },
);

test('a product tells who changed it, the latest first', async () => {
  const id = await create('id-1');
  store.clock.pass(60_000);
  await store.edit(id, { title: 'Other', author: 'Kim Lee' });
  expect(await readProductChanges(testClient(store), id)).toEqual([
    { at: '2026-11-20T10:01:00Z', author: 'Kim Lee', app: null, message: 'Kim Lee changed this product.' },
    expect.objectContaining({ author: 'Draftshelf', app: 'Draftshelf' }),
  ]);
  expect(await readProductChanges(testClient(store), 'gid://shopify/Product/1')).toEqual([]);
});
