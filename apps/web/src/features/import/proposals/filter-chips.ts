import type { listProposals, ProposalFilter } from '@draftshelf/contract/review/proposals';
import type { ReplyOf } from '@draftshelf/contract/route';
import { sourceLabel } from '@draftshelf/domain/enrich/sources';
import { fieldLabel } from '../mapping/mapping-words.ts';
import { capitalized } from './proposal-words.ts';

type Counts = ReplyOf<typeof listProposals>['counts'];

/** A choice of a filter, with the number of open proposals. */
export type Chip = { value: string; label: string; count: number };

/** The chips for fields and sources, the largest first. An active one is there without proposals, too. */
export function filterChips(
  counts: Counts,
  { field, source }: ProposalFilter,
): { fields: Chip[]; sources: Chip[] } {
  const ofSource = counts.filter((one) => source === undefined || one.source === source);
  const ofField = counts.filter((one) => field === undefined || one.field === field);
  const fields = sums(ofSource, (one) => one.field, field);
  const sources = sums(ofField, (one) => one.source, source);
  const labels = new Map(counts.map((one) => [one.source, one.label]));
  const labelOf = (name: string) => capitalized(labels.get(name) ?? sourceLabel(name));
  return {
    fields: fields.map(([value, count]) => ({ value, label: fieldLabel(value), count })),
    sources: sources.map(([value, count]) => ({ value, label: labelOf(value), count })),
  };
}

/** The sum of the counts by name, with `active` in any case. */
function sums(
  counts: Counts,
  nameOf: (one: Counts[number]) => string,
  active: string | undefined,
): [string, number][] {
  const byName = new Map<string, number>(active === undefined ? [] : [[active, 0]]);
  for (const one of counts) byName.set(nameOf(one), (byName.get(nameOf(one)) ?? 0) + one.count);
  return [...byName].sort(([, a], [, b]) => b - a);
}
