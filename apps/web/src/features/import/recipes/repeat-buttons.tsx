import type { Recipe, RecipePreview } from '@draftshelf/contract/review/recipes';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { SmallHintedButton } from '../../../ui/hint.tsx';
import { describeTarget } from '../bulk-edit/chosen-rows.ts';
import { editLockReason, useCommandNotice } from '../edits/edits-api.ts';
import type { ShownImport } from '../imports-api.ts';

/** Buttons that repeat the changes of the last list. A review comes first if a change would have another effect. */
export function RepeatButtons({ record, onReview }: { record: ShownImport; onReview: () => void }) {
  const { id } = record;
  const answering = useCall('answerRecipes', { params: { id }, failed: 'Couldn’t do it again' });
  const tell = useCommandNotice(id);
  const repeating = useMutation({
    mutationFn: async () => {
      const { recipes } = await call('listRecipes', { params: { id } });
      const previews = await Promise.all(
        recipes.map((recipe) => call('previewRecipe', { params: { id, recipe: recipe.id }, body: {} })),
      );
      return previews.every(({ reason }) => reason === null) ? recipes : [];
    },
    onSuccess: (recipes) => {
      if (recipes.length === 0) return onReview();
      answering.mutate(
        { body: { do: recipes.map((recipe) => ({ id: recipe.id })) } },
        { onSuccess: (reply) => tell(reply, recipeSummaryWords(recipes)) },
      );
    },
    // Opens the review, which reads the same data and shows why the read failed.
    onError: onReview,
  });
  const reason = editLockReason(record);
  return (
    <>
      <SmallHintedButton
        reason={reason}
        loading={repeating.isPending || answering.isPending}
        onClick={() => repeating.mutate()}
      >
        Do It Again
      </SmallHintedButton>
      <SmallHintedButton aria-haspopup="dialog" reason={reason} onClick={onReview}>
        Review
      </SmallHintedButton>
    </>
  );
}

type Sentences = readonly { sentence: string }[];

export function recipeSummaryWords([first, ...others]: Sentences): string {
  const named = first?.sentence ?? '';
  return others.length === 0 ? named : `${named} and ${formatCount(others.length)} more`;
}

export const missedRecipesWords = (recipes: Sentences): string =>
  `${recipeSummaryWords(recipes)} ${recipes.length === 1 ? 'wasn’t' : 'weren’t'} applied to this list.`;

export function recipeRowsWords(
  { rowsLast }: Pick<Recipe, 'rowsLast'>,
  preview: Pick<RecipePreview, 'rows' | 'isExact'> | undefined,
): string {
  const last = `last time ${formatCount(rowsLast)}`;
  if (preview === undefined) return last;
  const { rows, isExact } = preview;
  return `${isExact ? '' : 'about '}${countOf(rows, 'row')}, ${last}`;
}

export function targetWords(target: Recipe['target']): string {
  if ('products' in target) return countOf(target.products, 'chosen product');
  return describeTarget({ target, notShown: 0 });
}
