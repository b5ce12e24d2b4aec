import type { listProposals, Proposal, ProposalFilter } from '@draftshelf/contract/review/proposals';
import type { ReplyOf } from '@draftshelf/contract/route';
import { proposalsDecidedMax } from '@draftshelf/contract/wire';
import { sourceLabel, supplierSource } from '@draftshelf/domain/enrich/sources';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { fieldLabel } from '../mapping/mapping-words.ts';

const reasons: Record<string, string> = {
  'other-product': 'The source’s title or brand doesn’t match this product.',
  'nothing-to-compare': 'There’s no title to compare it with.',
  'bad-picture': 'The store wouldn’t accept the product’s own picture.',
  'needs-credit': 'Its license asks for a credit, which is sent with the product.',
  title: 'A title is never filled in by itself.',
};

const differences: Record<string, string> = {
  title: 'The source has another title.',
  vendor: 'The source names another brand.',
  type: 'The source names another type.',
  description: 'The source describes it differently.',
};

export const reasonWords = ({ field, reason }: Pick<Proposal, 'field' | 'reason'>): string =>
  reason === 'differs'
    ? (differences[field] ?? 'The source says something else.')
    : (reasons[reason] ?? reason);

/** 'From UPCitemdb', 'Proposed by AI'. */
export function originWords({
  source,
  sourceName,
  attribution,
}: Pick<Proposal, 'source' | 'sourceName' | 'attribution'>): string {
  const origin = sourceName === 'ai' ? 'Proposed by AI' : `From ${source}`;
  return attribution === null ? origin : `${origin} · ${attribution}`;
}

type Why = Pick<Proposal, 'field' | 'reason' | 'evidence' | 'source' | 'sourceName' | 'attribution'>;

/** A supplier's reason names the supplier, and its evidence is no quotation of the row. */
export function whyWords(proposal: Why): string {
  const { sourceName, reason } = proposal;
  if (sourceName === supplierSource) return reason;
  return `${originWords(proposal)}. ${reasonWords(proposal)}`;
}

/** The words of the row that support a proposal; null: none. */
export const quotedOf = ({ sourceName, evidence }: Pick<Proposal, 'sourceName' | 'evidence'>) =>
  sourceName === supplierSource ? null : evidence;

/** The operator keeps an own value if the supplier proposes another one. */
export const dismissLabel = (source: string | undefined): string =>
  source === supplierSource ? 'Keep Mine' : 'Dismiss';

/** 'Dismiss the brand of row 2', 'Keep Mine: the brand of row 2'. */
export const dismissName = (source: string | undefined, what: string): string =>
  `${dismissLabel(source)}${source === supplierSource ? ':' : ''} the ${what}`;

/** 'brand of row 2'. */
export const fieldOfRow = ({ field, row }: Pick<Proposal, 'field' | 'row'>): string =>
  `${fieldLabel(field).toLowerCase()} of row ${formatCount(row)}`;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The server counts no further. */
const countedMax = 10_000;

/** Null: one call can decide about all. */
export const limitWords = (count: number): string | null =>
  count > proposalsDecidedMax ? `Only the first ${formatCount(proposalsDecidedMax)} at once.` : null;

/** '60', '10,000+'. */
export const countedWords = (count: number): string =>
  `${formatCount(count)}${count >= countedMax ? '+' : ''}`;

export const productsWords = (count: number): string =>
  count >= countedMax ? `${countedWords(count)} products` : countOf(count, 'product');

type Counts = ReplyOf<typeof listProposals>['counts'];

export type Chip = { value: string; label: string; count: number };

/** The largest first. An active chip stays without proposals. */
export function filterChips(
  counts: Counts,
  { field, source }: ProposalFilter,
): { fields: Chip[]; sources: Chip[] } {
  const ofSource = counts.filter((entry) => source === undefined || entry.source === source);
  const ofField = counts.filter((entry) => field === undefined || entry.field === field);
  const fields = sums(ofSource, (entry) => entry.field, field);
  const sources = sums(ofField, (entry) => entry.source, source);
  const labels = new Map(counts.map((entry) => [entry.source, entry.label]));
  const labelOf = (name: string) => capitalized(labels.get(name) ?? sourceLabel(name));
  return {
    fields: fields.map(([value, count]) => ({ value, label: fieldLabel(value), count })),
    sources: sources.map(([value, count]) => ({ value, label: labelOf(value), count })),
  };
}

/** Includes `active` in any case. */
function sums(
  counts: Counts,
  nameOf: (entry: Counts[number]) => string,
  active: string | undefined,
): [string, number][] {
  const byName = new Map<string, number>(active === undefined ? [] : [[active, 0]]);
  for (const entry of counts) byName.set(nameOf(entry), (byName.get(nameOf(entry)) ?? 0) + entry.count);
  return [...byName].sort(([, a], [, b]) => b - a);
}
