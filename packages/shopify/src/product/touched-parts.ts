import { metafieldName } from '@draftshelf/domain/base/metafields';
import type { KeptPart, UndoPart } from '@draftshelf/domain/push/push-undo';
import type { Collection } from '../collections.ts';
import type { UndoLive } from '../undo/undo-live.ts';
import { productFieldList, variantFieldList } from './fields.ts';
import type { LiveMedia, LiveProduct, LiveVariant } from './live-product.ts';
import { isEqual, isInSameOrder, mapById, toKeptPart } from './undo-sides.ts';
import { optionsText, productOptionsText, variantFieldName, variantName } from './variant-names.ts';

/** Returns the parts that others changed since we created a product, including parts that no push sets. */
export const findTouchedParts = (
  live: UndoLive,
  after: LiveProduct,
  collections: readonly Collection[],
): KeptPart[] => differences(live, after, collections).map(({ part }) => part);

/** Returns whether at least one part that differs between `before` and `from` is as in `before` again. */
export function isPartlyRestored(
  live: UndoLive,
  { before, from }: { before: LiveProduct; from: LiveProduct },
  collections: readonly Collection[],
): boolean {
  const other = new Set(differences(live, before, collections).map(({ key }) => key));
  return differences(live, from, collections).some(({ key }) => !other.has(key));
}

/** A part that differs. `key` is the same in all comparisons, while a variant's name changes with its options. */
type Difference = { key: string; part: KeptPart };
type Value = string | number | null | undefined;

const difference = (
  part: UndoPart,
  name: string,
  values: { ours: Value; now: Value },
  key = name,
): Difference => ({ key: `${part} ${key}`, part: toKeptPart(part, name, { before: null, ...values }) });

/** Returns the part if it differs. */
const changed = (
  part: UndoPart,
  name: string,
  values: { ours: Value; now: Value },
  key = name,
): Difference[] => (values.ours === values.now ? [] : [difference(part, name, values, key)]);

function differences(live: UndoLive, after: LiveProduct, collections: readonly Collection[]): Difference[] {
  const tags = (product: LiveProduct) => [...product.tags].sort().join(', ');
  return [
    // A field that an older version did not store counts as empty, because that version did not set the field.
    ...productFieldList.flatMap(({ name, key, text }) =>
      changed(name, '', { ours: text(after[key]), now: text(live[key]) }),
    ),
    ...changed('web address', '', { ours: after.handle, now: live.handle }),
    ...changed('tags', '', { ours: tags(after), now: tags(live) }),
    ...changed('options', '', { ours: productOptionsText(after), now: productOptionsText(live) }),
    ...touchedVariants(live, after),
    ...touchedImages(live.media, after.media),
    ...touchedMetafields(live, after),
    ...touchedCollections(live, after, collections),
    ...changed('published', '', { ours: '', now: live.publishedAt ?? '' }),
    ...changed('theme template', '', { ours: '', now: live.templateSuffix ?? '' }),
  ];
}

function touchedVariants(live: LiveProduct, after: LiveProduct): Difference[] {
  const [ours, is] = [mapById(after.variants), mapById(live.variants)];
  const gone = after.variants.filter(({ id }) => !is.has(id));
  const added = live.variants.filter(({ id }) => !ours.has(id));
  const both = live.variants.flatMap((now) => {
    const was = ours.get(now.id);
    return was ? touchedVariant(now, was) : [];
  });
  const moved = isInSameOrder(live.variants, after.variants)
    ? []
    : [difference('variants', 'order', { ours: namesOf(after.variants), now: namesOf(live.variants) })];
  return [
    ...both,
    ...gone.map((one) => difference('variants', variantName(one), { ours: one.price, now: null }, one.id)),
    ...added.map((one) => difference('variants', variantName(one), { ours: null, now: one.price }, one.id)),
    ...moved,
  ];
}

const namesOf = (variants: readonly LiveVariant[]) => variants.map(variantName).join(', ');

function touchedVariant(now: LiveVariant, was: LiveVariant): Difference[] {
  const name = variantName(was);
  const changedField = (field: string, ours: string, is: string) =>
    changed('variants', variantFieldName(name, field), { ours, now: is }, `${was.id} ${field}`);
  const fields = variantFieldList.flatMap(({ key, name: field, text }) =>
    // An older version did not store this field.
    was[key] === undefined ? [] : changedField(field, text(was[key]), text(now[key])),
  );
  return [
    ...fields,
    ...changedField('options', optionsText(was), optionsText(now)),
    ...changed('quantities', name, { ours: was.quantity, now: now.quantity }, was.id),
  ];
}

function touchedImages(live: readonly LiveMedia[], after: readonly LiveMedia[]): Difference[] {
  const comparable = (media: readonly LiveMedia[]) => media.map(({ id, alt }) => ({ id, alt: alt ?? '' }));
  if (isEqual(comparable(live), comparable(after))) return [];
  return [difference('images', '', { ours: after.length, now: live.length })];
}

function touchedMetafields(live: LiveProduct, after: LiveProduct): Difference[] {
  const values = (product: LiveProduct) =>
    new Map(product.metafields.map((one) => [metafieldName(one), one.value]));
  const [ours, is] = [values(after), values(live)];
  return [...new Set([...ours.keys(), ...is.keys()])].flatMap((name) =>
    changed('metafields', name, { ours: ours.get(name), now: is.get(name) }),
  );
}

function touchedCollections(
  live: LiveProduct,
  after: LiveProduct,
  collections: readonly Collection[],
): Difference[] {
  const stored = new Map(collections.map((one) => [one.id, one]));
  const isSmart = (id: string) => stored.get(id)?.smart === true;
  const titleOf = (id: string) => stored.get(id)?.title ?? 'a collection';
  const lists = (a: LiveProduct, b: LiveProduct) =>
    a.collectionIds.filter((id) => !b.collectionIds.includes(id) && !isSmart(id));
  return [
    ...lists(live, after).map((id) => difference('collections', '', { ours: null, now: titleOf(id) }, id)),
    ...lists(after, live).map((id) => difference('collections', '', { ours: titleOf(id), now: null }, id)),
  ];
}
