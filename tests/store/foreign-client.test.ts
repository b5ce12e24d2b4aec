import { type AdminApiClient, createAdminApiClient } from '@shopify/admin-api-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accessToken, apiVersion, startStore, type TestStore } from './start-store.ts';

// Tests the simulator with Shopify's own client, so that it does not only fit our client. The shapes were recorded from
// real stores.

let store: TestStore;
let client: AdminApiClient;

beforeEach(async () => {
  store = await startStore();
  client = foreignClient(store, accessToken);
});
afterEach(() => store.stop());

/** It requires https, so its requests are redirected to the simulator's http. */
function foreignClient(of: TestStore, token: string): AdminApiClient {
  return createAdminApiClient({
    storeDomain: of.url,
    apiVersion,
    accessToken: token,
    customFetchApi: (url, init) => fetch(String(url).replace(/^https:/, 'http:'), init),
  });
}

type RawBody = {
  errors: { message: string; extensions: Record<string, unknown> }[];
  extensions: {
    cost: {
      requestedQueryCost: number;
      actualQueryCost: number | null;
      throttleStatus: { currentlyAvailable: number };
    };
  };
};

/** The raw body, which the client returns only in parts. */
async function raw(query: string, variables: object = {}) {
  const response = await client.fetch(query, { variables: variables as Record<string, unknown> });
  return { status: response.status, body: JSON.parse(await response.text()) as RawBody };
}

const setMutation = `mutation push($identifier: ProductSetIdentifiers, $input: ProductSetInput!) {
  productSet(identifier: $identifier, input: $input) {
    product { id handle title tags status vendor variants(first: 5) { nodes { id price sku } } media(first: 5) { nodes { status } } metafields(first: 9) { nodes { key type value } } }
    userErrors { code field message }
  }
}`;
const customId = { namespace: 'scd', key: 'external_id', value: 'id-1' };
const plain = {
  productOptions: [{ name: 'Title', values: [{ name: 'Default Title' }] }],
  variants: [{ optionValues: [{ optionName: 'Title', name: 'Default Title' }], price: '24.9', sku: 'A' }],
};

async function push(input: object, identifier: object | null = { customId }) {
  const { data, errors } = await client.request(setMutation, { variables: { identifier, input } });
  if (errors) throw new Error(JSON.stringify(errors));
  return data.productSet;
}

async function define(type = 'id') {
  const mutation = `mutation define($definition: MetafieldDefinitionInput!) {
    metafieldDefinitionCreate(definition: $definition) { createdDefinition { id type { name } } userErrors { code field message } }
  }`;
  const definition = { name: 'Id', namespace: 'scd', key: 'external_id', ownerType: 'PRODUCT', type };
  const { data } = await client.request(mutation, { variables: { definition } });
  return data.metafieldDefinitionCreate;
}

