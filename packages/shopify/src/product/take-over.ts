import type {
  DraftProduct,
  DraftVariant,
  SilentFieldNames,
  SilentFields,
} from '@draftshelf/domain/products/draft-product';
import { optionFieldsOf, optionValuesOf, setOptionValues } from '@draftshelf/domain/products/option-values';
import { fillSilentFields, pairDraftVariants } from '@draftshelf/domain/products/silent-fields';
import type { ProductSetInput } from '../documents.ts';
import { payloadHash } from '../payload-hash.ts';
import type { KeptValues } from './drifted-fields.ts';
import { readInputValues, toDraftValues } from './field.ts';
import { hasSentValue, productFieldList, variantFieldList } from './fields.ts';
import { toIntendedProduct } from './intended-product.ts';
import {
  buildMetafieldWrites,
  createOurMetafields,
  hasMetafield,
  isOwn,
  isThere,
  mergeMetafields,
} from './lists/metafields.ts';
import type { LiveProduct, LiveVariant } from './live-product.ts';
import { planUpdate, type UpdatePlan } from './update-input.ts';

/** `draft` is recorded as sent. `kept`: the product's values in unwritten fields that differ from the draft. */
export type TakeOverPlan =
  | (Pick<Extract<UpdatePlan, { kind: 'update' }>, 'kind' | 'variables' | 'metafields' | 'draft'> & {
      kept: KeptValues | null;
    })
  | { kind: 'blocked'; reason: string };

/**
 * Returns writes that give a store product our id and the file's values. These values count as sent, so the next push
 * sends only later changes. The product keeps silent fields, the status, quantities, images, whether variants are
 * tracked and sold when out of stock, existing SKUs, barcodes and metafields, and further variants. Tags are merged;
 * equal values are not sent.
 */
export function planTakeOver(
  draft: DraftProduct,
  { externalId, live, silent }: { externalId: string; live: LiveProduct; silent?: SilentFields | undefined },
): TakeOverPlan {
  const base = asDraft(live);
  const said = silent ?? nothingSilentIn(draft);
  const ofOthers = { isOurs: false };
  const all = fillSilentFields(draft, said.ofOurs, base, ofOthers);
  // Metafields for which the store keeps another value do not count as ours.
  const sent = {
    ...all,
    metafields: all.metafields.filter((one) => isOwn(one) || !hasMetafield(live, one) || isThere(live, one)),
  };
  const silence = leaving(draft, { silence: said.ofOthers, base, live });
  const wanted = fillSilentFields(draft, silence, base, ofOthers);
  const pairs = pairDraftVariants(wanted, base, false);
  const own = withOwnOptions(wanted, base, pairs);
  if (!own) return { kind: 'blocked', reason: 'Options in the store differ from the file.' };
  const next = { ...own, metafields: own.metafields.filter((one) => !hasMetafield(live, one)) };
  const known = { ...base, variants: base.variants.filter((one) => pairs.includes(one)) };
  const store = { locationId: null, collections: [] };
  const update = planUpdate(next, { externalId, sent: known, live, seen: live, ...store });
  if (update.kind === 'blocked') return update;
  // If no other value is written, the input has only our id and the hash.
  const input = update.kind === 'update' ? update.variables.input : {};
  const ours = createOurMetafields(externalId, payloadHash(sent));
  const list = mergeMetafields(ours, toIntendedProduct(next), toIntendedProduct(known), live);
  return {
    kind: 'update',
    variables: { identifier: { id: live.id }, input: { ...input, ...(list && { metafields: list }) } },
    metafields: list ? null : buildMetafieldWrites(next, { base: known, live, ours }),
    draft: sent,
    kept: keptIn(live, { sent, base, input }),
  };
}

