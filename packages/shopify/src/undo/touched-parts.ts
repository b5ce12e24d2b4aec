import type { KeptPart, UndoPart } from '@draftshelf/domain/push-undo';
import type { Collection } from '../collections.ts';
import type { LiveMedia, LiveProduct, LiveVariant } from '../product-state.ts';
import type { UndoLive } from './undo-live.ts';
import { byId, isInOrder, isSame, keptPart, variantName } from './undo-sides.ts';

const texts = [
  { part: 'title', key: 'title' },
  { part: 'description', key: 'descriptionHtml' },
  { part: 'vendor', key: 'vendor' },
  { part: 'type', key: 'productType' },
  { part: 'status', key: 'status' },
  { part: 'web address', key: 'handle' },
] as const;

/**
 * The parts of a product that differ from its state after we created it, and what people have added that a push never
 * sets. Collections that fill themselves do not count. Empty: nobody has touched it.
 */
export function touchedParts(
  live: UndoLive,
  after: LiveProduct,
  collections: readonly Collection[],
): KeptPart[] {
  const changed = (part: UndoPart, ours: string, now: string, name = ''): KeptPart[] =>
    ours === now ? [] : [keptPart(part, name, { before: null, ours, now })];
  const tags = (product: LiveProduct) => [...product.tags].sort().join(', ');
  const options = (product: LiveProduct) =>
    product.options.map(({ name, values }) => `${name}: ${values.join(', ')}`).join('; ');
  return [
    ...texts.flatMap(({ part, key }) => changed(part, after[key], live[key])),
    ...changed('tags', tags(after), tags(live)),
    ...changed('options', options(after), options(live)),
    ...touchedVariants(live, after),
    ...touchedImages(live.media, after.media),
    ...touchedMetafields(live, after),
    ...touchedCollections(live, after, collections),
    ...changed('published', '', live.publishedAt ?? ''),
    ...changed('search listing', '', [live.seo.title, live.seo.description].filter(Boolean).join(' – ')),
    ...changed('category', '', live.category ?? ''),
    ...changed('theme template', '', live.templateSuffix ?? ''),
  ];
}

/** Whether a part of a product that differs from a state (`from`) is as it was in an earlier one. */
export function isPartlyBack(
  live: UndoLive,
  { before, from }: { before: LiveProduct; from: LiveProduct },
  collections: readonly Collection[],
): boolean {
  const nameOf = ({ part, name, ours, now }: KeptPart) =>
    `${part} ${part === 'collections' ? (now ?? ours) : name}`;
  const other = new Set(touchedParts(live, before, collections).map(nameOf));
  return touchedParts(live, from, collections).some((one) => !other.has(nameOf(one)));
}

function touchedVariants(live: LiveProduct, after: LiveProduct): KeptPart[] {
  const [ours, is] = [byId(after.variants), byId(live.variants)];
  const gone = after.variants.filter(({ id }) => !is.has(id));
  const added = live.variants.filter(({ id }) => !ours.has(id));
  const both = live.variants.flatMap((now) => {
    const was = ours.get(now.id);
    return was ? touchedVariant(now, was) : [];
  });
  const moved = isInOrder(live.variants, after.variants)
    ? []
    : [
        keptPart('variants', 'order', {
          before: null,
          ours: namesOf(after.variants),
          now: namesOf(live.variants),
        }),
      ];
  return [
    ...both,
    ...gone.map((one) =>
      keptPart('variants', variantName(one), { before: null, ours: one.price, now: null }),
    ),
    ...added.map((one) =>
      keptPart('variants', variantName(one), { before: null, ours: null, now: one.price }),
    ),
    ...moved,
  ];
}

const namesOf = (variants: readonly LiveVariant[]) => variants.map(variantName).join(', ');

const variantFields = {
  price: ({ price }: LiveVariant) => price,
  'compare-at price': ({ compareAtPrice }: LiveVariant) => compareAtPrice,
  cost: ({ cost }: LiveVariant) => cost,
  SKU: ({ sku }: LiveVariant) => sku,
  UPC: ({ barcode }: LiveVariant) => barcode,
  tracked: ({ tracked }: LiveVariant) => (tracked ? 'yes' : 'no'),
  'sell when out of stock': ({ inventoryPolicy }: LiveVariant) => inventoryPolicy,
  options: ({ options }: LiveVariant) => options.map(({ name, value }) => `${name}: ${value}`).join(', '),
} satisfies Record<string, (variant: LiveVariant) => string | null>;

function touchedVariant(now: LiveVariant, was: LiveVariant): KeptPart[] {
  const name = variantName(was);
  const fields = Object.entries(variantFields).flatMap(([field, of]) => {
    const [ours, is] = [of(was) || null, of(now) || null];
    const label = name === '' ? field : `${name} · ${field}`;
    return ours === is ? [] : [keptPart('variants', label, { before: null, ours, now: is })];
  });
  // An older version did not store weights.
  const weight =
    was.weight === undefined || isSame(was.weight, now.weight)
      ? []
      : [
          keptPart('variants', name === '' ? 'weight' : `${name} · weight`, {
            before: null,
            ours: was.weight?.value,
            now: now.weight?.value,
          }),
        ];
  const stock =
    was.quantity === now.quantity
      ? []
      : [keptPart('quantities', name, { before: null, ours: was.quantity, now: now.quantity })];
  return [...fields, ...weight, ...stock];
}

function touchedImages(live: readonly LiveMedia[], after: readonly LiveMedia[]): KeptPart[] {
  const comparable = (media: readonly LiveMedia[]) => media.map(({ id, alt }) => ({ id, alt: alt ?? '' }));
  if (isSame(comparable(live), comparable(after))) return [];
  return [keptPart('images', '', { before: null, ours: after.length, now: live.length })];
}

function touchedMetafields(live: LiveProduct, after: LiveProduct): KeptPart[] {
  const nameOf = ({ namespace, key }: { namespace: string; key: string }) => `${namespace}.${key}`;
  const values = (product: LiveProduct) => new Map(product.metafields.map((one) => [nameOf(one), one.value]));
  const [ours, is] = [values(after), values(live)];
  return [...new Set([...ours.keys(), ...is.keys()])].flatMap((name) =>
    ours.get(name) === is.get(name)
      ? []
      : [keptPart('metafields', name, { before: null, ours: ours.get(name), now: is.get(name) })],
  );
}

function touchedCollections(
  live: LiveProduct,
  after: LiveProduct,
  collections: readonly Collection[],
): KeptPart[] {
  const stored = new Map(collections.map((one) => [one.id, one]));
  const isSmart = (id: string) => stored.get(id)?.smart === true;
  const titleOf = (id: string) => stored.get(id)?.title ?? 'a collection';
  const lists = (a: LiveProduct, b: LiveProduct) =>
    a.collectionIds.filter((id) => !b.collectionIds.includes(id) && !isSmart(id));
  return [
    ...lists(live, after).map((id) =>
      keptPart('collections', '', { before: null, ours: null, now: titleOf(id) }),
    ),
    ...lists(after, live).map((id) =>
      keptPart('collections', '', { before: null, ours: titleOf(id), now: null }),
    ),
  ];
}