describe('envelopes', () => {
  test('data has cost and bucket', async () => {
    const { data, extensions } = await client.request('{ shop { name myshopifyDomain currencyCode } }');
    expect(data.shop.myshopifyDomain).toMatch(/\.myshopify\.com$/);
    expect(extensions?.cost).toEqual({
      requestedQueryCost: 1,
      actualQueryCost: 1,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1999, restoreRate: 100 },
    });
  });

  test('a wrong token is 401 with errors as a string', async () => {
    client = foreignClient(store, 'shpat_wrong');
    expect(await raw('{ shop { name } }')).toEqual({
      status: 401,
      body: { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' },
    });
  });

  test('THROTTLED: 200, the bucket and no data; what was refused is not charged', async () => {
    const query =
      '{ products(first: 250) { nodes { id variants(first: 250) { nodes { id } } options { id } } } }';
    const dear = `query dear { ${[0, 1, 2, 3, 4].map((n) => `q${n}: ${query.slice(2, -2)}`).join(' ')} }`;
    expect((await raw(dear)).body.extensions.cost.requestedQueryCost).toBe(835);
    // The lists were empty, 2 points each; a write of ours costs 26.
    for (let n = 0; n < 50; n += 1) await push({ title: `T${n}` }, null);
    const { status, body } = await raw(dear);
    expect(status).toBe(200);
    expect(body).toEqual({
      errors: [
        {
          message: 'Throttled',
          extensions: { code: 'THROTTLED', documentation: 'https://shopify.dev/api/usage/rate-limits' },
        },
      ],
      extensions: {
        cost: {
          requestedQueryCost: 835,
          actualQueryCost: null,
          throttleStatus: {
            maximumAvailable: 2000,
            currentlyAvailable: expect.any(Number),
            restoreRate: 100,
          },
        },
      },
    });
    const { currentlyAvailable } = body.extensions.cost.throttleStatus;
    expect(currentlyAvailable).toBeLessThan(835);
    store.clock.pass(Math.ceil(((835 - currentlyAvailable) / 100) * 1000));
    expect((await raw(dear)).body.errors).toBeUndefined();
  });

  test('a query over 1,000 points never runs, and there are no extensions', async () => {
    const one = 'products(first: 250) { nodes { id variants(first: 250) { nodes { id } } options { id } } }';
    const { body } = await raw(`{ ${[0, 1, 2, 3, 4, 5].map((n) => `q${n}: ${one}`).join(' ')} }`);
    expect(body.errors[0]?.extensions).toMatchObject({
      code: 'MAX_COST_EXCEEDED',
      cost: 1002,
      maxCost: 1000,
    });
    expect(body.errors[0]?.message).toMatch(
      /^Query cost is 1002, which exceeds the single query max cost limit \(1000\)\./,
    );
    expect(body.extensions).toBeUndefined();
  });

  test('validation errors are those of graphql-ruby', async () => {
    const { body } = await raw('query page { shop { name nope } }');
    expect(body).toEqual({
      errors: [
        {
          message: "Field 'nope' doesn't exist on type 'Shop'",
          locations: [{ line: 1, column: 26 }],
          path: ['query page', 'shop', 'nope'],
          extensions: { code: 'undefinedField', typeName: 'Shop', fieldName: 'nope' },
        },
      ],
    });
    const code = async (query: string) => (await raw(query)).body.errors[0]?.extensions.code;
    expect(await code('{ shop(id: 1) { name } }')).toBe('argumentNotAccepted');
    expect(await code('{ product { id } }')).toBe('missingRequiredArguments');
    expect(await code('query q($a: Int) { shop { name } }')).toBe('variableNotUsed');
    expect(await code('{ shop { name @nope } }')).toBe('undefinedDirective');
    expect(await code('{ shop }')).toBe('selectionMismatch');
    expect(await code('mutation { productSet(input: {metafields: [{nope: 1}]}) { product { id } } }')).toBe(
      'argumentNotAccepted',
    );
  });

  test('an invalid variable has its path', async () => {
    const { body } = await raw(setMutation, { input: { title: 'A', nope: 1 } });
    expect(body.errors[0]).toMatchObject({
      message:
        'Variable $input of type ProductSetInput! was provided invalid value for nope (Field is not defined on ProductSetInput)',
      extensions: {
        code: 'INVALID_VARIABLE',
        problems: [{ path: ['nope'], explanation: 'Field is not defined on ProductSetInput' }],
      },
    });
  });

  test('lists may have 250 entries', async () => {
    const { body } = await raw(setMutation, {
      input: { title: 'A', tags: Array.from({ length: 251 }, (_, n) => `t${n}`) },
    });
    expect(body.errors[0]).toMatchObject({
      message: 'The input array size of 251 is greater than the maximum allowed of 250.',
      extensions: { code: 'MAX_INPUT_SIZE_EXCEEDED' },
    });
    expect(body.extensions.cost.actualQueryCost).toBeNull();
  });
});

