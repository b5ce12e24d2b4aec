import { variantFieldList } from './fields.ts';
import {
  type ComparedPart,
  comparedPartNames,
  comparedParts,
  type LiveProduct,
  type LiveVariant,
} from './live-product.ts';
import { isEqual, mapById, optionKey } from './undo-sides.ts';

export type VariantKey = (typeof variantFieldList)[number]['key'] | 'options';

/** A changed part of a product, or changed `keys` of a variant. `change`: the whole variant was added or deleted. */
export type DriftedField = {
  part: ComparedPart;
  name: string;
  /** The id of the variant. Undefined for a field of the product or of all variants. */
  variant?: string;
  keys?: readonly VariantKey[];
  change?: 'added' | 'deleted';
};

/**
 * Values of fields that others had changed and that our write left alone. Later drift is measured against these
 * values. A variant has only these fields, or all fields if the variant was deleted. `answers`: for each field that
 * the operator kept, a hash of the store's value and ours.
 */
export type KeptValues = Omit<Partial<LiveProduct>, 'variants'> & {
  variants?: readonly (Partial<LiveVariant> & { id: string })[];
  answers?: Readonly<Record<string, string>>;
};

const comparedOfVariant: { name: string; keys: VariantKey[] }[] = [
  { name: 'options', keys: ['options'] },
  ...[...Map.groupBy(variantFieldList, ({ key, isOneWith = key }) => isOneWith).values()].map((fields) => ({
    name: fields[0]?.name ?? '',
    keys: fields.map(({ key }) => key),
  })),
];

export const comparedVariantKeys: readonly VariantKey[] = comparedOfVariant.flatMap(({ keys }) => keys);

const texts = new Map(variantFieldList.map(({ key, text }) => [key, text]));

export const pickVariantValues = (one: object, keys: readonly VariantKey[]): unknown[] =>
  keys.map((key) => {
    const value = (one as Record<string, unknown>)[key];
    if (key === 'options') return (value as LiveVariant['options']).map((option) => option.value);
    return texts.get(key)?.(value);
  });

/** Returns whether variants have the same values, ignoring fields that an older version did not store. */
export const hasSameValues = (a: object, b: object, keys: readonly VariantKey[]): boolean => {
  const known = keys.filter((key) =>
    [a, b].every((one) => (one as Record<string, unknown>)[key] !== undefined),
  );
  return isEqual(pickVariantValues(a, known), pickVariantValues(b, known));
};

export const keepCommonOptions = (
  options: LiveProduct['options'],
  others: LiveProduct['options'],
): LiveProduct['options'] =>
  options.map(({ name, values }, at) => ({
    name,
    values: values.filter((value) => others[at]?.values.includes(value)),
  }));

type Compared = { part(part: ComparedPart): boolean; key(key: VariantKey): boolean };

/**
 * Returns the fields that others have changed since an earlier state. Not compared: the handle (we never set it), the
 * status (the merchant publishes), quantities (sales), further barcodes (older states lack them), collections, image
 * states and updatedAt (Shopify sets them).
 */
export function findDriftedFields(
  live: LiveProduct,
  earlier: LiveProduct,
  compared: Compared = { part: () => true, key: () => true },
): DriftedField[] {
  const [a, b] = [comparable(live, earlier), comparable(earlier, live)];
  return comparedPartNames.flatMap((part): DriftedField[] => {
    if (part === 'variants') return driftedVariants(a, b, compared);
    if (!compared.part(part)) return [];
    if ([a, b].some((side) => comparedParts[part].value(side) === undefined)) return [];
    const same =
      part === 'options'
        ? isEqual(keepCommonOptions(a.options, b.options), keepCommonOptions(b.options, a.options))
        : isEqual(comparedParts[part].value(a), comparedParts[part].value(b));
    return same ? [] : [{ part, name: part }];
  });
}

