import type { Recipe } from '@draftshelf/contract/review/recipes';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type CallRequest, call } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';

type Answer = NonNullable<CallRequest<'answerRecipes'>['body']>;

/** Columns that are read in place of missing ones. */
export type Uses = NonNullable<Answer['do'][number]['uses']>;

export const noUses: Uses = { columns: {}, fields: {} };

/** What was done to earlier lists and not to this one, as it is when it is looked at. */
export const useRecipes = (importId: string, enabled: boolean) =>
  useQuery({ ...readOf('listRecipes', { params: { id: importId } }), staleTime: 0, enabled });

/** What each recipe would do to a list. None is kept: others may change the rows at any time. */
export const useRecipePreviews = (
  importId: string,
  recipes: readonly Recipe[],
  usesOf: (recipe: string) => Uses,
) =>
  useQueries({
    queries: recipes.map(({ id, version }) => ({
      queryKey: [...readKey('previewRecipe', { id: importId, recipe: id }), version, usesOf(id)],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('previewRecipe', {
          params: { id: importId, recipe: id },
          body: { uses: usesOf(id) },
          signal,
        }),
      staleTime: 0,
      gcTime: 0,
    })),
  });