describe('productSet by custom id', () => {
  test('needs a definition of type id', async () => {
    const { body } = await raw(setMutation, { identifier: { customId }, input: { title: 'A' } });
    expect(body.errors[0]).toMatchObject({
      message: "Metafield definition of type 'id' is required when using custom ids.",
      extensions: { code: 'NOT_FOUND' },
    });
    await define('single_line_text_field');
    const again = await raw(setMutation, { identifier: { customId }, input: { title: 'A' } });
    expect(again.body.errors[0]?.extensions.code).toBe('NOT_FOUND');
  });

  test('a taken definition is TAKEN', async () => {
    expect((await define()).createdDefinition.type.name).toBe('id');
    expect((await define()).userErrors).toEqual([
      {
        code: 'TAKEN',
        field: ['definition', 'key'],
        message: "Key is in use for Product metafields on the 'scd' namespace.",
      },
    ]);
  });

  test('the identifying metafield is required, without its type', async () => {
    await define();
    const mismatch = { code: 'METAFIELD_MISMATCH', field: ['input'] };
    const upc = { namespace: 'scd', key: 'upc', value: '1', type: 'single_line_text_field' };
    expect((await push({ title: 'A', metafields: [upc] })).userErrors).toMatchObject([mismatch]);
    const typed = { ...customId, type: 'id' };
    expect((await push({ title: 'A', metafields: [typed] })).userErrors).toMatchObject([mismatch]);
    const { product } = await push({ title: 'A', metafields: [customId, upc] });
    expect(product.metafields.nodes).toEqual([
      { key: 'external_id', type: 'id', value: 'id-1' },
      { key: 'upc', type: 'single_line_text_field', value: '1' },
    ]);
  });

  test('the second call is an update; lists are replaced, absent fields stay', async () => {
    await define();
    const first = await push({
      title: 'A',
      tags: ['b', 'a'],
      vendor: 'V',
      status: 'DRAFT',
      metafields: [customId],
      ...plain,
    });
    expect(first.product).toMatchObject({ handle: 'a', tags: ['a', 'b'], status: 'DRAFT' });
    expect(first.product.variants.nodes).toMatchObject([{ price: '24.90', sku: 'A' }]);
    const second = await push({ title: 'B', tags: ['c'] });
    expect(second.product).toMatchObject({
      id: first.product.id,
      handle: 'a',
      title: 'B',
      tags: ['c'],
      vendor: 'V',
    });
    expect(second.product.variants).toEqual(first.product.variants);
    expect(second.product.metafields).toEqual(first.product.metafields);
    expect(await store.products()).toHaveLength(1);
  });

  test('id and identifier together are refused', async () => {
    await define();
    expect((await push({ id: 'gid://shopify/Product/1', title: 'A' })).userErrors).toEqual([
      {
        code: 'ID_NOT_ALLOWED',
        field: ['input'],
        message: 'The id field is not allowed if identifier is provided.',
      },
    ]);
  });

  test('an unknown id is refused', async () => {
    expect((await push({ title: 'A' }, { id: 'gid://shopify/Product/1' })).userErrors).toEqual([
      { code: 'PRODUCT_DOES_NOT_EXIST', field: ['input', 'id'], message: 'Product does not exist' },
    ]);
  });
});

describe('what productSet refuses', () => {
  const { variants, productOptions } = plain;
  const sizes = [{ name: 'Size', values: [{ name: 'S' }] }];
  const small = { optionValues: [{ optionName: 'Size', name: 'S' }] };

  test.each([
    [{ title: 'x'.repeat(256) }, ['input', 'title'], 'is too long (maximum is 255 characters)'],
    [{ title: 'A', vendor: 'x'.repeat(256) }, ['input'], 'Vendor is too long (maximum is 255 characters)'],
    [
      { title: 'A', productType: 'x'.repeat(256) },
      ['input'],
      'Product type is too long (maximum is 255 characters)',
    ],
    [{ title: '' }, ['input', 'title'], "Title can't be blank"],
    [
      { title: 'A', productOptions },
      ['input', 'variants'],
      'Variants input is required when updating product options',
    ],
    [
      { title: 'A', productOptions: [{ name: 'A / B', values: [{ name: 'S' }] }], variants },
      ['input', 'productOptions', '0', 'name'],
      "The name contains unsupported sequence ' / '",
    ],
    [
      { title: 'A', productOptions, variants: [{ ...variants[0], inventoryItem: { cost: '-1' } }] },
      ['input', 'variants', '0', 'inventoryItem', 'cost'],
      'Cost per item must be greater than or equal to 0',
    ],
    [
      { title: 'A', productOptions: sizes, variants: [small, small] },
      ['input', 'variants', '1'],
      "The variant 'S' already exists. Please change at least one option value.",
    ],
    [
      { title: 'A', files: [{ originalSource: 'not an address' }] },
      ['input', 'files', '0', 'originalSource'],
      'Image URL is invalid',
    ],
    [
      { title: 'A', collections: ['gid://shopify/Collection/73000000001'] },
      ['input', 'collections', '0'],
      "Can't manually add products to a smart collection",
    ],
  ])('%j', async (input, field, message) => {
    const { product, userErrors } = await push(input, null);
    expect(product).toBeNull();
    expect(userErrors).toMatchObject([{ field, message }]);
    expect(await store.products()).toHaveLength(0);
  });

  test.each([
    [{ title: 'A', variants }, 'PRODUCT_OPTIONS_INPUT_MISSING'],
    [{ title: 'A', productOptions: sizes, variants }, 'OPTION_DOES_NOT_EXIST'],
    [{ title: 'A', productOptions: [{ name: 'Title', values: [] }], variants }, 'OPTION_VALUES_MISSING'],
    [
      {
        title: 'A',
        productOptions: ['1', '2', '3', '4'].map((name) => ({ name, values: [{ name: 'S' }] })),
        variants,
      },
      'OPTIONS_OVER_LIMIT',
    ],
    [
      { title: 'A', productOptions, variants: Array.from({ length: 2049 }, () => variants[0]) },
      'VARIANTS_OVER_LIMIT',
    ],
    [{ title: 'A', metafields: [{ namespace: 'scd', key: 'upc', value: '1' }] }, 'INVALID_METAFIELD'],
  ])('%# is %s', async (input, code) => {
    expect((await push(input, null)).userErrors[0].code).toBe(code);
  });

  test('a given handle that is taken; a title’s handle gets a number instead', async () => {
    expect((await push({ title: 'Lamp 534' }, null)).product.handle).toBe('lamp-534');
    expect((await push({ title: 'Lamp 534' }, null)).product.handle).toBe('lamp-535');
    expect((await push({ title: '%%%' }, null)).product.handle).toBe('product');
    expect((await push({ title: '%%%' }, null)).product.handle).toBe('product-1');
    expect((await push({ title: 'B', handle: 'lamp-534' }, null)).userErrors).toEqual([
      {
        code: 'HANDLE_NOT_UNIQUE',
        field: ['input', 'handle'],
        message: "Handle 'lamp-534' already in use. Please provide a new handle.",
      },
    ]);
  });
});

