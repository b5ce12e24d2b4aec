import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { findOurProduct, setProduct } from '@draftshelf/shopify/products';
import { testDraft } from '@draftshelf/shopify/testing/drafts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accessToken, apiVersion, startStore, type TestStore, testClient } from './start-store.ts';

let store: TestStore;
beforeEach(async () => {
  store = await startStore();
});
afterEach(() => store.stop());

async function ask(query: string, variables: object) {
  const response = await fetch(`${store.url}/admin/api/${apiVersion}/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': accessToken },
    body: JSON.stringify({ query, variables }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: replies of two documents
  return (await response.json()) as { data: any; errors?: any; extensions: any };
}

async function createProduct(): Promise<string> {
  const client = testClient(store);
  await ensureIdDefinition(client);
  const input = toCreateInput(testDraft(), { externalId: 'id-1', locationId: null, collectionIds: [] });
  return (await setProduct(client, input)).id;
}

const deleteProduct = `mutation remove($id: ID!, $synchronous: Boolean!) {
  productDelete(input: { id: $id }, synchronous: $synchronous) {
    deletedProductId productDeleteOperation { id } shop { name } userErrors { field message }
  }
}`;
const deleteMetafields = `mutation remove($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) {
    deletedMetafields { ownerId namespace key } userErrors { field message }
  }
}`;

test('a deleted product is gone under its id and ours, and cannot be deleted again', async () => {
  const id = await createProduct();
  const deleted = await ask(deleteProduct, { id, synchronous: true });
  expect(deleted.data.productDelete).toEqual({
    deletedProductId: id,
    productDeleteOperation: null,
    shop: { name: expect.any(String) },
    userErrors: [],
  });
  expect(deleted.extensions.cost.actualQueryCost).toBe(10);
  expect(await findOurProduct(testClient(store), 'id-1')).toBeNull();
  expect((await ask(deleteProduct, { id, synchronous: true })).data.productDelete).toMatchObject({
    deletedProductId: null,
    userErrors: [{ field: ['id'], message: 'Product does not exist' }],
  });
  const later = await ask(deleteProduct, { id, synchronous: false });
  expect(later.errors[0].extensions.code).toBe('NOT_SIMULATED');
});

test('deleted metafields are named, and null stands for those that do not exist', async () => {
  const id = await createProduct();
  const [before] = await store.products();
  const [ours, other] = before?.metafields.filter((one) => one.type !== 'id') ?? [];
  if (!ours || !other) throw new Error('The product lacks metafields');
  store.clock.pass(1_000);
  const named = { ownerId: id, namespace: ours.namespace, key: ours.key };
  const metafields = [named, named, { ...named, ownerId: 'gid://shopify/Product/1' }];
  const reply = await ask(deleteMetafields, { metafields });
  expect(reply.data.metafieldsDelete).toEqual({ deletedMetafields: [named, null, null], userErrors: [] });
  const [after] = await store.products();
  expect(after?.metafields).toEqual(before?.metafields.filter((one) => one.id !== ours.id));
  expect(after?.updatedAtMs).toBe((before?.updatedAtMs ?? 0) + 1_000);
});

test('a product whose id of ours is deleted is found by it no longer', async () => {
  const id = await createProduct();
  const [product] = await store.products();
  const key = product?.metafields.find((one) => one.type === 'id');
  await ask(deleteMetafields, { metafields: [{ ownerId: id, namespace: key?.namespace, key: key?.key }] });
  expect(await findOurProduct(testClient(store), 'id-1')).toBeNull();
  expect(await store.products()).toHaveLength(1);
});
