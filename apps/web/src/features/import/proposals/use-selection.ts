import { useState } from 'react';
import type { HeldProposal } from './held-proposals.ts';
import { noneSelected, type Selection, selectWith, withoutIds } from './selection.ts';

export type Select = ReturnType<typeof useSelection>;

/** The selected ones of the open lines. */
export function useSelection(open: readonly HeldProposal[]) {
  const [selected, setSelected] = useState<Selection>(noneSelected);
  const [from, setFrom] = useState<number | null>(null);
  const openIds = open.map(({ id }) => id);
  const ids = selected === 'matching' ? openIds : openIds.filter((id) => selected.has(id));
  return {
    isAll: selected === 'matching',
    ids,
    has: (id: number) => selected === 'matching' || selected.has(id),
    set(id: number, isOn: boolean, isRange: boolean) {
      setSelected(selectWith(selected, openIds, { id, isOn, from: isRange ? from : null }));
      setFrom(id);
    },
    shown: (isOn: boolean) => setSelected(isOn ? new Set(openIds) : noneSelected),
    matching: () => setSelected('matching'),
    clear: () => setSelected(noneSelected),
    /** Takes decided ones out. What was selected meanwhile stays. */
    remove: (decided: readonly number[]) => setSelected((now) => withoutIds(now, decided)),
  };
}