describe('reading', () => {
  test('images are fetched after the answer; a broken one fails and the product stays', async () => {
    const files = ['https://images.example/a.jpg', 'https://images.example/broken.jpg'];
    const { product } = await push(
      { title: 'A', files: files.map((originalSource) => ({ originalSource })) },
      null,
    );
    expect(product.media.nodes).toEqual([{ status: 'UPLOADED' }, { status: 'UPLOADED' }]);
    store.clock.pass(10_000);
    const query = `query media($id: ID!) { product(id: $id) { media(first: 5) { nodes { status preview { image { url } } mediaErrors { code } } } } }`;
    const { data } = await client.request(query, { variables: { id: product.id } });
    expect(data.product.media.nodes).toEqual([
      { status: 'READY', preview: { image: { url: files[0] } }, mediaErrors: [] },
      { status: 'FAILED', preview: { image: null }, mediaErrors: [{ code: 'IMAGE_DOWNLOAD_FAILURE' }] },
    ]);
  });

  test('products are paged by cursor and searched by word', async () => {
    for (const title of ['Lamp', 'Chair', 'Floor lamp']) await push({ title, status: 'DRAFT' }, null);
    const query = `query page($after: String, $query: String) {
      products(first: 2, after: $after, query: $query, sortKey: TITLE) { nodes { title } pageInfo { hasNextPage endCursor } }
    }`;
    const page = async (variables: object) =>
      (await client.request(query, { variables: variables as Record<string, unknown> })).data.products;
    const first = await page({});
    expect(first.nodes).toEqual([{ title: 'Chair' }, { title: 'Floor lamp' }]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const second = await page({ after: first.pageInfo.endCursor });
    expect(second.nodes).toEqual([{ title: 'Lamp' }]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect((await page({ query: 'status:draft lamp' })).nodes).toHaveLength(2);
    const now = new Date(store.clock.now()).toISOString();
    expect((await page({ query: `created_at:<='${now}' lamp` })).nodes).toHaveLength(2);
    expect((await page({ query: `created_at:>='2099-01-01T00:00:00Z'` })).nodes).toEqual([]);
    const { data } = await client.request('{ productsCount(query: "status:active") { count precision } }');
    expect(data.productsCount).toEqual({ count: 0, precision: 'EXACT' });
  });

  test('nodes keep their positions, with null for deleted ones', async () => {
    const { product } = await push({ title: 'A' }, null);
    const query = 'query read($ids: [ID!]!) { nodes(ids: $ids) { ... on Product { id title } } }';
    const { data, extensions } = await client.request(query, {
      variables: { ids: ['gid://shopify/Product/1', product.id] },
    });
    expect(data.nodes).toEqual([null, { id: product.id, title: 'A' }]);
    expect(extensions?.cost?.requestedQueryCost).toBe(1);
  });

  test('a field that is not simulated is an error', async () => {
    const { body } = await raw('{ shop { orderNumberFormatPrefix } }');
    expect(body.errors[0]?.message).toBe('The store simulator does not know Shop.orderNumberFormatPrefix.');
  });
});
