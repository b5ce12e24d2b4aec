import type { Recipe } from '@draftshelf/contract/review/recipes';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { assume } from '../../../api/assume.ts';
import { type CallRequest, call, type Reply } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { refreshAfterEdit } from '../rows-api.ts';

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

/** Does recipes again, or none of them. */
export function useRecipesAnswer(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Answer) => call('answerRecipes', { params: { id: importId }, body }),
    onSettled: () =>
      Promise.all([
        refreshAfterEdit(client, importId),
        client.invalidateQueries({ queryKey: readKey('listRecipes', { id: importId }) }),
      ]),
  });
}

/** Forgets a recipe: it is not offered any more. It goes at once, so that its preview is not read again. */
export function useForgetting(importId: string, supplier: number) {
  const client = useQueryClient();
  const failure = useFailureToast();
  const queryKey = readKey('listRecipes', { id: importId });
  return useMutation({
    mutationFn: (recipe: string) => call('removeRecipe', { params: { id: supplier, recipe } }),
    onMutate: (recipe) =>
      assume<Reply<'listRecipes'>>(client, { queryKey, exact: true }, (now) => ({
        ...now,
        recipes: now.recipes.filter(({ id }) => id !== recipe),
      })),
    onError: (error, _recipe, takeBack) => {
      takeBack?.();
      failure.show('Couldn’t forget it', error.message);
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

/** Says whether a recipe is done without asking from now on. */
export function useAlways(importId: string, supplier: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, version, isAlways }: { id: string; version: number; isAlways: boolean }) =>
      call('changeRecipe', {
        params: { id: supplier, recipe: id },
        body: { version, asks: isAlways ? 'always' : 'ask' },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: readKey('listRecipes', { id: importId }) }),
  });
}
