import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { demoCollections } from '../../apps/simulators/store/src/demo-shop.ts';
import { comparableProduct } from '../store/comparable-product.ts';
import { createdProduct, type Expected, stockOf } from './story-oracle.ts';
import type { Shop } from './story-shop.ts';

/** A difference as a plan names it. */
export type Named = { part: string; name: string; store: string | null; push: string | null };

const ourNamespace = 'scd';
/** Identifies the product and the payload; no plan names them. */
const ownKeys = ['external_id', 'payload'];

const withoutOurs = (product: StoredProduct) => ({
  ...product,
  metafields: product.metafields.filter(({ namespace }) => namespace !== ourNamespace),
});

/** A product without our own metafields, and without ids that only the store's answers have. */
const comparable = (product: StoredProduct, isNew = false): object => {
  const {
    handle: _,
    createdAtMs: _at,
    id: _id,
    metafields,
    ...rest
  } = comparableProduct(isNew ? product : withoutOurs(product), isNew) as StoredProduct;
  return isNew
    ? withoutIds(rest)
    : { ...rest, metafields, handle: product.handle, createdAtMs: product.createdAtMs };
};

const withoutIds = (product: object & { variants?: object[] }) => ({
  ...product,
  variants: product.variants?.map((variant) => {
    const { id: _, ...values } = variant as { id: unknown };
    return values;
  }),
});

/** Where two values differ, as `path: is … should be …`. */
export function differingPaths(is: unknown, should: unknown, path = ''): string[] {
  if (JSON.stringify(is) === JSON.stringify(should)) return [];
  const isObject = (one: unknown): one is Record<string, unknown> => typeof one === 'object' && one !== null;
  if (!isObject(is) || !isObject(should)) {
    return [`${path}: ${JSON.stringify(is)}, should be ${JSON.stringify(should)}`];
  }
  return [...new Set([...Object.keys(is), ...Object.keys(should)])].flatMap((key) =>
    differingPaths(is[key], should[key], path ? `${path}.${key}` : key),
  );
}

/** All differences of the store from the one that is expected after a push. */
export function shopDifferences(before: Shop, now: Shop, { changed, created }: Expected): string[] {
  const existing = [...before].flatMap(([id, product]) => {
    const is = now.get(id);
    const should = changed.get(id);
    if (!is) return [`${nameOf(product)} is gone`];
    if (!should) return differingPaths(is, product, `${nameOf(product)} (not in the push)`);
    return differingPaths(comparable(is), comparable(should), nameOf(product));
  });
  const added = [...now.values()].filter(({ id }) => !before.has(id));
  const news = created.flatMap((listed) => {
    const [sku] = listed.variants.map((one) => one.sku);
    const [is, ...copies] = added.filter(({ variants }) => variants[0]?.sku === sku);
    if (!is) return [`${sku} was not created`];
    if (copies.length > 0) return [`${sku} was created ${copies.length + 1} times`];
    return differingPaths(comparable(is, true), createdProduct(listed), `${sku} (new)`);
  });
  const skus = new Set(created.map(({ variants }) => variants[0]?.sku));
  const others = added.filter(({ variants }) => !skus.has(variants[0]?.sku ?? ''));
  return [...existing, ...news, ...others.map((one) => `${nameOf(one)} was created, and should not`)];
}

/** All differences of the store from the one before the push, in which the merchant has worked since. */
export function undoneDifferences(expected: Shop, now: Shop, ours: ReadonlySet<number>): string[] {
  return [...new Set([...expected.keys(), ...now.keys()])].flatMap((id) => {
    const [is, should] = [now.get(id), expected.get(id)];
    if (!is) return [`${should && nameOf(should)} is gone`];
    if (!should) return [`${nameOf(is)} is still there`];
    const isOurs = ours.has(id);
    const [a, b] = [is, should].map((one) => comparableProduct(isOurs ? withoutOurs(one) : one, false));
    // Products of an earlier story have ours.
    const had = new Set(should.metafields.map(({ namespace, key }) => `${namespace} ${key}`));
    const left = isOurs
      ? []
      : is.metafields.filter(
          ({ namespace, key }) => namespace === ourNamespace && !had.has(`${namespace} ${key}`),
        );
    return [
      ...differingPaths(a, b, nameOf(should)),
      ...left.map(({ key }) => `${nameOf(should)} still has ${key}`),
    ];
  });
}

