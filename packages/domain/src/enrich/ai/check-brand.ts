import { foldText, wordsOf } from './fold-text.ts';
import type { RowFacts } from './row-facts.ts';

/** Why a brand is not the row's; null: a value of the row has its words in a row. */
export function brandProblem(brand: string, row: RowFacts, types: readonly string[]): string | null {
  const folded = wordsOf(foldText(brand)).join(' ');
  if (folded === '' || !/\p{L}/u.test(folded)) return brand;
  if (types.some((type) => wordsOf(foldText(type)).join(' ') === folded)) return brand;
  return row.values.some((value) => ` ${wordsOf(value).join(' ')} `.includes(` ${folded} `)) ? null : brand;
}
