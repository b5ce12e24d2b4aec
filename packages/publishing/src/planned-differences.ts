import { isDeepStrictEqual } from 'node:util';
import type { SilentFields } from '@draftshelf/domain/products/draft-product';
import type { Difference, ShownChanges } from '@draftshelf/domain/push/push-plan';
import type { Collection } from '@draftshelf/shopify/collections';
import { variantFieldList } from '@draftshelf/shopify/product/fields';
import {
  listCommonSilentFields,
  listSilentParts,
  liveFieldNames,
} from '@draftshelf/shopify/product/silent-parts';
import { hasVariantName, isPriceFieldName } from '@draftshelf/shopify/product/variant-names';
import type { Pushed } from './decision.ts';
import { getSilentFields } from './draft-source.ts';
import type { PlannedDecision } from './plan-product.ts';
import { describeDraft, describeLive, describeUpdated, type ShownProduct } from './shown-product.ts';

/** Differences between the store's product and ours. `sent`: whether the push sends them. `asked`: open questions. */
export type PlannedDifferences = {
  sent: boolean;
  differences: Difference[];
  asked: Difference[];
  images: { store: ShownProduct['images']; push: ShownProduct['images'] };
};

export function findPlannedDifferences(
  { decision, by }: PlannedDecision,
  collections: readonly Collection[],
): PlannedDifferences {
  const titles = new Map(collections.map(({ id, title }) => [id, title]));
  const live = 'before' in decision ? decision.before : (by.live ?? by.listing?.pushed?.baseline ?? null);
  if (decision.kind === 'skip' && live === null && !by.listing) {
    return { sent: false, differences: [], asked: [], images: { store: [], push: [] } };
  }
  const before = live ? describeLive(live, titles) : nothing;
  const after = shownPush({ decision, by }, titles) ?? before;
  const sent = decision.kind === 'create' || decision.kind === 'update';
  const differences = differencesOf(before, after, sent ? isSame : isSameNumber);
  const isLeft = [filledIn(before, by.listing?.pushed, titles), unsaid(getSilentFields(by.built))];
  return {
    sent,
    asked: [...(decision.question?.fields ?? [])],
    differences: sent ? differences : differences.filter((one) => !isLeft.some((is) => is(one))),
    images: { store: before.images, push: after.images },
  };
}

/** Returns the parts that differ. If the product has one variant, the variant's field names replace 'variants'. */
export function changedParts(differences: readonly Difference[]): string[] {
  const ofVariants = differences.filter(({ part }) => part === 'variants');
  const isOnly = !ofVariants.some(({ name }) => hasVariantName(name));
  return [...new Set(differences.map(({ part, name }) => (isOnly && part === 'variants' ? name : part)))];
}

/** Returns a test for values that no push clears, because we sent none, such as a brand that the store filled in. */
function filledIn(
  live: ShownProduct,
  pushed: Pushed | null | undefined,
  titles: ReadonlyMap<string, string>,
): (difference: Difference) => boolean {
  if (!pushed?.baseline) return () => false;
  const [then, sent] = [describeLive(pushed.baseline, titles).parts, describeDraft(pushed.sent).parts];
  return ({ part, name, push }) =>
    push === null &&
    sent[part] !== undefined &&
    sent[part][name] === undefined &&
    isDeepStrictEqual(then[part], live.parts[part]);
}

/** Returns a test for values that the file lacks. For such values, an update does not send the draft's defaults. */
function unsaid(silent: SilentFields | undefined): (difference: Difference) => boolean {
  if (!silent) return () => false;
  const { product, status } = silent.ofOurs;
  const parts = new Set<string>([
    ...listSilentParts(silent),
    ...product.filter((field) => field === 'collections'),
    ...(status === null ? ['status'] : []),
  ]);
  const keys = new Set<string>(listCommonSilentFields(silent).map((field) => liveFieldNames[field]));
  const fields = new Set(variantFieldList.flatMap(({ key, name }) => (keys.has(key) ? [name] : [])));
  if (keys.has('quantity')) fields.add('quantity');
  if (parts.has('options')) fields.add('options');
  return ({ part, name }) =>
    parts.has(part) || (part === 'variants' && fields.has(name.split(' · ').at(-1) ?? ''));
}

