import { useState } from 'react';
import type { ListedProposal } from './proposals-api.ts';

/** A line of the list. `isOpen` is false once the proposal is in no reply any more. */
export type HeldProposal = ListedProposal & { isOpen: boolean };

/** The lines after a reply: those that are shown stay in their places, and new ones come last. */
export function holdProposals(
  held: readonly HeldProposal[],
  fresh: readonly ListedProposal[],
): readonly HeldProposal[] {
  const open = new Map(fresh.map((proposal) => [proposal.id, proposal]));
  const kept = held.map((line) => {
    const now = open.get(line.id);
    open.delete(line.id);
    return now === undefined ? { ...line, isOpen: false } : { ...now, isOpen: true };
  });
  return [...kept, ...[...open.values()].map((proposal) => ({ ...proposal, isOpen: true }))];
}

type Held = {
  key: string;
  source: readonly ListedProposal[] | undefined;
  lines: readonly HeldProposal[];
};

/**
 * Keeps the lines of a list in their places while replies come and proposals are decided. `key` names the list;
 * `source` is what has been read of it, undefined before the first reply.
 */
export function useHeldProposals(
  key: string,
  source: readonly ListedProposal[] | undefined,
): readonly HeldProposal[] {
  const [held, setHeld] = useState<Held>({ key, source: undefined, lines: [] });
  if (held.key === key && held.source === source) return held.lines;
  const before = held.key === key ? held.lines : [];
  const lines = source === undefined ? before : holdProposals(before, source);
  setHeld({ key, source, lines });
  return lines;
}
