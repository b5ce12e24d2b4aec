import type { StoredProduct, StoredVariant } from '../../apps/simulators/store/src/catalogue.ts';
import { mainLocationId } from '../../apps/simulators/store/src/demo-shop.ts';
import { quantitiesOf, withQuantities } from '../../apps/simulators/store/src/inventory.ts';
import type { Listed, ListedVariant, SupplierFile } from './story-files.ts';
import type { Shop } from './story-shop.ts';

/** What the push must record about a product. `says`: what its message names. */
export type Foreseen = { outcome: string; code: string | null; says?: string };

/** A product that the store has from us: what the supplier said of it last, and the store's product after that. */
type Known = { id: number; said: Listed; seen: StoredProduct };

/**
 * What the store must have after each file, by the law of fields and not by the product's code: an update sends what
 * the file says otherwise than before, if the store still has what our last write left. `deleted`: products that the
 * merchant deleted after we made or updated them.
 */
export type Oracle = { known: Map<number, Known>; deleted: Set<number> };

export const emptyOracle = (): Oracle => ({ known: new Map(), deleted: new Set() });

export type Expected = {
  /** What each product of the file becomes; the others stay. */
  changed: Map<number, StoredProduct>;
  created: Listed[];
  outcomes: Map<number, Foreseen>;
};

export const stockOf = (variant: StoredVariant): number => quantitiesOf(variant)[mainLocationId] ?? 0;

/** The store after a push of a file with Update, in Safe Mode. */
export function expectPush(shop: Shop, file: SupplierFile, { known, deleted }: Oracle): Expected {
  const expected: Expected = { changed: new Map(), created: [], outcomes: new Map() };
  for (const listed of file.products) {
    const ours = known.get(listed.n);
    const live = ours ? shop.get(ours.id) : withSku(shop, listed);
    const { outcome, product } =
      deleted.has(listed.n) || (ours && !live)
        ? { outcome: { outcome: 'skipped', code: 'deleted-in-store' } }
        : ours && live
          ? updateOf(listed, live, ours)
          : live
            ? { outcome: done('updated'), product: takenOver(listed, live) }
            : { outcome: done('created') };
    expected.outcomes.set(listed.n, outcome);
    if (product && live) expected.changed.set(live.id, product);
    if (outcome.outcome === 'created') expected.created.push(listed);
  }
  return expected;
}

const done = (outcome: string): Foreseen => ({ outcome, code: null });

function withSku(shop: Shop, { variants }: Listed): StoredProduct | undefined {
  const skus = new Set(variants.map(({ sku }) => sku));
  return [...shop.values()].find((product) => product.variants.some(({ sku }) => sku && skus.has(sku)));
}

const changeVariants = (
  product: StoredProduct,
  { variants }: Listed,
  change: (variant: StoredVariant, of: ListedVariant) => StoredVariant,
): StoredProduct => ({
  ...product,
  variants: product.variants.map((one) => {
    const of = variants.find(({ sku }) => sku === one.sku);
    return of ? change(one, of) : one;
  }),
});

/** A product of somebody else gets the title and the prices; its quantities are not the supplier's. */
function takenOver(listed: Listed, live: StoredProduct): StoredProduct {
  return changeVariants({ ...live, title: listed.title }, listed, (variant, { price }) => ({
    ...variant,
    price,
  }));
}

/** Changes of the file against the file before, by field; each must find what our last write left. */
function updateOf(
  listed: Listed,
  live: StoredProduct,
  { said, seen }: Known,
): { outcome: Foreseen; product?: StoredProduct } {
  let [product, isChanged, isConflict] = [live, false, false];
  const notSent: string[] = [];
  const change = (isStillOurs: boolean, next: () => StoredProduct) => {
    if (!isStillOurs) isConflict = true;
    isChanged = true;
    product = next();
  };
  if (listed.title !== said.title) {
    change(live.title === seen.title, () => ({ ...product, title: listed.title }));
  }
  const { description } = listed;
  if (description && description !== said.description) {
    change(live.descriptionHtml === seen.descriptionHtml, () => ({
      ...product,
      descriptionHtml: description,
    }));
  }
  for (const variant of listed.variants) {
    const before = said.variants.find(({ sku }) => sku === variant.sku);
    const [now, then] = [live, seen].map(({ variants }) => variants.find(({ sku }) => sku === variant.sku));
    if (!before || !now || !then) throw new Error(`${variant.sku} is not in the store`);
    const set = (values: (one: StoredVariant) => StoredVariant) => () =>
      changeVariants(product, { ...listed, variants: [variant] }, values);
    if (variant.price !== before.price) {
      change(
        now.price === then.price,
        set((one) => ({ ...one, price: variant.price })),
      );
    }
    if (variant.option !== before.option) {
      change(true, () => renamedOption(product, before.option, variant.option));
    }
    if (variant.quantity === before.quantity) continue;
    if (!now.tracked || stockOf(now) !== stockOf(then)) notSent.push(variant.sku);
    else
      change(
        true,
        set((one) => withQuantities(one, { [mainLocationId]: variant.quantity })),
      );
  }
  if (isConflict) return { outcome: { outcome: 'skipped', code: 'drifted' } };
  const says = notSent.length > 0 ? { says: `quantity of ${notSent[0]}` } : {};
  if (isChanged) return { outcome: { ...done('updated'), ...says }, product };
  return {
    outcome: notSent.length > 0 ? { outcome: 'skipped', code: 'not-sent', ...says } : done('unchanged'),
  };
}

