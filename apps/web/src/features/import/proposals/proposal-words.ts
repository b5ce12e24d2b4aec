import type {
  listProposals,
  Proposal,
  ProposalFilter,
  ProposalGroup,
} from '@draftshelf/contract/review/proposals';
import type { ReplyOf } from '@draftshelf/contract/route';
import { proposalsDecidedMax } from '@draftshelf/contract/wire';
import { sourceLabel, supplierSource } from '@draftshelf/domain/enrich/sources';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, readOf, toCacheKey } from '../../../api/call.ts';
import { capitalize, countOf, formatCount } from '../../../lib/intl.ts';
import { changeMembership, sliceBetween } from '../../../lib/range.ts';
import { fieldLabel } from '../mapping/mapping-words.ts';

const reasons: Record<string, string> = {
  'other-product': 'The source’s title or brand doesn’t match this product.',
  'nothing-to-compare': 'There’s no title to compare the source with.',
  'bad-picture': 'The store wouldn’t accept the product’s own picture.',
  'needs-credit': 'The license asks for a credit, which is sent with the product.',
  title: 'Titles are never filled in automatically.',
};

const differences: Record<string, string> = {
  title: 'The source has another title.',
  vendor: 'The source names another brand.',
  type: 'The source names another type.',
  description: 'The source has another description.',
};

export const reasonWords = ({ field, reason }: Pick<Proposal, 'field' | 'reason'>): string =>
  reason === 'differs'
    ? (differences[field] ?? 'The source has another value.')
    : (reasons[reason] ?? reason);

/** Example: 'From UPCitemdb' or 'Proposed by AI'. */
export function originWords({
  source,
  sourceName,
  attribution,
}: Pick<Proposal, 'source' | 'sourceName' | 'attribution'>): string {
  const origin = sourceName === 'ai' ? 'Proposed by AI' : `From ${source}`;
  return attribution === null ? origin : `${origin} · ${attribution}`;
}

type Why = Pick<Proposal, 'field' | 'reason' | 'evidence' | 'source' | 'sourceName' | 'attribution'>;

/** Returns a proposal's origin and reason. A supplier's proposal has the supplier's name in its reason already. */
export function proposalReasonWords(proposal: Why): string {
  const { sourceName, reason } = proposal;
  if (sourceName === supplierSource) return reason;
  return `${originWords(proposal)}. ${reasonWords(proposal)}`;
}

/** Returns the text of the row that supports a proposal. Null if no text does, or if it is a supplier's proposal. */
export const findQuotedText = ({ sourceName, evidence }: Pick<Proposal, 'sourceName' | 'evidence'>) =>
  sourceName === supplierSource ? null : evidence;

/** Dismissing a supplier's proposal keeps the operator's value, so the label differs. */
export const dismissLabel = (source: string | undefined): string =>
  source === supplierSource ? 'Keep Yours' : 'Dismiss';

/** Returns the accessible name. Example: 'Dismiss the brand of row 2' or 'Keep Yours: the brand of row 2'. */
export const dismissAriaLabel = (source: string | undefined, what: string): string =>
  `${dismissLabel(source)}${source === supplierSource ? ':' : ''} the ${what}`;

/** Example: 'brand of row 2'. */
export const rowFieldWords = ({ field, row }: Pick<Proposal, 'field' | 'row'>): string =>
  `${fieldLabel(field).toLowerCase()} of row ${formatCount(row)}`;

/** The server counts up to this number of proposals. */
const countedMax = 10_000;

/** Returns null if one call can decide about this many proposals. */
export const decisionLimitWords = (count: number): string | null =>
  count > proposalsDecidedMax ? `Only the first ${formatCount(proposalsDecidedMax)} at once.` : null;

/** Example: '60' or '10,000+'. */
export const formatCappedCount = (count: number): string =>
  `${formatCount(count)}${count >= countedMax ? '+' : ''}`;

export const countedProductsWords = (count: number): string =>
  count >= countedMax ? `${formatCappedCount(count)} products` : countOf(count, 'product');

type Counts = ReplyOf<typeof listProposals>['counts'];

export type FilterChip = { value: string; label: string; count: number };

/** Returns the filter's chips, largest count first. The active chip is included even if its count is 0. */
export function buildFilterChips(
  counts: Counts,
  { field, source }: ProposalFilter,
): { fields: FilterChip[]; sources: FilterChip[] } {
  const ofSource = counts.filter((entry) => source === undefined || entry.source === source);
  const ofField = counts.filter((entry) => field === undefined || entry.field === field);
  const fields = sums(ofSource, (entry) => entry.field, field);
  const sources = sums(ofField, (entry) => entry.source, source);
  const labels = new Map(counts.map((entry) => [entry.source, entry.label]));
  const labelOf = (name: string) => capitalize(labels.get(name) ?? sourceLabel(name));
  return {
    fields: fields.map(([value, count]) => ({ value, label: fieldLabel(value), count })),
    sources: sources.map(([value, count]) => ({ value, label: labelOf(value), count })),
  };
}

/** Sums the counts by name, largest first. `active` is included even if its sum is 0. */
function sums(
  counts: Counts,
  nameOf: (entry: Counts[number]) => string,
  active: string | undefined,
): [string, number][] {
  const byName = new Map<string, number>(active === undefined ? [] : [[active, 0]]);
  for (const entry of counts) byName.set(nameOf(entry), (byName.get(nameOf(entry)) ?? 0) + entry.count);
  return [...byName].sort(([, a], [, b]) => b - a);
}

