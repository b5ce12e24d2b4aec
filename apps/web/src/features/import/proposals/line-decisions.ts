import type { ProposalFilter, ProposalGroup } from '@draftshelf/contract/review/proposals';
import type { HeldProposal } from './held-proposals.ts';

export type Action = 'take' | 'dismiss';

/** A decision about a line that is still shown. 'withdraw': another value for its field was accepted. */
export type LineDecision = {
  action: Action | 'withdraw';
  /** The command that undoes it; null for none. */
  command: string | null;
  isBulk: boolean;
  /** When its reply had come, on the clock of `readAtMs`. */
  atMs: number;
};

export type Decisions = ReadonlyMap<number, LineDecision>;

/** Proposals to decide about together: by id, or all that match a filter, with their number and the newest id. */
export type Many = { ids: number[] } | { filter: ProposalFilter; expectedCount: number; upTo: number };

/** Tells groups apart. */
export const groupKey = ({ field, source, key }: ProposalGroup): string => `${field} ${source} ${key}`;

/** Whether a line is one of the proposals to decide about. */
export function isAmong({ id, field, sourceName, group }: HeldProposal, which: Many): boolean {
  if ('ids' in which) return which.ids.includes(id);
  const { filter, upTo } = which;
  const isOf = (filterValue: string | undefined, value: string | null) =>
    filterValue === undefined || filterValue === value;
  return (
    id <= upTo && isOf(filter.field, field) && isOf(filter.source, sourceName) && isOf(filter.group, group)
  );
}

/** The other open lines for the fields of some lines. The server withdraws them when it accepts these. */
export function othersOfFields(
  lines: readonly HeldProposal[],
  acceptedLines: readonly HeldProposal[],
): HeldProposal[] {
  const keyOf = ({ row, field }: HeldProposal) => `${row} ${field}`;
  const fields = new Set(acceptedLines.map(keyOf));
  const ids = new Set(acceptedLines.map(({ id }) => id));
  return lines.filter((line) => line.isOpen && !ids.has(line.id) && fields.has(keyOf(line)));
}

/**
 * The decisions without those about lines that are open in a reply that was asked for later: somebody has undone them.
 * The same map if there are none.
 */
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
