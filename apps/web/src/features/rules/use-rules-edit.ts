import type { SavedRules } from '@draftshelf/contract/enrich/rules';
import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { useState } from 'react';
import { messageOf } from '../../api/call.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { savedMeanwhile, useRules, useRulesSave } from './rules-api.ts';

/** The rules as they are edited. */
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
  const [base, setBase] = useState<SavedRules | null>(null);
  const [rules, setRules] = useState<CategoryRule[]>([]);
  const [conflict, setConflict] = useState<SavedRules | null>(null);
  const take = (saved: SavedRules) => {
    setBase(saved);
    setRules(saved.rules);
    setConflict(null);
  };
  const isDirty = base !== null && JSON.stringify(rules) !== JSON.stringify(base.rules);
  // Rules that are being edited stay; a save then finds the conflict.
  if (query.data !== undefined && query.data !== base && !isDirty && !mutation.isPending) take(query.data);
  const saveOver = (version: string) =>
    mutation.mutate(
      { rules, version },
      {
        onSuccess: (saved) => {
          setBase(saved);
          setConflict(null);
          // Changes made during the save stay.
          setRules((now) => (now === rules ? saved.rules : now));
          toast({ title: 'Rules Saved', text: 'Imports in review get them in the background.' });
        },
        onError: (error) => {
          const meanwhile = savedMeanwhile(error);
          setConflict(meanwhile);
          if (meanwhile !== null) return;
          toast({
            title: 'Couldn’t Save the Rules',
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
      set: setRules,
      isDirty,
      isSaving: mutation.isPending,
      save: () => base !== null && saveOver(base.version),
      discard: () => base !== null && take(query.data ?? base),
      conflict,
      saveMine: () => conflict !== null && saveOver(conflict.version),
      useTheirs: () => conflict !== null && take(conflict),
    },
  };
}
