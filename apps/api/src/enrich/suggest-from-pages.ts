import {
  ruleSuggester,
  type SuggestedRule,
  type TypedTitle,
} from '@draftshelf/domain/enrich/rules/suggest-rules';

/** More products are not compared. */
export const comparedMax = 50_000;
/** No page is read after this time. */
const compareMsMax = 5_000;

/**
 * Rules that the products of a store suggest, and how many products were compared. `readPage` returns the products
 * behind an id, by id; none: there are no more.
 */
export async function suggestFromPages(
  readPage: (after: string) => Promise<readonly (TypedTitle & { id: string })[]>,
): Promise<{ products: number; rules: SuggestedRule[] }> {
  const suggester = ruleSuggester();
  const until = performance.now() + compareMsMax;
  let products = 0;
  let after: string | undefined = '';
  while (after !== undefined && products < comparedMax && performance.now() < until) {
    const page: readonly (TypedTitle & { id: string })[] = await readPage(after);
    for (const product of page) suggester.add(product);
    products += page.length;
    after = page.at(-1)?.id;
  }
  return { products, rules: suggester.suggest() };
}
