import type { SavedRules } from '@draftshelf/contract/enrich/rules';
import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CallError, call } from '../../api/call.ts';
import { readOf } from '../../api/read.ts';

const rulesRead = () => ({ ...readOf('listRules'), staleTime: 0 });

/** The saved rules, read each time `isShown` becomes true. */
export function useRules(isShown: boolean) {
  return useQuery({ ...rulesRead(), enabled: isShown });
}

/** Saves all rules over those of a version. After a conflict the cache has the rules that were saved meanwhile. */
export function useRulesSave() {
  const client = useQueryClient();
  const keep = (saved: SavedRules) => client.setQueryData(rulesRead().queryKey, saved);
  return useMutation({
    mutationFn: (body: { rules: CategoryRule[]; version: string }) => call('saveRules', { body }),
    onSuccess: keep,
    onError: (error) => {
      const meanwhile = savedMeanwhile(error);
      if (meanwhile !== null) keep(meanwhile);
    },
  });
}

/** The rules that were saved meanwhile, from the error of a save; null: it failed for another reason. */
export function savedMeanwhile(error: Error): SavedRules | null {
  if (!(error instanceof CallError) || error.status !== 409) return null;
  return (error.current as SavedRules | undefined) ?? null;
}

/** The newest imports that can be reviewed. */
export function useReviewedImports() {
  return useQuery({
    ...readOf('listImports'),
    queryKey: ['imports to try rules on'],
    select: (imports) => imports.filter(({ status }) => canDo('review', status)),
    staleTime: 0,
  });
}

/** Tries rules on an import. Nothing changes. */
export function useRulesTrial() {
  return useMutation({
    mutationFn: ({ importId, rules }: { importId: string; rules: CategoryRule[] }) =>
      call('tryRules', { params: { id: importId }, body: { rules } }),
  });
}

/** Finds rules in the store's products. */
export function useSuggestion() {
  return useMutation({ mutationFn: () => call('suggestRules') });
}

/** Applies the saved rules to an import, in the background. */
export const applyRulesTo = (id: string) => call('applyRules', { params: { id } });
