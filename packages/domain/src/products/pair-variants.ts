/** The keys of a variant. The only variant of a product without options has no option, or 'Default Title'. */
export type VariantKeys = {
  options: readonly { name: string; value: string }[];
  sku: string | null;
  barcode: string | null;
};

/**
 * Returns the known variant for each variant, or undefined for a new one. The rules, in order: equal option values,
 * ignoring case, unless another variant now has the known variant's SKU; the only variant with the same SKU, then with
 * the same barcode; the last variant left. No known variant is used twice. If `isOurs`, we sent the known variants, so
 * a last unpaired variant on each side was renamed. Otherwise each side must have only one variant.
 */
export function pairVariants<Known extends VariantKeys>(
  variants: readonly VariantKeys[],
  known: readonly Known[],
  { isOurs }: { isOurs: boolean },
): (Known | undefined)[] {
  const pairs = new Map<VariantKeys, Known>();
  const taken = new Set<Known>();
  const pair = (one: VariantKeys, other: Known) => {
    if (pairs.has(one) || taken.has(other)) return;
    pairs.set(one, other);
    taken.add(other);
  };
  const bySku = pairsBy('sku', variants, known);
  const ofSku = new Map([...bySku].map(([one, other]) => [other, one]));
  const keyOf = optionsKey(variants, known);
  const byOptions = new Map(known.map((one) => [keyOf(one), one]));
  for (const one of variants) {
    const other = byOptions.get(keyOf(one));
    if (other && (ofSku.get(other) ?? one) === one) pair(one, other);
  }
  for (const found of [bySku, pairsBy('barcode', variants, known)]) {
    for (const [one, other] of found) pair(one, other);
  }
  const last = isOurs
    ? lastOf(
        variants.filter((one) => !pairs.has(one)),
        known.filter((one) => !taken.has(one)),
      )
    : lastOf(variants, known);
  if (last) pair(...last);
  const [first, plain] = [variants[0], known[0]];
  // If a product without options gets options, its variant becomes the first variant, as in the store's admin.
  if (isOurs && pairs.size === 0 && first && plain && known.length === 1 && isPlain(plain))
    pair(first, plain);
  return variants.map((one) => pairs.get(one));
}

/** Pairs variants by a value that is unique on both sides. */
function pairsBy<Known extends VariantKeys>(
  field: 'sku' | 'barcode',
  variants: readonly VariantKeys[],
  known: readonly Known[],
): Map<VariantKeys, Known> {
  const unique = <V extends VariantKeys>(list: readonly V[]) =>
    new Map([...Map.groupBy(list, (one) => one[field] ?? '')].filter(([, { length }]) => length === 1));
  const others = unique(known);
  return new Map(
    [...unique(variants)].flatMap(([value, [one]]) => {
      const other = value === '' ? undefined : others.get(value)?.[0];
      return one && other ? [[one, other] as const] : [];
    }),
  );
}

const fold = (text: string) => text.trim().toLowerCase();
const isPlain = ({ options }: VariantKeys) => options.every(({ value }) => value === 'Default Title');
const namesOf = (one: VariantKeys | undefined) => (one?.options ?? []).map(({ name }) => fold(name));

/** Returns a function that keys a variant by its option values, sorted by name if both sides have the same options. */
function optionsKey(variants: readonly VariantKeys[], known: readonly VariantKeys[]) {
  const [names, others] = [namesOf(variants[0]).sort(), namesOf(known[0]).sort()];
  const isSameSet = JSON.stringify(names) === JSON.stringify(others);
  return (one: VariantKeys): string => {
    if (isPlain(one)) return '';
    const options = one.options.map(({ name, value }) => ({ name: fold(name), value: fold(value) }));
    if (isSameSet) options.sort((a, b) => (a.name < b.name ? -1 : 1));
    return JSON.stringify(options.map(({ value }) => value));
  };
}

/** Pairs the last unmatched variants of both lists unless their SKU or barcode differs. */
function lastOf<Known extends VariantKeys>(
  variants: readonly VariantKeys[],
  known: readonly Known[],
): [VariantKeys, Known] | undefined {
  const [one, other] = [variants[0], known[0]];
  if (!one || !other || variants.length + known.length > 2) return undefined;
  const differs = (field: 'sku' | 'barcode') => one[field] && other[field] && one[field] !== other[field];
  const isOther = differs('sku') || (differs('barcode') && !(one.sku && one.sku === other.sku));
  return isOther && !isPlain(one) && !isPlain(other) ? undefined : [one, other];
}
