import { foldText, wordsOf } from './fold-text.ts';
import type { RowFacts } from './row-facts.ts';

const usedWith =
  /(?:for|fits?|compatible with|fur|passend fur|pour|compatible avec|para|compatible con|per|compatibile con|voor|geschikt voor|till|til|do|для)$/;

/**
 * Why a brand is not the row's; null: the row names it, in a row of words, and not only after 'for' or 'compatible
 * with'.
 */
export function brandProblem(brand: string, row: RowFacts, types: readonly string[]): string | null {
  const folded = wordsOf(foldText(brand)).join(' ');
  if (folded === '' || !/\p{L}/u.test(folded)) return brand;
  if (types.some((type) => wordsOf(foldText(type)).join(' ') === folded)) return brand;
  const places = row.values.flatMap((value) => {
    const text = ` ${wordsOf(value).join(' ')} `;
    const at = text.indexOf(` ${folded} `);
    return at < 0 ? [] : [text.slice(0, at).trim()];
  });
  if (places.length === 0) return brand;
  return places.every((before) => usedWith.test(before)) ? brand : null;
}
