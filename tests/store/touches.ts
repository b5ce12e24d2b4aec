import type { UndoPart } from '@draftshelf/domain/push/push-undo';
import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { mainLocationId } from '../../apps/simulators/store/src/demo-shop.ts';
import { withQuantities } from '../../apps/simulators/store/src/inventory.ts';

/** A change of a product in the store between push and undo. */
export type Touch = {
  part: UndoPart;
  /** The change in the store. */
  edit: (product: StoredProduct, collection: string) => object;
  /** The product before the push, with the change. `after`: the product after the push. */
  on: (before: StoredProduct, collection: string, after: StoredProduct) => StoredProduct;
  /** Whether the push has changed the value, too; absent: it cannot. */
  isBoth?: (before: StoredProduct, after: StoredProduct) => boolean;
};

type Text = 'title' | 'descriptionHtml' | 'status';
const textTouch = (part: UndoPart, key: Text, value: string): Touch => ({
  part,
  edit: () => ({ [key]: value }),
  on: (before) => ({ ...before, [key]: value }),
  isBoth: (before, after) => before[key] !== after[key],
});

type Variant = StoredProduct['variants'][number];
/** What was the first variant after the push before it; undefined: the push has added it. */
const firstOf = (before: StoredProduct, after: StoredProduct): Variant | undefined =>
  before.variants.find(({ id }) => id === after.variants[0]?.id);
const onFirst = (before: StoredProduct, after: StoredProduct, change: (one: Variant) => Variant) => ({
  ...before,
  variants: before.variants.map((one) => (one.id === after.variants[0]?.id ? change(one) : one)),
});
const care = { namespace: 'custom', key: 'care', type: 'single_line_text_field', value: 'Handle with care' };

/** The ways in which a colleague changes products. */
export const touches: Record<string, Touch> = {
  title: textTouch('title', 'title', 'Colleague'),
  description: textTouch('description', 'descriptionHtml', '<p>Colleague</p>'),
  status: textTouch('status', 'status', 'ARCHIVED'),
  price: {
    part: 'variants',
    edit: () => ({ price: '777.00' }),
    on: (before, _collection, after) => onFirst(before, after, (one) => ({ ...one, price: '777.00' })),
    isBoth: (before, after) => firstOf(before, after)?.price !== after.variants[0]?.price,
  },
  quantity: {
    part: 'quantities',
    edit: () => ({ quantity: 777 }),
    on: (before, _collection, after) =>
      onFirst(before, after, (one) => withQuantities(one, { [mainLocationId]: 777 })),
    isBoth: (before, after) => firstOf(before, after)?.quantity !== after.variants[0]?.quantity,
  },
  tags: {
    part: 'tags',
    edit: ({ tags }) => ({ tags: [...tags, 'colleague'] }),
    on: (before) => ({ ...before, tags: [...before.tags, 'colleague'] }),
  },
  collections: {
    part: 'collections',
    edit: ({ collectionIds }, one) => ({ collectionIds: [...collectionIds, one] }),
    on: (before, one) => ({ ...before, collectionIds: [...before.collectionIds, one] }),
  },
  metafields: {
    part: 'metafields',
    edit: () => ({ metafield: care }),
    on: (before) => ({ ...before, metafields: [...before.metafields, { ...care, id: 1 }] }),
  },
  publication: {
    part: 'published',
    edit: () => ({ published: true }),
    on: (before) => ({ ...before, publishedAtMs: 0 }),
  },
};