function keptIn(
  live: LiveProduct,
  { sent, base, input }: { sent: DraftProduct; base: DraftProduct; input: ProductSetInput },
): KeptValues | null {
  const intended = toIntendedProduct(sent);
  const pairs = pairDraftVariants(sent, base, false);
  const written = new Map(
    (input.variants ?? []).map((one) => [one.id, readInputValues<LiveVariant>(variantFieldList, one)]),
  );
  const variants = live.variants.flatMap((one, at) => {
    const variant = intended.variants[pairs.indexOf(base.variants[at])];
    const taken = written.get(one.id) ?? {};
    const left = variantFieldList.filter(
      ({ key, text }) => variant && !(key in taken) && text(one[key]) !== text(variant[key]),
    );
    return left.length > 0
      ? [{ id: one.id, ...Object.fromEntries(left.map(({ key }) => [key, one[key]])) }]
      : [];
  });
  const texts = productFieldList.filter(
    (field) => !field.isMerchants && !(field.key in input) && !hasSentValue(field, live, intended),
  );
  if (variants.length + texts.length === 0) return null;
  return { ...Object.fromEntries(texts.map(({ key }) => [key, live[key]])), variants };
}

/** Returns the silent fields as if the file had all fields: only weights are silent, for variants without a weight. */
function nothingSilentIn({ variants }: DraftProduct): SilentFields {
  const weights = variants.map(({ weight }) => (weight === undefined ? ['weight' as const] : []));
  const silence: SilentFieldNames = {
    product: [],
    variants: weights,
    metafields: [],
    emptied: [],
    status: null,
  };
  return { ofOurs: silence, ofOthers: silence };
}

function leaving(
  draft: DraftProduct,
  { silence, base, live }: { silence: SilentFieldNames; base: DraftProduct; live: LiveProduct },
): SilentFieldNames {
  const variants = pairDraftVariants(draft, base, false).map((inStore, at) => [
    ...(silence.variants[at] ?? []),
    'inventory_quantity' as const,
    ...variantFieldList.flatMap(({ draft: field, takeOver: rule }) =>
      field && (rule === 'leave' || (rule === 'fill' && inStore?.[field])) ? [field] : [],
    ),
  ]);
  const images = live.media.length > 0 ? (['images'] as const) : [];
  const filled = productFieldList.flatMap(({ key, draft: field, takeOver: rule, text }) =>
    field && rule === 'fill' && text(live[key]) !== '' ? [field] : [],
  );
  return { ...silence, product: [...silence.product, ...images, ...filled], variants };
}

/** Keeps the merchant's options and the order of the store's variants. Null if new variants have other option names. */
function withOwnOptions(
  draft: DraftProduct,
  base: DraftProduct,
  pairs: readonly (DraftVariant | undefined)[],
): DraftProduct | null {
  const namesOf = ({ options = [] }: DraftProduct) =>
    JSON.stringify(options.map(({ name }) => name.toLowerCase()));
  if (pairs.includes(undefined) && namesOf(draft) !== namesOf(base)) return null;
  const variants = draft.variants.map((variant, at) => {
    const inStore = pairs[at];
    if (!inStore) return { variant, place: base.variants.length };
    const named = { ...setOptionValues(variant, optionValuesOf(inStore)), title: inStore.title };
    return { variant: named, place: base.variants.indexOf(inStore) };
  });
  const { options: _, ...rest } = draft;
  return {
    ...rest,
    ...(base.options && { options: base.options }),
    variants: variants.toSorted((one, other) => one.place - other.place).map(({ variant }) => variant),
  };
}

/** Returns a product as a draft with empty lists, so that nothing in its lists is removed. */
function asDraft(live: LiveProduct): DraftProduct {
  const plain = live.variants.every(({ options }) => options.every(({ value }) => value === 'Default Title'));
  return {
    ...(toDraftValues(productFieldList, live) as DraftProduct),
    published_scope: 'web',
    tags: '',
    images: [],
    metafields: [],
    ...(plain ? {} : { options: live.options }),
    variants: live.variants.map((variant) => {
      const values = plain ? [] : variant.options.map(({ value }) => value);
      return {
        ...(toDraftValues(variantFieldList, variant) as DraftVariant),
        title: plain ? 'Default Title' : values.join(' / '),
        inventory_quantity: variant.quantity ?? 0,
        ...optionFieldsOf(values),
      };
    }),
  };
}
