import { mapWrittenWords, splitProductWords } from '../../base/product-words.ts';
import { z } from '../../base/schema.ts';
import { rulesMax } from './category-rule.ts';

export type TitleWithType = { title: string; type: string; vendor: string };

/** A word in titles that is typical of a product type. */
export const SuggestedRule = z.object({
  type: z.string(),
  /** The word as it is written in titles, in lower case. */
  word: z.string(),
  /** The number of products of the type in the store, and how many of these have the word in their title. */
  products: z.number().int(),
  withWord: z.number().int(),
});
export type SuggestedRule = z.infer<typeof SuggestedRule>;

/** The minimum number of products of a type. Fewer products do not show which words are typical. */
const productsMin = 20;
const shareMin = 0.9;

type WordCount = { written: string; types: Map<string, number> };

/** Returns a collector that finds, for each type, the most frequent title word that no other type and no brand has. */
export function createRuleSuggester() {
  const types = new Map<string, number>();
  /** Words, keyed by compared form: how titles spell the word, and the number of products with the word by type. */
  const words = new Map<string, WordCount>();
  return {
    /** Adds a product. Ignores a product without a type. */
    add({ title, type: text, vendor }: TitleWithType): void {
      const type = text.trim();
      if (type === '') return;
      types.set(type, (types.get(type) ?? 0) + 1);
      // Numbers and colors do not describe a type, and the words of a brand belong to one supplier.
      for (const [word, written] of mapWrittenWords(title, splitProductWords(vendor).words)) {
        const count = words.get(word) ?? { written, types: new Map<string, number>() };
        count.types.set(type, (count.types.get(type) ?? 0) + 1);
        if (written < count.written) count.written = written;
        words.set(word, count);
      }
    },
    /** Returns suggestions from all products added so far, at most as many as the limit of rules. */
    suggest: () => suggestFrom(types, words.values()),
  };
}

function suggestFrom(types: ReadonlyMap<string, number>, words: Iterable<WordCount>): SuggestedRule[] {
  const best = new Map<string, SuggestedRule>();
  for (const { written: word, types: ofTypes } of words) {
    const [only, another] = ofTypes;
    if (only === undefined || another !== undefined) continue;
    const [type, withWord] = only;
    const products = types.get(type) ?? 0;
    if (products < productsMin || withWord < shareMin * products) continue;
    const known = best.get(type);
    const isBetter =
      known === undefined || withWord > known.withWord || (withWord === known.withWord && word < known.word);
    if (isBetter) best.set(type, { type, word, products, withWord });
  }
  return [...best.values()]
    .toSorted((a, b) => b.products - a.products || (a.type < b.type ? -1 : 1))
    .slice(0, rulesMax);
}
