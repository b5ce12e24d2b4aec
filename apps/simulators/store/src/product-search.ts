import type { StoredProduct } from './catalogue.ts';

/** Matches all words of a query: `status:draft vendor:'Acme' created_at:>='2026-11-30'`. Unknown names match all. */
export function searchProducts(
  products: Iterable<StoredProduct>,
  query: string | null | undefined,
): StoredProduct[] {
  const tests = [...(query ?? '').matchAll(/(?:([\w.]+):)?(?:"([^"]*)"|'([^']*)'|(\S+))/g)].map(
    ([, name, double, single, bare]) => wordTest(name, (double ?? single ?? bare ?? '').toLowerCase()),
  );
  return [...products].filter((product) => tests.every((test) => test(product)));
}

function wordTest(name: string | undefined, text: string): (product: StoredProduct) => boolean {
  const fits = (value: string | null) => {
    const folded = (value ?? '').toLowerCase();
    return text.endsWith('*') ? folded.startsWith(text.slice(0, -1)) : folded === text;
  };
  if (name === undefined || text === 'and')
    return (product) => text === 'and' || product.title.toLowerCase().includes(text);
  if (name.startsWith('metafields.')) {
    const [, namespace, key] = name.split('.');
    return (product) =>
      product.metafields.some((one) => one.namespace === namespace && one.key === key && fits(one.value));
  }
  const tests: Record<string, (product: StoredProduct) => boolean> = {
    id: (product) => fits(String(product.id)),
    title: (product) => product.title.toLowerCase().includes(text.replace(/\*$/, '')),
    handle: (product) => fits(product.handle),
    status: (product) => fits(product.status),
    created_at: ({ createdAtMs }) => isWithin(createdAtMs, text),
    vendor: (product) => fits(product.vendor),
    product_type: (product) => fits(product.productType),
    tag: (product) => product.tags.some(fits),
    sku: (product) => product.variants.some((variant) => fits(variant.sku)),
    barcode: (product) => product.variants.some((variant) => fits(variant.barcode)),
  };
  return tests[name] ?? (() => true);
}

/** `limit`: '>=' or '<=' and a time in quotes. */
function isWithin(ms: number, limit: string): boolean {
  const [, sign, time = ''] = /^([<>]=)'(.*)'$/.exec(limit) ?? [];
  const limitMs = Date.parse(time.toUpperCase());
  return sign === '<=' ? ms <= limitMs : ms >= limitMs;
}

const sortKeys: Record<string, (product: StoredProduct) => number | string> = {
  CREATED_AT: (product) => product.createdAtMs,
  UPDATED_AT: (product) => product.updatedAtMs,
  TITLE: (product) => product.title.toLowerCase(),
  VENDOR: (product) => product.vendor.toLowerCase(),
  PRODUCT_TYPE: (product) => product.productType.toLowerCase(),
};

/** Sorts by a ProductSortKeys value, then by id. */
export function sortProducts(products: readonly StoredProduct[], sortKey: string): StoredProduct[] {
  const key = sortKeys[sortKey] ?? ((product: StoredProduct) => product.id);
  return products
    .map((product) => ({ product, value: key(product) }))
    .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : a.product.id - b.product.id))
    .map(({ product }) => product);
}
