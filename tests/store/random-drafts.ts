import type { DraftProduct, DraftVariant } from '@draftshelf/domain/products/draft-product';
import type { Random } from '../faults/fault-random.ts';

const tags = ['brass', 'lamp', 'new', 'sale', 'outdoor', 'gift'];
const collections = ['Clearance', 'New arrivals', 'Home page'];
const sizes = ['S', 'M', 'L', 'XL'];
const metafieldKeys = ['origin', 'tcin', 'dimensions', 'upc'];

const some = <T>(random: Random, list: readonly T[]) => list.filter(() => random.between(0, 1) < 0.5);

function randomVariant(random: Random, option: string | null): DraftVariant {
  const price = random.between(1, 100).toFixed(2);
  return {
    title: option ?? 'Default Title',
    price,
    compare_at_price: random.pick([null, (Number(price) + 5).toFixed(1)]),
    cost: random.pick([null, '4.5', '7.25']),
    sku: `SKU-${Math.floor(random.between(0, 1e6))}`,
    barcode: random.pick(['', '4006381333931', '0012345678905']),
    inventory_quantity: Math.floor(random.between(0, 50)),
    inventory_management: random.pick(['shopify', 'shopify', 'shopify', null]),
    inventory_policy: random.pick(['deny', 'continue']),
    ...(option === null ? {} : { option1: option }),
    ...random.pick([{}, { weight: Math.ceil(random.between(0, 9)), weight_unit: 'kg' as const }]),
  };
}

/** A draft with everything that a draft can have. */
export function randomDraft(random: Random): DraftProduct {
  const n = Math.floor(random.between(0, 1e6));
  const values = random.pick([[], some(random, sizes), some(random, sizes)]);
  const variants =
    values.length === 0 ? [randomVariant(random, null)] : values.map((one) => randomVariant(random, one));
  return {
    title: `Lamp ${n}`,
    body_html: `<p>Lamp ${n}</p>`,
    vendor: random.pick(['Lumen', 'Acme', '']),
    product_type: random.pick(['Lighting', 'Home Goods']),
    status: random.pick(['draft', 'active']),
    published: false,
    published_scope: 'web',
    variants,
    ...(values.length === 0 ? {} : { options: [{ name: 'Size', values }] }),
    tags: some(random, tags).join(', '),
    images: some(random, [1, 2, 3]).map((one) => ({
      src: `https://images.example/${n}-${one}.jpg`,
      ...random.pick([{}, { alt: `Photo ${one}` }]),
    })),
    metafields: [
      { namespace: 'scd', key: 'import_source', value: `${n}.csv`, type: 'single_line_text_field' },
      ...some(random, metafieldKeys).map((key) => ({
        namespace: 'scd',
        key,
        value: `${key} ${n}`,
        type: 'single_line_text_field',
      })),
    ],
    ...random.pick([{}, { collections: some(random, collections) }]),
  };
}

/** Another version of a draft: some parts of another one, and changed variants. */
export function changedDraft(draft: DraftProduct, random: Random): DraftProduct {
  const other = randomDraft(random);
  const parts = [
    'title',
    'body_html',
    'vendor',
    'product_type',
    'status',
    'tags',
    'images',
    'metafields',
  ] as const;
  const changed = Object.fromEntries(some(random, parts).map((part) => [part, other[part]]));
  const base = { ...draft, ...changed };
  const { collections: _, ...rest } = base;
  const collected = random.pick([base, { ...rest, collections: other.collections ?? [] }]);
  return random.pick([
    collected,
    renamedDraft(collected, random),
    { ...collected, variants: collected.variants.map((one) => changedVariant(one, random)) },
    withVariantsOf(collected, other),
    withVariantsOf(collected, {
      ...other,
      variants: collected.variants.slice(0, 1),
      options: firstOptions(collected),
    }),
  ]);
}

/** The same variants under other option values, some only in another case, and perhaps another name of the option. */
function renamedDraft(draft: DraftProduct, random: Random): DraftProduct {
  const [option] = draft.options ?? [];
  if (!option) return draft;
  const renamed = new Map(
    option.values.map((value) => [value, random.pick([value, value.toLowerCase(), `Size ${value}`])]),
  );
  const nameOf = (value = '') => renamed.get(value) ?? value;
  return {
    ...draft,
    options: [{ name: random.pick([option.name, 'Width']), values: option.values.map(nameOf) }],
    variants: draft.variants.map((one) => ({
      ...changedVariant(one, random),
      ...{ option1: nameOf(one.option1), title: nameOf(one.option1) },
    })),
  };
}

const firstOptions = ({ options, variants }: DraftProduct) =>
  options?.map(({ name }) => ({ name, values: [variants[0]?.option1 ?? ''] }));

function withVariantsOf(
  draft: DraftProduct,
  { variants, options }: Pick<DraftProduct, 'variants'> & { options?: DraftProduct['options'] | undefined },
): DraftProduct {
  const { options: _, ...rest } = draft;
  return { ...rest, variants, ...(options ? { options } : {}) };
}

function changedVariant(variant: DraftVariant, random: Random): DraftVariant {
  const other = randomVariant(random, variant.option1 ?? null);
  const parts = [
    'price',
    'compare_at_price',
    'cost',
    'sku',
    'barcode',
    'inventory_quantity',
    'inventory_policy',
  ] as const;
  return { ...variant, ...Object.fromEntries(some(random, parts).map((part) => [part, other[part]])) };
}
