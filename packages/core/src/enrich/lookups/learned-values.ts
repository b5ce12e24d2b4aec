import type { SourceAnswer } from '@draftshelf/domain/enrich/sources';
import { webImages } from '@draftshelf/domain/products/images';
import type { EffectiveRow } from '../../review/effective-rows.ts';
import type { OwnAnswer } from '../lookups.ts';
import { productFacts } from './product-facts.ts';

type ValueSource = EffectiveRow['sources'][keyof EffectiveRow['sources']];

/**
 * The operator's own values of a product as an answer about its GTIN, with the title and brand, by which it is compared
 * with later products; none without such values. `isOwn`: by the source of a value, undefined for the file. A brand
 * that was found is not learned.
 */
export function learnedFrom(
  rows: readonly EffectiveRow[],
  isOwn: (source: ValueSource) => boolean,
): OwnAnswer[] {
  const { gtin, values } = productFacts(rows);
  if (gtin === null || !values.title?.trim()) return [];
  const of = (field: 'vendor' | 'description' | 'type', isTaken = isOwn) =>
    isTaken(rows[0]?.sources[field]) && values[field]?.trim() ? values[field] : undefined;
  const images = rows.flatMap((row) => (isOwn(row.sources.image) ? webImages(row.values) : []));
  const [description, category] = [of('description'), of('type')];
  if (!of('vendor') && !description && !category && images.length === 0) return [];
  const brand = of('vendor', (source) => source !== 'found');
  const answer: Partial<SourceAnswer> = {
    title: values.title,
    ...(brand ? { brand } : {}),
    ...(description ? { description } : {}),
    ...(category ? { category } : {}),
    ...(images.length > 0 ? { images } : {}),
  };
  return [{ gtin, answer }];
}

/** What was learned from products and no longer is, for example after an undo. */
export function noLongerLearned(before: readonly OwnAnswer[], now: readonly OwnAnswer[]): OwnAnswer[] {
  return before.flatMap(({ gtin, answer }) => {
    const learned = now.filter((one) => one.gtin === gtin);
    const gone = Object.entries(answer).filter(([field]) => !learned.some((one) => field in one.answer));
    return gone.length === 0 ? [] : [{ gtin, answer: Object.fromEntries(gone) }];
  });
}
