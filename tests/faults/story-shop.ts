import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { demoCollections, demoLocations } from '../../apps/simulators/store/src/demo-shop.ts';
import { copyStore } from '../support/merchant-product.ts';
import { type Stack, storeToken } from '../support/stack.ts';

/** Everything that the store has, by id. */
export type Shop = ReadonlyMap<number, StoredProduct>;

export async function readShop({ store }: Pick<Stack, 'store'>): Promise<Shop> {
  const products = (await store.products()) as unknown as StoredProduct[];
  return new Map(products.map((product) => [product.id, product]));
}

/** Products of the merchant. The supplier's list has the first ones. */
export const merchantsProducts = 300;

/** Each fifth product has sizes. */
export const sizesOf = (n: number): string[] => (n % 5 === 0 ? ['S', 'M', 'L'] : []);
export const skuOf = (label: string, n: number, size = ''): string =>
  `${label}-${String(n).padStart(3, '0')}${size && `-${size}`}`;
export const merchantsTitle = (label: string, n: number): string => `Vase ${label} no. ${n}`;

const statuses = ['ACTIVE', 'ACTIVE', 'DRAFT', 'ACTIVE', 'ACTIVE', 'ARCHIVED'];
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
const manual = demoCollections.filter(({ smart }) => !smart).map(({ id }) => id);

/** Fills the store with the work of a merchant, none of which is ours, and copies it. */
export async function openShop(stack: Pick<Stack, 'store' | 'database'>, label: string): Promise<void> {
  const numbers = Array.from({ length: merchantsProducts }, (_, n) => n);
  await inPieces(numbers, (n) => create(stack, merchantsProduct(label, n)));
  const byTitle = new Map([...(await readShop(stack)).values()].map((one) => [one.title, one.id]));
  await inPieces(numbers, async (n) => {
    const id = byTitle.get(merchantsTitle(label, n));
    if (id === undefined) throw new Error(`The store has no product ${n}`);
    if (n % 3 > 0) await stack.store.edit(id, furtherWork(n));
  });
  await copyStore(stack);
}

function merchantsProduct(label: string, n: number): object {
  const sizes = sizesOf(n);
  const optionName = sizes.length > 0 ? 'Size' : 'Title';
  const values = sizes.length > 0 ? sizes : ['Default Title'];
  return {
    title: merchantsTitle(label, n),
    descriptionHtml: `<p>Blown by hand, <em>no. ${n}</em>.</p>`,
    vendor: pick(['Vetreria Rossi', 'Glashütte', 'Kosta'], n),
    productType: pick(['Vases', 'Bowls'], n),
    status: pick(statuses, n),
    tags: ['handmade', `shelf-${n % 9}`],
    collections: n % 4 === 0 ? [pick(manual, n)] : [],
    metafields: [
      { namespace: 'custom', key: 'care', type: 'single_line_text_field', value: `By hand ${n}` },
      { namespace: 'feeds', key: 'google', type: 'single_line_text_field', value: `g-${n}` },
    ],
    files: Array.from({ length: n % 3 }, (_, at) => ({
      originalSource: `https://example.com/${label}/${n}-${at}.jpg`,
      contentType: 'IMAGE',
      alt: `Picture ${at}`,
    })),
    productOptions: [{ name: optionName, values: values.map((name) => ({ name })) }],
    variants: values.map((name, at) => merchantsVariant(optionName, name, { label, n, at })),
  };
}

function merchantsVariant(
  optionName: string,
  name: string,
  { label, n, at }: { label: string; n: number; at: number },
): object {
  return {
    optionValues: [{ optionName, name }],
    sku: skuOf(label, n, optionName === 'Size' ? name : ''),
    price: `${20 + n + at}.00`,
    compareAtPrice: n % 2 === 0 ? `${40 + n + at}.00` : null,
    barcode: n % 2 === 0 ? `40063813${String(n * 10 + at).padStart(4, '0')}` : null,
    inventoryPolicy: n % 3 === 0 ? 'CONTINUE' : 'DENY',
    taxable: n % 7 !== 0,
    inventoryItem: {
      cost: `${4 + (n % 10)}.50`,
      tracked: n % 11 !== 10,
      measurement: { weight: { value: 0.5 + at, unit: 'KILOGRAMS' } },
    },
    inventoryQuantities: demoLocations.map(({ id }, place) => ({
      locationId: id,
      name: 'available',
      quantity: 30 + (n % 20) - 10 * place,
    })),
  };
}

/** What no app sets: publishing, texts for search engines, sales. */
const furtherWork = (n: number): object => ({
  ...(n % 3 === 1 ? { published: true, seo: { title: `Vase ${n}`, description: 'From Murano' } } : {}),
  ...(n % 3 === 2 ? { quantity: 3 + (n % 5), templateSuffix: 'gift', category: 'gid://shopify/Vase' } : {}),
});

async function create({ store }: Pick<Stack, 'store'>, input: object): Promise<void> {
  const response = await fetch(`${store.url}/admin/api/2026-10/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': storeToken },
    body: JSON.stringify({
      query: `mutation make($input: ProductSetInput!) {
        productSet(input: $input, synchronous: true) { userErrors { message } }
      }`,
      variables: { input },
    }),
  });
  const text = await response.text();
  if (!text.includes('"userErrors":[]')) throw new Error(text);
}

/** Enough requests at a time for one store process. */
const pieceSize = 20;

export async function inPieces<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < list.length; from += pieceSize) {
    results.push(...(await Promise.all(list.slice(from, from + pieceSize).map(work))));
  }
  return results;
}