/** Returns the drift of variants, matched by id, or by options if a variant was created again with a new id. */
function driftedVariants(live: LiveProduct, earlier: LiveProduct, compared: Compared): DriftedField[] {
  const [is, had] = [mapById(live.variants), mapById(earlier.variants)];
  const gone = new Map(earlier.variants.filter(({ id }) => !is.has(id)).map((one) => [optionKey(one), one]));
  const changed = live.variants.flatMap((one): DriftedField[] => {
    const again = had.has(one.id) ? undefined : gone.get(optionKey(one));
    if (again) gone.delete(optionKey(one));
    const was = had.get(one.id) ?? again;
    const of = { part: 'variants', variant: one.id } as const;
    if (!was) return [{ ...of, name: 'variant added', change: 'added' }];
    return comparedOfVariant.flatMap(({ name, keys: all }) => {
      const keys = all.filter(compared.key);
      return hasSameValues(one, was, keys) ? [] : [{ ...of, name, keys }];
    });
  });
  const deleted = [...gone.values()].map(
    ({ id }): DriftedField => ({
      ...{ part: 'variants', variant: id, name: 'variant deleted', change: 'deleted' },
    }),
  );
  return [...changed, ...deleted];
}

export const findDriftedParts = (live: LiveProduct, earlier: LiveProduct): ComparedPart[] => [
  ...new Set(findDriftedFields(live, earlier).map(({ part }) => part)),
];

export const listDriftedNames = (fields: readonly DriftedField[]): string[] => [
  ...new Set(fields.map(({ name }) => name)),
];

export const fieldKey = ({ part, name, variant }: DriftedField): string =>
  variant === undefined ? part : `${variant} ${name}`;

/** Returns the earlier values of `fields`. If a variant was created again, its values are returned under its new id. */
export function pickKeptValues(
  earlier: LiveProduct,
  fields: readonly DriftedField[],
  live: LiveProduct = earlier,
): KeptValues {
  const [had, is] = [mapById(earlier.variants), mapById(live.variants)];
  const kept = fields.map(({ part, variant, keys, change }): KeptValues => {
    if (part !== 'variants') return { [comparedParts[part].live]: earlier[comparedParts[part].live] };
    const now = is.get(variant ?? '');
    const was =
      had.get(variant ?? '') ?? earlier.variants.find((one) => now && optionKey(one) === optionKey(now));
    if (!was || variant === undefined || change === 'added') return {};
    const { quantity: _, ...whole } = was;
    const values = keys ? Object.fromEntries(keys.map((key) => [key, was[key]])) : whole;
    return { variants: [{ ...values, id: variant }] };
  });
  return mergeKeptValues(...kept);
}

export function mergeKeptValues(...all: readonly (KeptValues | null | undefined)[]): KeptValues {
  const variants = new Map<string, Partial<LiveVariant> & { id: string }>();
  for (const one of all.flatMap((kept) => kept?.variants ?? [])) {
    variants.set(one.id, { ...variants.get(one.id), ...one });
  }
  const merged: KeptValues = Object.assign({}, ...all);
  return variants.size > 0 ? { ...merged, variants: [...variants.values()] } : merged;
}

/** Returns a product with the values in `kept`, except quantities, because stock may have been sold since. */
export function applyKeptValues(product: LiveProduct, kept: KeptValues | null): LiveProduct {
  if (!kept) return product;
  const { variants = [], answers: _, ...parts } = kept;
  const [had, is] = [mapById(variants), mapById(product.variants)];
  const deleted = variants.filter(
    (one): one is LiveVariant => !is.has(one.id) && one.inventoryItemId !== undefined,
  );
  return {
    ...product,
    ...parts,
    variants: [
      ...product.variants.map((one) => ({ ...one, ...had.get(one.id), quantity: one.quantity })),
      ...deleted.map((one) => ({ ...one, quantity: null })),
    ],
  };
}

const cutLists = ['variants', 'media'] as const;

/** Omits items that are missing from the other product's cut list, because its unread part may have these items. */
function comparable(product: LiveProduct, other: LiveProduct): LiveProduct {
  const cut = cutLists.filter((list) => !other.complete[list]);
  if (cut.length === 0) return product;
  const lists = cut.map((list) => {
    const known = new Set(other[list].map(({ id }) => id));
    return [list, product[list].filter(({ id }: { id: string }) => known.has(id))];
  });
  return { ...product, ...Object.fromEntries(lists) };
}
