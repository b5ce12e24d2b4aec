import type { Recipe, RecipePreview } from '@draftshelf/contract/review/recipes';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { targetWords } from '../bulk-edit/chosen-rows.ts';

type Sentences = readonly { sentence: string }[];

export function namedWords([first, ...others]: Sentences): string {
  const named = first?.sentence ?? '';
  return others.length === 0 ? named : `${named} and ${formatCount(others.length)} more`;
}

export const missedWords = (recipes: Sentences): string =>
  `${namedWords(recipes)} ${recipes.length === 1 ? 'wasn’t' : 'weren’t'} done to this list.`;

export function rowsWords(
  { rowsLast }: Pick<Recipe, 'rowsLast'>,
  preview: Pick<RecipePreview, 'rows' | 'isExact'> | undefined,
): string {
  const last = `last time ${formatCount(rowsLast)}`;
  if (preview === undefined) return last;
  const { rows, isExact } = preview;
  return `${isExact ? '' : 'about '}${countOf(rows, 'row')}, ${last}`;
}

export function whereWords(target: Recipe['target']): string {
  if ('products' in target) return countOf(target.products, 'chosen product');
  return targetWords({ target, notShown: 0 });
}
