import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import type { ProductSetInput, ProductSetVariables, VariantSetInput } from '../documents.ts';
import { setInputValue, toRestoredValue } from './field.ts';
import { hasSentValue, type IntendedVariantFields, productFieldList, variantFieldList } from './fields.ts';
import { collectOptions, type IntendedVariant, toIntendedProduct } from './intended-product.ts';
import { restoreCollections } from './lists/collections.ts';
import { restoreImages } from './lists/images.ts';
import { type MetafieldWrites, restoreMetafields } from './lists/metafields.ts';
import { type QuantityChange, restoreQuantities } from './lists/quantities.ts';
import { restoreTags } from './lists/tags.ts';
import {
  keepBarcodes,
  toNewVariantInput,
  toOptionValuesInput,
  toProductOptionsInput,
} from './lists/variants.ts';
import type { LiveProduct, LiveVariant } from './live-product.ts';
import {
  compareThreeWay,
  isEqual,
  isInSameOrder,
  mapById,
  optionKey,
  sortAsBefore,
  toKeptPart,
  type UndoStates,
} from './undo-sides.ts';
import { mapSentVariants } from './variant-identity.ts';
import { optionsText, productOptionsText, variantFieldName, variantName } from './variant-names.ts';

export type RestoreWrites = {
  /** Variables of a productSet that identifies the product by the store's id. Null if there is nothing to set. */
  variables: ProductSetVariables | null;
  quantities: QuantityChange[];
  /** Single metafields, which are set after all other parts. */
  metafields: MetafieldWrites;
  kept: KeptPart[];
  recreatesVariants: number;
  /** Images whose files must be looked up first. The other results are final only when this list is empty. */
  filesToFind: string[];
};

/** Returns writes that restore earlier values where the store still has ours. Complete lists keep what others added. */
export function planRestore(sides: UndoStates, locationId: string | null): RestoreWrites {
  const texts = restoreTexts(sides);
  const tags = restoreTags(sides);
  const variants = restoreVariants(sides, locationId);
  const quantities = restoreQuantities(sides, locationId);
  const images = restoreImages(sides);
  const collections = restoreCollections(sides);
  const metafields = restoreMetafields(sides);
  const input: ProductSetInput = {
    ...texts.input,
    ...(tags && { tags }),
    ...variants.set,
    ...(images.set && { files: images.set }),
    ...(collections.set && { collections: collections.set }),
    ...(metafields.list && { metafields: metafields.list }),
  };
  const parts = [texts, variants, quantities, images, collections, metafields];
  return {
    variables: Object.keys(input).length > 0 ? { identifier: { id: sides.live.id }, input } : null,
    quantities: quantities.set,
    metafields: metafields.writes,
    kept: parts.flatMap(({ kept }) => kept),
    recreatesVariants: variants.recreated,
    filesToFind: images.filesToFind,
  };
}

/** Returns the product's earlier texts to set, and the changed texts that stay. */
export function restoreTexts({ before, after, live, sentAfter }: UndoStates): {
  input: ProductSetInput;
  kept: KeptPart[];
} {
  const intended = toIntendedProduct(sentAfter);
  const input: ProductSetInput = {};
  const kept: KeptPart[] = [];
  for (const field of productFieldList) {
    const { key, name, rewrites, text } = field;
    // An older version did not store this field.
    if (before[key] === undefined) continue;
    const next = compareThreeWay(before[key], after[key], live[key]);
    const isOurs = rewrites || hasSentValue(field, after, intended);
    if (next === 'restore' && isOurs)
      setInputValue(input, field, toRestoredValue(field, before), toRestoredValue(field, after));
    else if (next === 'restore' || next === 'changed') {
      const ours = isOurs ? after[key] : intended[key];
      kept.push(toKeptPart(name, '', { before: text(before[key]), ours: text(ours), now: text(live[key]) }));
    }
  }
  return { input, kept };
}

type VariantFields = Omit<VariantSetInput, 'id' | 'optionValues'>;