const nothing: ShownProduct = { parts: {}, images: [] };

function shownPush(
  { decision, by }: PlannedDecision,
  titles: ReadonlyMap<string, string>,
): ShownProduct | undefined {
  if (decision.kind === 'create') return describeDraft(decision.draft);
  if (decision.kind === 'update') {
    return describeUpdated(decision.before, decision.variables.input, decision, titles);
  }
  return decision.kind === 'skip' && by.built.ok ? describeDraft(by.built.product) : undefined;
}

type Images = ShownProduct['images'];

const isSame = (some: Images, others: Images) => JSON.stringify(some) === JSON.stringify(others);

/** Only the numbers of pictures can be compared, because the store serves copies with addresses of their own. */
const isSameNumber = (some: Images, others: Images) => some.length === others.length;

function differencesOf(
  before: ShownProduct,
  after: ShownProduct,
  haveSameImages: (some: Images, others: Images) => boolean,
): Difference[] {
  const parts = new Set([...Object.keys(before.parts), ...Object.keys(after.parts)]);
  const found = [...parts].flatMap((part) => {
    const [a, b] = [before.parts[part] ?? {}, after.parts[part] ?? {}];
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
      a[name] === b[name] ? [] : [{ part, name, store: a[name] ?? null, push: b[name] ?? null }],
    );
  });
  const count = (images: Images) => (images.length === 0 ? null : String(images.length));
  const images = { part: 'images', name: '', store: count(before.images), push: count(after.images) };
  return haveSameImages(before.images, after.images) ? found : [...found, images];
}

const shownMax = 3;
/** Maximum length of a value in a plan's line. Longer values are read only with the product's differences. */
const shownCharsMax = 160;

/** Returns the differences that a plan's line shows: changed prices first, beginning with the largest change. */
export function selectShownChanges(differences: readonly Difference[]): ShownChanges | undefined {
  if (differences.length === 0) return undefined;
  const shown = differences.toSorted((a, b) => priceSize(b) - priceSize(a)).slice(0, shownMax);
  return { shown: shown.map(shortened), more: differences.length - shown.length };
}

function shortened(difference: Difference): Difference {
  const { store, push } = difference;
  const isLong = Math.max(store?.length ?? 0, push?.length ?? 0) > shownCharsMax;
  return isLong ? { ...difference, store: null, push: null } : difference;
}

/**
 * Returns the rank of a changed product in its plan. A lower rank is a larger change: products with changed prices
 * come first, ordered by the factor of the change, then other products, ordered by their number of changes.
 */
export const rankChange = (differences: readonly Difference[]): number =>
  sizeMax - Math.max(Math.min(differences.length, factorUnit - 1), ...differences.map(priceSize));

/** Returns the rank of a product without changes. Such products come last: created, then skipped, then unchanged. */
export const rankUnchanged = (outcome: string): number => sizeMax + 1 + staying.indexOf(outcome);

const staying: readonly string[] = ['created', 'skipped', 'unchanged'];

const sizeMax = 1_000_000;
/** A price change's size is its factor times this constant. Numbers of changes are smaller, so prices come first. */
const factorUnit = 1000;

/** Returns the factor of a change of price, in thousandths, or 0 if the value is no price or one side is missing. */
function priceSize({ part, name, store, push }: Difference): number {
  if (part !== 'variants' || !isPriceFieldName(name) || store === null || push === null) return 0;
  const [low = 0, high = 0] = [Number(store), Number(push)].sort((a, b) => a - b);
  return low > 0 ? Math.min(sizeMax, Math.round((factorUnit * high) / low)) : sizeMax;
}
