import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import type { ProductSetInput, VariantSetInput } from '../../documents.ts';
import { givenValues, setValue } from '../field.ts';
import { variantFieldList } from '../fields.ts';
import type { IntendedProduct, IntendedVariant } from '../intended-product.ts';
import type { LiveVariant, SelectedOption } from '../live-product.ts';
import type { ChosenVariant } from '../variant-identity.ts';

/** A variant as the product is to have it. `live`: as it has it; undefined: it is new. */
export type MergedVariant = {
  options: SelectedOption[];
  live: LiveVariant | undefined;
  input: VariantSetInput;
};

type Sides = {
  variants: readonly ChosenVariant[];
  live: { variants: readonly LiveVariant[] };
  locationId: string | null;
};

/**
 * All variants: ours with our changes, others as they are. Only changed option values are set; a new option name
 * applies to all variants. Null if these options cannot be one product's.
 */
export function mergedVariants(sides: Sides): MergedVariant[] | null {
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
    if (!inStore) return { options: one.options, live: undefined, input: newVariantInput(one, locationId) };
    const options = namedBy(names, inStore.options);
    const theirs = {
      options,
      live: inStore,
      input: { id: inStore.id, optionValues: optionValuesInput({ options }) },
    };
    return byId.get(inStore.id) ?? theirs;
  });
  const ofOne = merged.map(({ options }) => canonicalJson(options.map(({ name }) => name).toSorted()));
  return new Set(ofOne).size > 1 ? null : merged;
}

const isRenamed = ({ next, sent, forced }: ChosenVariant) =>
  forced.has('options') ||
  (sent !== undefined && canonicalJson(next.options) !== canonicalJson(sent.options));

/** Options under these names: by name, or by place if they have others. */
function namedBy(names: readonly string[], options: readonly SelectedOption[]): SelectedOption[] {
  if (names.length !== options.length || options.every(({ name }) => names.includes(name)))
    return [...options];
  return options.map(({ value }, at) => ({ name: names[at] ?? '', value }));
}

type Place = { one: IntendedVariant; inStore: undefined } | { one: undefined; inStore: LiveVariant };

/** The store's order, or the draft's for ours if that has changed. A new variant follows the one before it. */
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
  { sent, forced }: Pick<ChosenVariant, 'sent' | 'forced'>,
  live: LiveVariant,
): VariantSetInput {
  const input: VariantSetInput = { id: live.id, optionValues: optionValuesInput(next) };
  for (const field of variantFieldList) {
    const before = sent?.[field.key];
    if (forced.has(field.key) || canonicalJson(next[field.key]) !== canonicalJson(before)) {
      setValue(input, field, next[field.key], before ?? undefined);
    }
  }
  return input;
}

/** Option values as the operator sees them, with names where only these differ. */
const shown = (options: readonly SelectedOption[], withNames: boolean) =>
  options.map(({ name, value }) => (withNames ? `${name}: ${value}` : value)).join(' / ');

/** The variants of the store that get other option values, as 'Sm → S'. */
export const renamedIn = (merged: readonly MergedVariant[]): string[] =>
  merged.flatMap(({ options, live }) => {
    if (!live || canonicalJson(live.options) === canonicalJson(options)) return [];
    const isValue = shown(live.options, false) !== shown(options, false);
    return [`${shown(live.options, !isValue)} → ${shown(options, !isValue)}`];
  });

const shownMax = 3;

/** The question about variants that get other option values. */
export function renameQuestion(renamed: readonly string[]): string {
  const more = renamed.length > shownMax ? [`${renamed.length - shownMax} more`] : [];
  const which = [...renamed.slice(0, shownMax), ...more].join(', ');
  return `Renames option values in the store (${which}). It has not been tried on a real store that the variants keep their stock.`;
}

/** The options of a product with their values, in order. */
export function productOptionsInput(
  options: IntendedProduct['options'],
): NonNullable<ProductSetInput['productOptions']> {
  return options.map(({ name, values }) => ({ name, values: values.map((value) => ({ name: value })) }));
}

/** A variant that the store does not have yet. */
export function newVariantInput(variant: IntendedVariant, locationId: string | null): VariantSetInput {
  const input: VariantSetInput = {
    optionValues: optionValuesInput(variant),
    ...givenValues(variantFieldList, variant),
  };
  if (locationId !== null && variant.tracked) {
    input.inventoryQuantities = [{ locationId, name: 'available', quantity: variant.quantity }];
  }
  return input;
}

export function optionValuesInput(
  variant: Pick<IntendedVariant, 'options'>,
): VariantSetInput['optionValues'] {
  return variant.options.map(({ name, value }) => ({ optionName: name, name: value }));
}

/** The input of a variant that the store has: a barcode goes before all others, in the place of `ours`. */
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
