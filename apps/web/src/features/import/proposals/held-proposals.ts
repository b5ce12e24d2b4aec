import { useState } from 'react';
import type { ListedProposal } from './proposals-api.ts';

/** A line of the list. `isOpen` is false once the proposal is in no reply any more. */
export type HeldProposal = ListedProposal & { isOpen: boolean };

/** The lines after a reply: those that are shown stay in their places, and new ones come last. */
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

/**
 * Keeps the lines of a list in their places while replies come and proposals are decided. `key` names the list;
 * `source` are the proposals that were read, undefined before the first reply.
 */
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
