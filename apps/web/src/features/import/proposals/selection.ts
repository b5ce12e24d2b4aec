import { useState } from 'react';
import type { HeldProposal } from './held-proposals.ts';

/** The selected proposals of the list: some ids, or all that match the filter. */
export type Selection = ReadonlySet<number> | 'matching';

export const noneSelected: Selection = new Set();

/**
 * The selection after a click on a box. With Shift, everything from the box that was clicked before gets the same
 * state. `ids`: the boxes in the order of the list.
 */
export function selectWith(
  selected: Selection,
  ids: readonly number[],
  { id, isOn, from }: { id: number; isOn: boolean; from: number | null },
): ReadonlySet<number> {
  const next = new Set(selected === 'matching' ? ids : selected);
  const [a, b] = [ids.indexOf(id), from === null ? -1 : ids.indexOf(from)];
  const range = b === -1 ? [id] : ids.slice(Math.min(a, b), Math.max(a, b) + 1);
  for (const rangeId of range) {
    if (isOn) next.add(rangeId);
    else next.delete(rangeId);
  }
  return next;
}

/** The selection without decided proposals. All that match were decided together, so none stays selected. */
export function withoutIds(selected: Selection, decidedIds: readonly number[]): Selection {
  if (selected === 'matching') return noneSelected;
  return new Set([...selected].filter((id) => !decidedIds.includes(id)));
}

export type Select = ReturnType<typeof useSelection>;

/** The selected lines among the open lines. */
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
    selectShown: (isOn: boolean) => setSelected(isOn ? new Set(openIds) : noneSelected),
    selectMatching: () => setSelected('matching'),
    clear: () => setSelected(noneSelected),
    /** Deselects decided proposals. What was selected meanwhile stays. */
    remove: (decidedIds: readonly number[]) => setSelected((now) => withoutIds(now, decidedIds)),
  };
}
