import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { editedProduct, MerchantEdit } from '../../apps/simulators/store/src/merchant-edit.ts';
import type { Stack } from '../support/stack.ts';
import { stockOf } from './story-oracle.ts';
import { type Shop, sizesOf, skuOf } from './story-shop.ts';

/**
 * What the merchant does with a product: an edit as the store's control takes it. `stays`: the part that an undo must
 * name because our push has set it, too.
 */
type Work = { edit: (product: StoredProduct) => object; stays?: string };

const publish: Work = { edit: () => ({ status: 'ACTIVE', published: true }) };
const remove: Work = { edit: () => ({ deleted: true }) };
const sell: Work = {
  edit: ({ variants: [first] }) => ({ quantity: Math.max(0, (first ? stockOf(first) : 0) - 2) }),
};
const tag: Work = { edit: ({ tags }) => ({ tags: [...tags, 'window'] }) };
const retitle: Work = { edit: ({ title }) => ({ title: `${title}, of the merchant` }) };
const describe: Work = { edit: () => ({ descriptionHtml: '<p>New words of the merchant.</p>' }) };
const reprice: Work = { edit: () => ({ price: '99.00' }) };

/** By number: those from 900 are ours, the others the merchant's. */
export type Works = Readonly<Record<number, Work>>;

/** Between the first push and its undo. */
export const worksBeforeUndo: Works = {
  901: publish,
  902: publish,
  903: tag,
  904: sell,
  906: retitle,
  908: remove,
  909: remove,
  3: { ...retitle, stays: 'title' },
  7: { ...retitle, stays: 'title' },
  4: describe,
  6: sell,
  12: sell,
  8: tag,
  5: { ...reprice, stays: 'variants' },
  9: { ...reprice, stays: 'variants' },
};

/** Between the second file and the third. Quantities of 14 and 914 change in the file, those of 16 and 916 do not. */
export const worksBetweenFiles: Works = {
  910: publish,
  911: publish,
  912: remove,
  913: remove,
  14: sell,
  914: sell,
  16: sell,
  916: sell,
  20: describe,
  21: describe,
  22: retitle,
  23: tag,
  917: tag,
  26: reprice,
  28: remove,
};

export const isDeletion = (work: Work): boolean => work === remove;

/** A product by the number that its SKU has. */
export function productOf(shop: Shop, label: string, n: number): StoredProduct {
  const sku = skuOf(label, n, sizesOf(n)[0]);
  const [found, ...others] = [...shop.values()].filter(({ variants }) =>
    variants.some((one) => one.sku === sku),
  );
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} products have ${sku}`);
  return found;
}

export async function doWorks(stack: Pick<Stack, 'store'>, shop: Shop, label: string, works: Works) {
  for (const [n, { edit }] of Object.entries(works)) {
    const product = productOf(shop, label, Number(n));
    await stack.store.edit(product.id, edit(product));
  }
}

/** A product with the merchant's work, as he would have done it on another state of the product. */
export function withWork(product: StoredProduct, seen: StoredProduct, { edit }: Work): StoredProduct {
  return editedProduct(product, MerchantEdit.parse(edit(seen)), product.updatedAtMs);
}