export const nameOf = ({ variants, id }: StoredProduct): string => variants[0]?.sku ?? String(id);

const titles = new Map(demoCollections.map(({ id, title }) => [id, title]));

const optionsOf = ({ optionValues }: StoredProduct['variants'][number]) =>
  optionValues.filter(({ value }) => value !== 'Default Title');

/** The values of a product by the names that a plan has for them: variants by those that they had `before`. */
function namedValues(product: StoredProduct, before: StoredProduct = product): Map<string, string> {
  const values = new Map<string, string>();
  const set = (part: string, name: string, value: string | number | null | undefined) => {
    if (value !== null && value !== undefined && value !== '')
      values.set(JSON.stringify([part, name]), String(value));
  };
  set('title', '', product.title);
  set('description', '', product.descriptionHtml);
  set('vendor', '', product.vendor);
  set('type', '', product.productType);
  set('status', '', product.status);
  set('tags', '', [...product.tags].sort().join(', '));
  set(
    'collections',
    '',
    product.collectionIds
      .map((id) => titles.get(id) ?? id)
      .sort()
      .join(', '),
  );
  for (const { namespace, key, value } of product.metafields) {
    if (namespace !== ourNamespace || !ownKeys.includes(key)) set('metafields', `${namespace}.${key}`, value);
  }
  const names = new Map([...product.variants, ...before.variants].map((one) => [one.id, optionsOf(one)]));
  for (const variant of product.variants) {
    const was = names.get(variant.id)?.map(({ value }) => value) ?? [];
    const name = was.length > 0 ? `${was.join(' / ')} · ` : '';
    const options = optionsOf(variant).map((one) => `${one.name}: ${one.value}`);
    set('variants', `${name}options`, options.join(', '));
    set('variants', `${name}tracked`, variant.tracked ? 'yes' : 'no');
    set('variants', `${name}sell when out of stock`, variant.inventoryPolicy === 'CONTINUE' ? 'yes' : 'no');
    set(
      'variants',
      `${name}weight`,
      variant.weight?.value && `${variant.weight.value} ${variant.weight.unit.toLowerCase()}`,
    );
    set('variants', `${name}price`, variant.price);
    set('variants', `${name}compare-at price`, variant.compareAtPrice);
    set('variants', `${name}SKU`, variant.sku);
    set('variants', `${name}UPC`, variant.barcode);
    set('variants', `${name}cost`, variant.cost);
    set('variants', `${name}quantity`, stockOf(variant));
  }
  return values;
}

/** What has changed in the store, as a plan must have named it. */
export function happened(before: StoredProduct | undefined, after: StoredProduct): Named[] {
  const [a, b] = [before ? namedValues(before) : new Map<string, string>(), namedValues(after, before)];
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((key) => {
    const [part, name] = JSON.parse(key) as [string, string];
    const [store, push] = [a.get(key) ?? null, b.get(key) ?? null];
    return store === push ? [] : [{ part, name, store, push }];
  });
}

const textOf = ({ part, name, store, push }: Named) =>
  `${[part, name].filter(Boolean).join(' ')}: ${store} → ${push}`;

/**
 * What a plan names and did not happen, and the reverse. Of a new product, the store fills in the brand, and the plan
 * may name more of our defaults than those above.
 */
export function unplanned(planned: readonly Named[], done: readonly Named[], isNew: boolean): string[] {
  const names = new Set(done.map(textOf));
  const plans = new Set(planned.map(textOf));
  const missing = done.filter((one) => !plans.has(textOf(one)) && !(isNew && one.part === 'vendor'));
  const others = planned.filter((one) => !names.has(textOf(one)) && !isNew);
  return [
    ...missing.map((one) => `happened, but was not planned: ${textOf(one)}`),
    ...others.map((one) => `planned, but did not happen: ${textOf(one)}`),
  ];
}