/** Returns the fields to set on variants that existed before, by variant id, and the changed fields that stay. */
export function restoreVariantFields({ before, after, live, sentAfter }: UndoStates): {
  set: Map<string, VariantFields>;
  kept: KeptPart[];
} {
  const sent = mapSentVariants(sentAfter, after);
  const [ours, is] = [mapById(after.variants), mapById(live.variants)];
  const set = new Map<string, VariantFields>();
  const kept: KeptPart[] = [];
  for (const was of before.variants) {
    const [written, now] = [ours.get(was.id), is.get(was.id)];
    const intended = sent.get(was.id);
    if (!written || !now) continue;
    for (const field of variantFieldList) {
      const { key, name, text } = field;
      // An older version did not store this field.
      if (was[key] === undefined) continue;
      const values = { before: text(was[key]), ours: text(written[key]), now: text(now[key]) };
      const next = compareThreeWay(values.before, values.ours, values.now);
      if (next !== 'restore' && next !== 'changed') continue;
      // Undefined if the draft lacks the variant: others changed the variant while we were writing the product.
      const ours = intended && text(intended[key]);
      if (next === 'restore' && values.ours === ours) {
        const input = set.get(was.id) ?? {};
        setInputValue(input, field, toRestoredValue(field, was), toRestoredValue(field, written));
        set.set(was.id, input);
      } else {
        const shown = { ...values, ours: ours ?? values.ours };
        kept.push(toKeptPart('variants', variantFieldName(variantName(now), name), shown));
      }
    }
  }
  return { set, kept };
}

type RestoredVariants = {
  /** The complete options and variants. Null if they stay. */
  set: Pick<ProductSetInput, 'productOptions' | 'variants'> | null;
  kept: KeptPart[];
  recreated: number;
};

const namesOf = ({ options }: LiveVariant) => canonicalJson(options.map(({ name }) => name));

/** Returns options and variants for a comparison, without quantities and ids of inventory items. */
const comparable = ({ variants, options }: LiveProduct) => ({
  options,
  variants: variants.map(
    ({ quantity: _quantity, isTakenOut: _out, inventoryItemId: _item, ...compared }) => compared,
  ),
});

/**
 * Restores the fields of variants, matched by id. Removes untouched variants that we added and creates removed
 * variants again, both only if one product can have all of the resulting variants.
 */
function restoreVariants(sides: UndoStates, locationId: string | null): RestoredVariants {
  const { before, after, live } = sides;
  const stay: RestoredVariants = { set: null, kept: [], recreated: 0 };
  if (isEqual(comparable(before), comparable(after))) return stay;
  if (![before, after, live].every(({ complete }) => complete.variants)) {
    const counts = { before: before.variants.length, ours: after.variants.length, now: live.variants.length };
    return { ...stay, kept: [toKeptPart('variants', '', counts, 'cannot-restore')] };
  }
  const fields = restoreVariantFields(sides);
  const places = placesOf(sides);
  const whole = placedRows(sides, places);
  // If one product cannot have both the remaining and the restored variants, the options stay as they are.
  const isWhole = isPossible(whole);
  const rows = isWhole ? whole : placedRows(sides, { dropped: new Set(), removed: [] }, false);
  const [had, was, written] = [mapById(live.variants), mapById(before.variants), mapById(after.variants)];
  const options = {
    before: productOptionsText(before),
    ours: productOptionsText(after),
    now: productOptionsText(live),
  };
  const kept = [
    ...fields.kept,
    ...keptOptions(sides),
    ...places.kept,
    ...(isWhole ? [] : [toKeptPart('options', '', options)]),
  ];
  const isChanged =
    fields.set.size > 0 ||
    !isEqual(
      rows.variants.map(({ id }) => id),
      live.variants.map(({ id }) => id),
    ) ||
    rows.variants.some((one) => had.has(one.id) && !isEqual(one.options, had.get(one.id)?.options)) ||
    (isEqual(live.options, after.options) && !isEqual(rows.options, live.options));
  if (!isChanged) return { ...stay, kept };
  const variants = rows.variants.map((one): VariantSetInput => {
    const optionValues = toOptionValuesInput(one);
    const now = had.get(one.id);
    const pushed = written.get(one.id)?.barcode;
    const ours = was.get(one.id)?.barcodes?.some(({ value }) => value === pushed) ? null : pushed;
    if (now) return keepBarcodes({ id: one.id, optionValues, ...fields.set.get(one.id) }, now, ours);
    return toNewVariantInput(intendedOf(one), one.quantity === null ? null : locationId);
  });
  const recreated = rows.variants.filter(({ id }) => !had.has(id)).length;
  return { set: { productOptions: toProductOptionsInput(rows.options), variants }, kept, recreated };
}

type Places = {
  dropped: ReadonlySet<string>;
  removed: LiveVariant[];
  kept: KeptPart[];
};

