import type { SavedRules } from '@draftshelf/contract/enrich/rules';
import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { messageOf } from '../../api/call.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { useDraft } from '../../ui/use-draft.ts';
import { savedMeanwhile, useRules, useRulesSave } from './rules-api.ts';

export type RulesEdit = {
  rules: CategoryRule[];
  set: (rules: CategoryRule[]) => void;
  isDirty: boolean;
  isSaving: boolean;
  save: () => void;
  discard: () => void;
  /** Rules that another tab has saved meanwhile; null: none. */
  conflict: SavedRules | null;
  saveMine: () => void;
  useTheirs: () => void;
};

/** Edits the rules locally and saves all of them on request. They are read each time the editor opens. */
export function useRulesEdit(isOpen: boolean): { query: ReturnType<typeof useRules>; edit: RulesEdit } {
  const query = useRules(isOpen);
  const mutation = useRulesSave();
  const toast = useToast();
  const draft = useDraft<SavedRules, CategoryRule[]>({
    read: query.data,
    empty: [],
    editedOf: (saved) => saved.rules,
    isSame: (edited, saved) => JSON.stringify(edited) === JSON.stringify(saved.rules),
    isSaving: mutation.isPending,
  });
  const { base, edited: rules, conflict } = draft;
  const saveOver = (version: string) =>
    mutation.mutate(
      { rules, version },
      {
        onSuccess: (saved) => {
          draft.keep(saved, rules);
          toast({ title: 'Rules saved', text: 'Imports in review get them in the background.' });
        },
        onError: (error) => {
          const meanwhile = savedMeanwhile(error);
          draft.setConflict(meanwhile);
          if (meanwhile !== null) return;
          toast({
            title: 'Couldn’t save the rules',
            text: messageOf(error, 'Try again.'),
            tone: 'failure',
          });
        },
      },
    );
  return {
    query,
    edit: {
      rules,
      set: (changed) => draft.edit(() => changed),
      isDirty: draft.isDirty,
      isSaving: mutation.isPending,
      save: () => base !== null && saveOver(base.version),
      discard: () => base !== null && draft.take(query.data ?? base),
      conflict,
      saveMine: () => conflict !== null && saveOver(conflict.version),
      useTheirs: () => conflict !== null && draft.take(conflict),
    },
  };
}