/** The variant keeps its id, and with it its stock. */
function renamedOption(product: StoredProduct, from: string, to: string): StoredProduct {
  const named = (name: string) => (name === from ? to : name);
  return {
    ...product,
    options: product.options.map((option) => ({
      ...option,
      values: option.values.map((value) => ({ ...value, name: named(value.name) })),
    })),
    variants: product.variants.map((variant) => ({
      ...variant,
      optionValues: variant.optionValues.map((one) => ({ ...one, value: named(one.value) })),
    })),
  };
}

/** A product of the supplier as it is created: our defaults, and what the store fills in. */
export function createdProduct({ title, description, variants }: Listed): object {
  const hasSizes = variants.some(({ option }) => option !== '');
  const option = hasSizes ? 'Size' : 'Title';
  const valueIn = (one: ListedVariant) => (hasSizes ? one.option : 'Default Title');
  return {
    title,
    descriptionHtml: description ?? '',
    vendor: 'Draftshelf Demo Store',
    productType: 'Home Goods',
    tags: [],
    status: 'DRAFT',
    isPublished: false,
    options: [{ name: option, values: variants.map(valueIn) }],
    variants: variants.map((one) => ({
      optionValues: [{ name: option, value: valueIn(one) }],
      price: one.price,
      compareAtPrice: null,
      sku: one.sku,
      barcode: null,
      cost: null,
      tracked: true,
      inventoryPolicy: 'DENY',
      taxable: true,
      weight: null,
      stock: { [mainLocationId]: one.quantity },
    })),
    media: [],
    collectionIds: [],
  };
}

/** Takes note of what the store has from us after a push. */
export function remember(
  { known }: Oracle,
  { file, expected, shop }: { file: SupplierFile; expected: Expected; shop: Shop },
): void {
  for (const listed of file.products) {
    const outcome = expected.outcomes.get(listed.n)?.outcome;
    if (outcome !== 'created' && outcome !== 'updated') continue;
    const before = known.get(listed.n);
    const product = before ? shop.get(before.id) : withSku(shop, listed);
    if (!product) continue;
    known.set(listed.n, { id: product.id, ...asSent(listed, before, product) });
  }
}

/** A quantity that was not sent is not what the store has from us, and neither is the one that it has instead. */
function asSent(listed: Listed, before: Known | undefined, product: StoredProduct): Omit<Known, 'id'> {
  if (!before) return { said: listed, seen: product };
  const notSent = new Set(
    listed.variants.flatMap(({ sku, quantity }) => {
      const now = product.variants.find((one) => one.sku === sku);
      const was = before.said.variants.find((one) => one.sku === sku);
      return now && was?.quantity !== quantity && stockOf(now) !== quantity ? [sku] : [];
    }),
  );
  const earlier = <T extends { sku: string | null }>(list: readonly T[], sku: string | null) =>
    list.find((one) => one.sku === sku);
  return {
    said: {
      ...listed,
      variants: listed.variants.map((one) => {
        const quantity = earlier(before.said.variants, one.sku)?.quantity;
        return notSent.has(one.sku) && quantity !== undefined ? { ...one, quantity } : one;
      }),
    },
    seen: {
      ...product,
      // Until the file says a description, the merchant's own is the one that we found first.
      ...(listed.description ? {} : { descriptionHtml: before.seen.descriptionHtml }),
      variants: product.variants.map((one) => {
        const was = earlier(before.seen.variants, one.sku);
        return was && notSent.has(one.sku ?? '') ? withQuantities(one, quantitiesOf(was)) : one;
      }),
    },
  };
}