/** `isOpen`: false after a reply that no longer contains the proposal. */
export type HeldProposal = ListedProposal & { isOpen: boolean };

/** Keeps the order of the shown lines, and appends new ones. */
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

/** `key` identifies the list of proposals. `source`: the read proposals, undefined before the first reply. */
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

export type ProposalAction = 'take' | 'dismiss';

/** The action 'withdraw' means that another value for the same field was accepted. */
export type LineDecision = {
  action: ProposalAction | 'withdraw';
  /** The command to undo, or null if the decision cannot be undone. */
  command: string | null;
  isBulk: boolean;
  /** Time of the reply in milliseconds, comparable with `readAtMs`. */
  atMs: number;
};

export type LineDecisions = ReadonlyMap<number, LineDecision>;

/** The server refuses if `expectedCount` or `upTo` (the newest id) shows that the list has changed. */
export type ProposalsToDecide =
  | { ids: number[] }
  | { filter: ProposalFilter; expectedCount: number; upTo: number };

export const groupKey = ({ field, source, key }: ProposalGroup): string => `${field} ${source} ${key}`;

export function isDecidedBy(
  { id, field, sourceName, group }: HeldProposal,
  which: ProposalsToDecide,
): boolean {
  if ('ids' in which) return which.ids.includes(id);
  const { filter, upTo } = which;
  const isOf = (filterValue: string | undefined, value: string | null) =>
    filterValue === undefined || filterValue === value;
  return (
    id <= upTo && isOf(filter.field, field) && isOf(filter.source, sourceName) && isOf(filter.group, group)
  );
}

/** Returns other proposals for the same fields. The server withdraws them when it accepts `acceptedLines`. */
export function findCompetingProposals(
  lines: readonly HeldProposal[],
  acceptedLines: readonly HeldProposal[],
): HeldProposal[] {
  const keyOf = ({ row, field }: HeldProposal) => `${row} ${field}`;
  const fields = new Set(acceptedLines.map(keyOf));
  const ids = new Set(acceptedLines.map(({ id }) => id));
  return lines.filter((line) => line.isOpen && !ids.has(line.id) && fields.has(keyOf(line)));
}

/** Removes decisions that another user has undone: in a later reply, their lines are open again. */
export function removeReopened(decisions: LineDecisions, lines: readonly HeldProposal[]): LineDecisions {
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

/** Returns the selection after a click. `from`: the box clicked before, on a click with Shift, which sets a range. */
export const applySelectClick = (
  selected: Selection,
  ids: readonly number[],
  { id, isOn, from }: { id: number; isOn: boolean; from: number | null },
): ReadonlySet<number> =>
  changeMembership(selected === 'matching' ? ids : selected, sliceBetween(ids, from, id), isOn);

/** Removes decided proposals. 'matching' becomes empty, because all matching proposals were decided together. */
export const deselectIds = (selected: Selection, decidedIds: readonly number[]): Selection =>
  selected === 'matching' ? noneSelected : new Set([...selected].filter((id) => !decidedIds.includes(id)));

export type ProposalSelection = ReturnType<typeof useSelection>;

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
      setSelected(applySelectClick(selected, openIds, { id, isOn, from: isRange ? from : null }));
      setFrom(id);
    },
    selectShown: (isOn: boolean) => setSelected(isOn ? new Set(openIds) : noneSelected),
    selectMatching: () => setSelected('matching'),
    clear: () => setSelected(noneSelected),
    /** Keeps proposals that were selected in the meantime. */
    remove: (decidedIds: readonly number[]) => setSelected((now) => deselectIds(now, decidedIds)),
  };
}

const pageSize = 50;

/** `readAtMs`: time of the request, on the clock of `performance.now()`. */
export type ListedProposal = Proposal & { readAtMs: number };

export const useProposalPages = (importId: string, filter: ProposalFilter) =>
  useInfiniteQuery({
    queryKey: [...toCacheKey('listProposals', { id: importId }, filter), 'pages'],
    queryFn: async ({ pageParam, signal }): Promise<{ proposals: ListedProposal[] }> => {
      const readAtMs = performance.now();
      const query = { ...filter, after: pageParam };
      const { proposals } = await call('listProposals', { params: { id: importId }, query, signal });
      return { proposals: proposals.map((proposal) => ({ ...proposal, readAtMs })) };
    },
    initialPageParam: 0,
    getNextPageParam: ({ proposals }: { proposals: ListedProposal[] }) =>
      proposals.length === pageSize ? proposals.at(-1)?.id : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Not cached, so that another filter or a later visit begins with the open proposals.
    gcTime: 0,
    // Not read again after decisions, so that the lines stay in place.
    meta: { held: ({ name }) => name === 'decideProposal' || name === 'decideProposals' },
  });

export const useProposalCounts = (importId: string, filter: ProposalFilter) =>
  useQuery({
    ...readOf('listProposals', { params: { id: importId }, query: { ...filter, limit: 0 } }),
    placeholderData: keepPreviousData,
    // The counts are read again on each visit, like the pages of proposals.
    staleTime: 0,
    refetchOnMount: 'always',
  });
