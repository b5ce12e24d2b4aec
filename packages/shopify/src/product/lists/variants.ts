import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import type { ProductSetInput, VariantSetInput } from '../../documents.ts';
import { setInputValue, toStoreInput } from '../field.ts';
import { variantFieldList } from '../fields.ts';
import type { IntendedProduct, IntendedVariant } from '../intended-product.ts';
import type { LiveVariant, SelectedOption } from '../live-product.ts';
import type { VariantToSend } from '../variant-identity.ts';

/** A variant of the merged product. `live`: the variant in the store, or undefined if the variant is new. */
export type MergedVariant = {
  options: SelectedOption[];
  live: LiveVariant | undefined;
  input: VariantSetInput;
};

type Sides = {
  variants: readonly VariantToSend[];
  live: { variants: readonly LiveVariant[] };
  locationId: string | null;
};

/**
 * Returns all variants: ours with our changes, and other variants as they are in the store. Only changed option values
 * are set, but a new option name applies to all variants. Null if one product cannot have all of these options.
 */
export function mergeVariants(sides: Sides): MergedVariant[] | null {
  const { variants, live, locationId } = sides;
  const renaming = variants.find((one) => one.live && isRenamed(one));
  const names = (renaming?.next ?? live.variants[0])?.options.map(({ name }) => name) ?? [];
  const byId = new Map(
    variants.flatMap((one) => {
      const { next, sent, live: inStore, forced } = one;
      if (!inStore) return [];
      const options = isRenamed(one) ? next.options : namedBy(names, inStore.options);
      const changed = changedVariantInput({ ...next, options }, { sent, forced }, inStore);
      const input = keepBarcodes(changed, inStore, sent?.barcode);
      return [[inStore.id, { options, live: inStore, input }] as const];
    }),
  );
  const merged = inOrder(sides).map(({ one, inStore }): MergedVariant => {
    if (!inStore) return { options: one.options, live: undefined, input: toNewVariantInput(one, locationId) };
    const options = namedBy(names, inStore.options);
    const theirs = {
      options,
      live: inStore,
      input: { id: inStore.id, optionValues: toOptionValuesInput({ options }) },
    };
    return byId.get(inStore.id) ?? theirs;
  });
  const ofOne = merged.map(({ options }) => canonicalJson(options.map(({ name }) => name).toSorted()));
  return new Set(ofOne).size > 1 ? null : merged;
}

const isRenamed = ({ next, sent, forced }: VariantToSend) =>
  forced.has('options') ||
  (sent !== undefined && canonicalJson(next.options) !== canonicalJson(sent.options));

/** Returns options renamed by position to `names`, or unchanged if all names match or the number of options differs. */
function namedBy(names: readonly string[], options: readonly SelectedOption[]): SelectedOption[] {
  if (names.length !== options.length || options.every(({ name }) => names.includes(name)))
    return [...options];
  return options.map(({ value }, at) => ({ name: names[at] ?? '', value }));
}

type Place = { one: IntendedVariant; inStore: undefined } | { one: undefined; inStore: LiveVariant };

/** Returns variants in the store's order, with ours reordered if the draft's order changed, and new ones inserted. */
function inOrder({ variants, live }: Sides): Place[] {
  const ours = variants.flatMap((one) => one.live ?? []);
  const places = variants.flatMap(({ sentAt }) => (sentAt < 0 ? [] : [sentAt]));
  const isMoved = places.some((place, at) => place < (places[at - 1] ?? place));
  const isOurs = new Set(ours.map(({ id }) => id));
  const queue = [...ours];
  const order: Place[] = live.variants.map((one) => ({
    one: undefined,
    inStore: isMoved && isOurs.has(one.id) ? (queue.shift() ?? one) : one,
  }));
  let after = -1;
  for (const { next, live: inStore } of variants) {
    if (inStore) after = order.findIndex((one) => one.inStore?.id === inStore.id);
    else {
      after += 1;
      order.splice(after, 0, { one: next, inStore: undefined });
    }
  }
  return order;
}

function changedVariantInput(
  next: IntendedVariant,
  { sent, forced }: Pick<VariantToSend, 'sent' | 'forced'>,
  live: LiveVariant,
): VariantSetInput {
  const input: VariantSetInput = { id: live.id, optionValues: toOptionValuesInput(next) };
  for (const field of variantFieldList) {
    const before = sent?.[field.key];
    if (forced.has(field.key) || canonicalJson(next[field.key]) !== canonicalJson(before)) {
      setInputValue(input, field, next[field.key], before ?? undefined);
    }
  }
  return input;
}

/** Returns option values as the operator sees them, with names if only the names differ. */
const shown = (options: readonly SelectedOption[], withNames: boolean) =>
  options.map(({ name, value }) => (withNames ? `${name}: ${value}` : value)).join(' / ');

/** Returns the store's variants that get other option values, as 'Sm → S'. */
export const listRenamedVariants = (merged: readonly MergedVariant[]): string[] =>
  merged.flatMap(({ options, live }) => {
    if (!live || canonicalJson(live.options) === canonicalJson(options)) return [];
    const isValue = shown(live.options, false) !== shown(options, false);
    return [`${shown(live.options, !isValue)} → ${shown(options, !isValue)}`];
  });

const shownMax = 3;

/** Returns the question about variants that get other option values. */
export function toRenameQuestion(renamed: readonly string[]): string {
  const more = renamed.length > shownMax ? [`${renamed.length - shownMax} more`] : [];
  const which = [...renamed.slice(0, shownMax), ...more].join(', ');
  return `Renames option values in the store (${which}). Whether the variants keep their stock has not been tested on a real store.`;
}

/** Returns the options of a product with their values, in order. */
export function toProductOptionsInput(
  options: IntendedProduct['options'],
): NonNullable<ProductSetInput['productOptions']> {
  return options.map(({ name, values }) => ({ name, values: values.map((value) => ({ name: value })) }));
}

/** Returns the input for a variant that the store lacks. */
export function toNewVariantInput(variant: IntendedVariant, locationId: string | null): VariantSetInput {
  const input: VariantSetInput = {
    optionValues: toOptionValuesInput(variant),
    ...toStoreInput(variantFieldList, variant),
  };
  if (locationId !== null && variant.tracked) {
    input.inventoryQuantities = [{ locationId, name: 'available', quantity: variant.quantity }];
  }
  return input;
}

export function toOptionValuesInput(
  variant: Pick<IntendedVariant, 'options'>,
): VariantSetInput['optionValues'] {
  return variant.options.map(({ name, value }) => ({ optionName: name, name: value }));
}

/** Returns the input with the variant's other barcodes after the new one, but without `ours`, the barcode sent last. */
export function keepBarcodes(
  input: VariantSetInput,
  { barcodes }: LiveVariant,
  ours: string | null | undefined,
): VariantSetInput {
  const { barcode, ...rest } = input;
  if (barcode === undefined || !barcodes) return input;
  const first = barcodes.find(({ value }) => value === barcode) ?? { type: null, value: barcode ?? '' };
  const others = barcodes.filter(({ value }, at) => value !== barcode && (at > 0 || value !== ours));
  return { ...rest, barcodes: barcode === null ? others : [first, ...others] };
}
