import type { Row } from '@draftshelf/contract/review/rows';
import { picturesOf } from '@draftshelf/domain/products/images';

/** A product that a push created: its page in the store's admin, title and first picture. */
export type Draft = { product: number; storeUrl: string; title: string; picture: string };

const draftsMax = 3;

type PushedRow = Pick<Row, 'product' | 'values' | 'outcome' | 'image'>;

/** The first products among the rows that were created in the store with a picture that loads, at most three. */
export function firstDrafts(rows: readonly PushedRow[]): Draft[] {
  const drafts = new Map<number, Draft>();
  for (const { product, values, outcome, image } of rows) {
    const picture = picturesOf(values)[0]?.src;
    const isShown = picture !== undefined && image?.state !== 'failed' && image?.state !== 'invalid';
    if (drafts.has(product) || !isShown || outcome?.result !== 'created' || outcome.storeUrl === null)
      continue;
    drafts.set(product, { product, storeUrl: outcome.storeUrl, title: values.title ?? '', picture });
    if (drafts.size === draftsMax) break;
  }
  return [...drafts.values()];
}
