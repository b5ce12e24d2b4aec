import type { ProposalFilter, ProposalGroup } from '@draftshelf/contract/review/proposals';
import { useState } from 'react';
import type { ListedProposal } from './proposals-api.ts';

/** `isOpen` is false once no reply has the proposal. */
export type HeldProposal = ListedProposal & { isOpen: boolean };

/** Shown lines keep their places; new ones come last. */
export function holdProposals(
  heldLines: readonly HeldProposal[],
  fresh: readonly ListedProposal[],
): readonly HeldProposal[] {
  const open = new Map(fresh.map((proposal) => [proposal.id, proposal]));
  const keptLines = heldLines.map((line) => {
    const now = open.get(line.id);
    open.delete(line.id);
    return now === undefined ? { ...line, isOpen: false } : { ...now, isOpen: true };
  });
  return [...keptLines, ...[...open.values()].map((proposal) => ({ ...proposal, isOpen: true }))];
}

type HeldList = {
  key: string;
  source: readonly ListedProposal[] | undefined;
  lines: readonly HeldProposal[];
};

/** `key` names the list; `source` is undefined before the first reply. */
export function useHeldProposals(
  key: string,
  source: readonly ListedProposal[] | undefined,
): readonly HeldProposal[] {
  const [list, setList] = useState<HeldList>({ key, source: undefined, lines: [] });
  if (list.key === key && list.source === source) return list.lines;
  const before = list.key === key ? list.lines : [];
  const lines = source === undefined ? before : holdProposals(before, source);
  setList({ key, source, lines });
  return lines;
}

export type Action = 'take' | 'dismiss';

/** 'withdraw': another value for the field was accepted. */
export type LineDecision = {
  action: Action | 'withdraw';
  /** Null: no command can undo it. */
  command: string | null;
  isBulk: boolean;
  /** Time of the reply, on the clock of `readAtMs`. */
  atMs: number;
};

export type Decisions = ReadonlyMap<number, LineDecision>;

/** `expectedCount` and `upTo` (the newest id) of a filter let the server refuse a changed list. */
export type Many = { ids: number[] } | { filter: ProposalFilter; expectedCount: number; upTo: number };

export const groupKey = ({ field, source, key }: ProposalGroup): string => `${field} ${source} ${key}`;

export function isAmong({ id, field, sourceName, group }: HeldProposal, which: Many): boolean {
  if ('ids' in which) return which.ids.includes(id);
  const { filter, upTo } = which;
  const isOf = (filterValue: string | undefined, value: string | null) =>
    filterValue === undefined || filterValue === value;
  return (
    id <= upTo && isOf(filter.field, field) && isOf(filter.source, sourceName) && isOf(filter.group, group)
  );
}

/** The server withdraws these when it accepts the others. */
export function othersOfFields(
  lines: readonly HeldProposal[],
  acceptedLines: readonly HeldProposal[],
): HeldProposal[] {
  const keyOf = ({ row, field }: HeldProposal) => `${row} ${field}`;
  const fields = new Set(acceptedLines.map(keyOf));
  const ids = new Set(acceptedLines.map(({ id }) => id));
  return lines.filter((line) => line.isOpen && !ids.has(line.id) && fields.has(keyOf(line)));
}

/** Another user has undone decisions about lines that a later reply shows as open. The same map if none. */
export function withoutReopened(decisions: Decisions, lines: readonly HeldProposal[]): Decisions {
  const reopenedLines = lines.filter(({ id, isOpen, readAtMs }) => {
    const decision = decisions.get(id);
    return isOpen && decision !== undefined && readAtMs > decision.atMs;
  });
  if (reopenedLines.length === 0) return decisions;
  const next = new Map(decisions);
  for (const { id } of reopenedLines) next.delete(id);
  return next;
}

type Selection = ReadonlySet<number> | 'matching';

export const noneSelected: Selection = new Set();

/** With Shift, all boxes from the last clicked one get the same state. `ids` are in the order of the list. */
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

/** All matching proposals were decided together, so none stays selected. */
export const withoutIds = (selected: Selection, decidedIds: readonly number[]): Selection =>
  selected === 'matching' ? noneSelected : new Set([...selected].filter((id) => !decidedIds.includes(id)));

export type Select = ReturnType<typeof useSelection>;

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
    /** Keeps what was selected meanwhile. */
    remove: (decidedIds: readonly number[]) => setSelected((now) => withoutIds(now, decidedIds)),
  };
}
