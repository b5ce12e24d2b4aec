import type { Recipe } from '@draftshelf/contract/review/recipes';
import { useState } from 'react';
import { noUses, type Uses, useRecipePreviews } from './recipes-api.ts';

export type Choice = ReturnType<typeof useChoice>;

/** Which recipes are ticked: by themselves those that do what they did last time. */
export function useChoice(importId: string, recipes: readonly Recipe[]) {
  const [ticks, setTicks] = useState<Record<string, boolean>>({});
  const [uses, setUses] = useState<Record<string, Uses>>({});
  const usesOf = (id: string) => uses[id] ?? noUses;
  const previews = useRecipePreviews(importId, recipes, usesOf);
  const previewOf = ({ id }: Recipe) => previews[recipes.findIndex((recipe) => recipe.id === id)]?.data;
  return {
    previews,
    usesOf,
    isLoading: previews.some(({ isPending }) => isPending),
    isTicked: (recipe: Recipe): boolean => ticks[recipe.id] ?? previewOf(recipe)?.reason === null,
    tick: ({ id }: Recipe, isTicked: boolean) => setTicks((before) => ({ ...before, [id]: isTicked })),
    use: ({ id }: Recipe, of: keyof Uses, name: string, column: string) =>
      setUses((before) => {
        const own = before[id] ?? noUses;
        return { ...before, [id]: { ...own, [of]: { ...own[of], [name]: column } } };
      }),
  };
}
