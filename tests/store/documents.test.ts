import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { requestCost } from '@draftshelf/shopify/cost';
import {
  barcodesSelection,
  type DocumentName,
  type DocumentVariables,
  documents,
  idsPerLookupMax,
  maxReadSizes,
  type ProductSetVariables,
} from '@draftshelf/shopify/documents';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { planUpdate } from '@draftshelf/shopify/product/update-input';
import { testDraft, testLive, testVariant } from '@draftshelf/shopify/testing/drafts';
import {
  type GraphQLSchema,
  getVariableValues,
  Kind,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadAdminSchema } from '../../apps/simulators/store/src/schema.ts';
import { accessToken, apiVersion, startStore, type TestStore } from './start-store.ts';

test('the version in use is the one whose schema the tests check documents against', () => {
  expect(
    createEnvSchema('push-worker').shape.SHOPIFY_API_VERSION.parse(undefined),
    'Take a version of @shopify/ai-toolkit with this schema, and correct apiVersion in start-store.ts and docs/STORE.md.',
  ).toBe(apiVersion);
});

const locationId = 'gid://shopify/Location/72000000001';

const names = Object.keys(documents) as DocumentName[];

const sizes = testDraft({
  options: [{ name: 'Size', values: ['S', 'M'] }],
  variants: [
    testVariant({ option1: 'S', compare_at_price: '30', weight: 2.5, weight_unit: 'kg' }),
    testVariant({ option1: 'M', cost: null }),
  ],
});
const create = toCreateInput(sizes, {
  externalId: 'id-1',
  locationId,
  collectionIds: ['gid://shopify/Collection/73000000002'],
});
const changed = testDraft({
  ...sizes,
  title: 'Other',
  body_html: '',
  vendor: 'Other',
  product_type: 'Other',
  status: 'active',
  tags: 'one, two',
  images: [{ src: 'https://images.example/other.jpg', alt: 'Other' }, ...sizes.images],
  variants: [
    testVariant({
      option1: 'S',
      price: '1',
      cost: '2',
      sku: 'x',
      barcode: '',
      inventory_policy: 'continue',
      inventory_management: null,
      weight: 3,
      weight_unit: 'oz',
    }),
  ],
});

function updateVariables(): ProductSetVariables {
  const update = planUpdate(changed, {
    ...{ externalId: 'id-1', sent: sizes, live: testLive(sizes), seen: testLive(sizes) },
    ...{ locationId, collections: [] },
  });
  if (update.kind !== 'update') throw new Error(update.kind);
  return update.variables;
}

/** Every document with variables that our builders produce. */
const samples: { [Name in DocumentName]: DocumentVariables[Name][] } = {
  shop: [{}],
  accessScopes: [{}],
  locations: [{}],
  collections: [
    { first: 100, after: null },
    { first: 250, after: null },
  ],
  products: [
    { first: 50, after: null },
    { first: 1, after: null },
  ],
  productsCount: [{}],
  productPage: [
    { first: 250, after: null },
    { first: 1, after: null },
  ],
  productStamps: [{ ids: ['gid://shopify/Product/1'] }],
  copiedNodes: [{ ids: ['gid://shopify/Product/1', 'gid://shopify/Product/2'] }],
  productNodes: [
    { ids: ['gid://shopify/Product/1', 'gid://shopify/Product/2'], ...maxReadSizes, locationId },
    { ids: ['gid://shopify/Product/1'], variants: 2, media: 1, metafields: 9, locationId },
  ],
  variantPage: [{ id: 'gid://shopify/Product/1', first: 250, after: null, locationId }],
  imageNodes: [{ ids: ['gid://shopify/MediaImage/1'] }],
  productEvents: [{ id: 'gid://shopify/Product/1', first: 20 }],
  productByCustomId: [{ externalId: 'id-1', ...maxReadSizes, locationId }],
  productIdsByCustomId: [
    Object.fromEntries(Array.from({ length: idsPerLookupMax }, (_, i) => [`id${i}`, `id-${i}`])),
  ],
  productSet: [create, updateVariables()],
  productDelete: [{ id: 'gid://shopify/Product/1' }],
  metafieldsDelete: [
    { metafields: [{ ownerId: 'gid://shopify/Product/1', namespace: 'scd', key: 'external_id' }] },
  ],
  metafieldsSet: [
    {
      metafields: [
        {
          ownerId: 'gid://shopify/Product/1',
          namespace: 'custom',
          key: 'care',
          value: 'a',
          compareDigest: null,
        },
      ],
    },
  ],
  stagedUploadsCreate: [
    {
      input: [1, 2].map((n) => ({
        filename: `${n}.jpg`,
        mimeType: 'image/jpeg',
        resource: 'IMAGE',
        httpMethod: 'PUT',
      })),
    },
  ],
  inventorySetQuantities: [
    {
      key: 'one',
      input: {
        name: 'available',
        reason: 'correction',
        quantities: [
          {
            inventoryItemId: 'gid://shopify/InventoryItem/1',
            locationId,
            quantity: 3,
            changeFromQuantity: 2,
          },
        ],
      },
    },
  ],
  categories: [{ search: 'vase', first: 20 }],
  productDefinitions: [
    { first: 100, after: null },
    { first: 1, after: null },
  ],
  metafieldDefinitions: [{ namespace: 'scd', key: 'external_id' }],
  metafieldDefinitionCreate: [
    { definition: { name: 'Id', namespace: 'scd', key: 'external_id', ownerType: 'PRODUCT', type: 'id' } },
  ],
};

describe.each(['2026-07', '2026-10'] as const)('the Admin schema %s', (version) => {
  let schema: GraphQLSchema;
  beforeAll(() => {
    schema = loadAdminSchema(version);
  });

  test.each(names)('%s is valid and uses nothing deprecated', (name) => {
    // The client leaves out what an older version does not know.
    const text = version === '2026-10' ? documents[name] : documents[name].replaceAll(barcodesSelection, '');
    const errors = validate(schema, parse(text), [...specifiedRules, NoDeprecatedCustomRule]);
    expect(errors.map((error) => error.message)).toEqual([]);
  });

  test.each(names)('%s accepts the variables that we send', (name) => {
    const operation = parse(documents[name]).definitions.find(
      (one) => one.kind === Kind.OPERATION_DEFINITION,
    );
    for (const variables of samples[name]) {
      const { errors } = getVariableValues(schema, operation?.variableDefinitions ?? [], { ...variables });
      expect(errors?.map((error) => error.message)).toBeUndefined();
    }
  });
});

describe('the points that we reserve', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await startStore({ plan: 'enterprise' });
  });
  afterAll(() => store.stop());

  test.each(names)('%s: as many as the store requires', async (name) => {
    for (const variables of samples[name]) {
      const response = await fetch(`${store.url}/admin/api/${apiVersion}/graphql.json`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-shopify-access-token': accessToken },
        body: JSON.stringify({ query: documents[name], variables }),
      });
      const { extensions } = await response.json();
      const ours = requestCost(name, variables as never);
      expect(ours).toBe(extensions.cost.requestedQueryCost);
    }
  });
});
