import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { pairVariants } from '@draftshelf/domain/products/pair-variants';
import type { DriftedField, VariantKey } from './drifted-fields.ts';
import { type IntendedVariant, toIntendedProduct } from './intended-product.ts';
import type { LiveProduct, LiveVariant } from './live-product.ts';

/** A variant as we intend it, as it was sent last, and as the store has it. */
export type IdentifiedVariant = {
  next: IntendedVariant;
  /** The variant as sent last. Undefined if it was not sent; its index in the sent draft, `sentAt`, is then -1. */
  sent: IntendedVariant | undefined;
  sentAt: number;
  seen: LiveVariant | undefined;
  live: LiveVariant | undefined;
};

/**
 * Finds each variant of a draft in the store by the id of the sent variant, even if its options have been renamed, or
 * else by equal values. `seen`: the product after our last write, which has these ids. Keeps the order of the draft.
 */
export function identifyVariants(
  draft: DraftProduct,
  product: { sent: DraftProduct; seen: LiveProduct | null; live: LiveProduct },
): IdentifiedVariant[] {
  const [next, sent] = [toIntendedProduct(draft).variants, toIntendedProduct(product.sent).variants];
  const live = product.live.variants;
  const written = sentInStore(sent, { seen: product.seen?.variants ?? [], live });
  const ours = pairVariants(next, sent, { isOurs: true });
  const known = new Set([...written.values()].map((one) => one.live?.id));
  const equal = pairVariants(next, live, { isOurs: false });
  const places = new Map(sent.map((one, at) => [one, at]));
  return next.map((one, at) => {
    const inSent = ours[at];
    const before = inSent && written.get(inSent);
    const sentAt = (inSent && places.get(inSent)) ?? -1;
    return {
      next: one,
      sent: inSent,
      sentAt,
      seen: before?.seen,
      live: before?.live ?? unlessKnown(known, equal[at]),
    };
  });
}

/** Returns a variant of the store, unless it belongs to another one of our variants. */
const unlessKnown = (known: ReadonlySet<string | undefined>, one: LiveVariant | undefined) =>
  one && !known.has(one.id) ? one : undefined;

/** A variant and the values to send. `forced`: keys that are sent although we did not change them. */
export type VariantToSend = IdentifiedVariant & { forced: ReadonlySet<VariantKey> };

/** Returns the variants to send. Fields in `leave` keep their sent values; whole variants in `leave` are omitted. */
export const pickVariantsToSend = (
  variants: readonly IdentifiedVariant[],
  { leave, force }: Record<'leave' | 'force', readonly DriftedField[]>,
): VariantToSend[] =>
  variants.flatMap((one) => {
    const { next, sent } = one;
    const left = leave.filter(({ variant }) => variant !== undefined && variant === findVariantId(one));
    if (left.some(({ change }) => change !== undefined)) return [];
    const keys = left.flatMap((field) => field.keys ?? []);
    const values = Object.fromEntries(sent ? keys.map((key) => [key, sent[key]]) : []);
    const areNamesLeft = leave.some(({ part }) => part === 'options');
    const options = (keys.includes('options') ? sent : next)?.options ?? next.options;
    const named = areNamesLeft
      ? options.map(({ name, value }, at) => ({ name: sent?.options[at]?.name ?? name, value }))
      : options;
    const forced = force.flatMap(({ part, variant, keys: all = [] }): readonly VariantKey[] => {
      if (part === 'options') return ['options'];
      return part === 'variants' && (variant === undefined || variant === findVariantId(one)) ? all : [];
    });
    return [{ ...one, next: { ...next, ...values, options: named }, forced: new Set(forced) }];
  });

/** Returns the id that one of our variants has, or had, in the store. */
export const findVariantId = ({ live, seen }: IdentifiedVariant): string | undefined => live?.id ?? seen?.id;

type InStore = Pick<IdentifiedVariant, 'seen' | 'live'>;

function sentInStore(
  sent: readonly IntendedVariant[],
  { seen, live }: Record<'seen' | 'live', readonly LiveVariant[]>,
): Map<IntendedVariant, InStore> {
  const liveById = new Map(live.map((one) => [one.id, one]));
  const then = pairVariants(sent, seen, { isOurs: true });
  const inStore = new Map(
    sent.map((one, at): [IntendedVariant, InStore] => [
      one,
      { seen: then[at], live: liveById.get(then[at]?.id ?? '') },
    ]),
  );
  const known = new Set([...inStore.values()].map((one) => one.live?.id));
  const equal = pairVariants(sent, live, { isOurs: false });
  for (const [at, one] of sent.entries()) {
    const before = inStore.get(one);
    if (!before?.live) inStore.set(one, { seen: before?.seen, live: unlessKnown(known, equal[at]) });
  }
  return inStore;
}

const keyOf = ({ options }: IntendedVariant) =>
  canonicalJson(options.map(({ value }) => value.trim().toLowerCase()));

/** Drops variants with the same options, ignoring case. Keeps the variant that is in the store, otherwise the first. */
export function dropDuplicateVariants(
  draft: DraftProduct,
  variants: readonly IdentifiedVariant[],
): { draft: DraftProduct; variants: IdentifiedVariant[]; notSent: string[] } {
  const first = new Map<string, IdentifiedVariant>();
  for (const one of variants) {
    const before = first.get(keyOf(one.next));
    if (!before || (one.live && !before.live)) first.set(keyOf(one.next), one);
  }
  const kept = new Set(first.values());
  const seconds = variants.filter((one) => !kept.has(one));
  const nameOf = ({ next }: IdentifiedVariant) =>
    next.sku || next.options.map(({ value }) => value).join(' / ');
  return {
    draft: {
      ...draft,
      variants: draft.variants.filter((_one, at) => kept.has(variants[at] as IdentifiedVariant)),
    },
    variants: variants.filter((one) => kept.has(one)),
    notSent: seconds.map((one) => `variant ${nameOf(one)} (another row is the same variant)`),
  };
}

/** Returns the variants of a draft by the ids in the product that was read after sending the draft. */
export function mapSentVariants(
  draft: DraftProduct | null,
  product: LiveProduct,
): Map<string, IntendedVariant> {
  const sent = draft ? toIntendedProduct(draft).variants : [];
  const inStore = pairVariants(sent, product.variants, { isOurs: true });
  return new Map(sent.flatMap((one, at) => (inStore[at] ? [[inStore[at].id, one] as const] : [])));
}