function placesOf({ before, after, live, sentBefore, sentAfter }: UndoStates): Places {
  const [sent, next] = [mapSentVariants(sentBefore, before), mapSentVariants(sentAfter, after)];
  const [was, ours, is] = [mapById(before.variants), mapById(after.variants), mapById(live.variants)];
  const added = after.variants.filter((one) => !was.has(one.id) && next.has(one.id));
  const inStore = added.flatMap((one) => is.get(one.id) ?? []);
  const touched = inStore.filter((one) => !isEqual(comparedOf(one), comparedOf(ours.get(one.id))));
  const has = new Set(live.variants.filter(({ id }) => !ours.has(id)).map(optionKey));
  const isTouched = new Set(touched.map(({ id }) => id));
  return {
    dropped: new Set(inStore.map(({ id }) => id).filter((id) => !isTouched.has(id))),
    removed: before.variants.filter(
      (one) => !ours.has(one.id) && !has.has(optionKey(one)) && sent.has(one.id),
    ),
    kept: touched.map((one) => {
      const values = { ours: shownVariant(ours.get(one.id)), now: shownVariant(one) };
      return toKeptPart('variants', variantName(one), { before: null, ...values });
    }),
  };
}

const comparedOf = (variant: LiveVariant | undefined) =>
  variant && { ...variant, barcode: variant.barcode || null, sku: variant.sku || null };
const shownVariant = (variant: LiveVariant | undefined) =>
  variant && [variant.price, variant.sku, `${variant.quantity ?? 0} in stock`].filter(Boolean).join(', ');

type Rows = { variants: LiveVariant[]; options: LiveProduct['options'] };

/** Returns the variants' options that the push changed and others have changed again since then. */
function keptOptions({ before, after, live }: UndoStates): KeptPart[] {
  const [was, ours] = [mapById(before.variants), mapById(after.variants)];
  return live.variants.flatMap((now) => {
    const [earlier, written] = [was.get(now.id), ours.get(now.id)];
    if (!earlier || !written) return [];
    if (compareThreeWay(earlier.options, written.options, now.options) !== 'changed') return [];
    const values = { before: optionsText(earlier), ours: optionsText(written), now: optionsText(now) };
    return [toKeptPart('variants', variantFieldName(variantName(now), 'options'), values)];
  });
}

/** Returns whether one product can have these variants: one or more, with equal option names and different values. */
const isPossible = ({ variants }: Rows): boolean =>
  new Set(variants.map(namesOf)).size === 1 && new Set(variants.map(optionKey)).size === variants.length;

/** Returns the variants with their options, in their earlier order unless others have moved them. */
function placedRows(
  { before, after, live }: UndoStates,
  { dropped, removed }: Pick<Places, 'dropped' | 'removed'>,
  restoresOptions = true,
): Rows {
  const [was, ours] = [mapById(before.variants), mapById(after.variants)];
  const staying = live.variants
    .filter(({ id }) => !dropped.has(id))
    .map((one) => {
      const [earlier, written] = [was.get(one.id)?.options, ours.get(one.id)?.options];
      const next = compareThreeWay(earlier, written, one.options);
      return restoresOptions && earlier && next === 'restore' ? { ...one, options: earlier } : one;
    });
  const isMoved = ![before, after].some(({ variants }) => isInSameOrder(live.variants, variants));
  const variants = isMoved ? [...staying, ...removed] : sortAsBefore(staying, before.variants, removed);
  return { variants, options: orderedOptions(variants, before, live) };
}

/** Returns the options of variants. Values in their earlier order come first, then new ones in the store's order. */
function orderedOptions(
  variants: readonly LiveVariant[],
  before: LiveProduct,
  live: LiveProduct,
): LiveProduct['options'] {
  return collectOptions(variants).map(({ name, values }) => {
    const known = [before, live].flatMap(
      ({ options }) => options.find((one) => one.name === name)?.values ?? [],
    );
    const order = [...new Set([...known, ...values])];
    return { name, values: order.filter((value) => values.includes(value)) };
  });
}

const intendedOf = (variant: LiveVariant): IntendedVariant => ({
  ...(Object.fromEntries(
    variantFieldList.map((field) => [field.key, toRestoredValue(field, variant) ?? null]),
  ) as IntendedVariantFields),
  options: variant.options,
  quantity: variant.quantity ?? 0,
  refusedQuantity: null,
});
