import { countOf, formatCount } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';

/** By class before a push, by outcome after it. */
export type PartKind =
  | 'valid'
  | 'warning'
  | 'error'
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'skipped'
  | 'failed';

export type Part = { kind: PartKind; count: number };

export type CountedImport = Pick<
  ShownImport,
  'status' | 'failedIn' | 'outcomes' | 'validProducts' | 'warningProducts' | 'errorProducts'
>;

/** Empty while a stage runs: the bar is then one piece. */
export function compositionOf(record: CountedImport): Part[] {
  if (record.status === 'queued' || record.status === 'processed') return someOf(classParts(record));
  const isPushed =
    record.status === 'completed' || (record.status === 'failed' && record.failedIn === 'push');
  return isPushed ? someOf(outcomeParts(record.outcomes)) : [];
}

export function classParts(
  record: Pick<CountedImport, 'validProducts' | 'warningProducts' | 'errorProducts'>,
): Part[] {
  return [
    { kind: 'valid', count: record.validProducts },
    { kind: 'warning', count: record.warningProducts },
    { kind: 'error', count: record.errorProducts },
  ];
}

export function outcomeParts(outcomes: CountedImport['outcomes']): Part[] {
  const kinds = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const;
  return kinds.map((kind) => ({ kind, count: outcomes[kind] }));
}

/** The specification's 'N uploaded to Shopify': created or updated products. */
export const uploadedOf = ({
  createdProducts,
  outcomes,
}: Pick<ShownImport, 'createdProducts' | 'outcomes'>): number => createdProducts - outcomes.unchanged;

export function someOf(parts: readonly Part[]): Part[] {
  return parts.filter(({ count }) => count > 0);
}

export function partWords({ kind, count }: Part): string {
  if (kind === 'warning' || kind === 'error') return countOf(count, kind);
  return `${formatCount(count)} ${kind}`;
}

/** A retry cannot help then, so the review comes first. */
export function failedByRows({ failedIn, outcomes }: Pick<ShownImport, 'failedIn' | 'outcomes'>): boolean {
  return failedIn === 'push' && outcomes.skipped > 0 && outcomes.failed === 0;
}

export function lossesOf({ outcomes }: Pick<ShownImport, 'outcomes'>): number {
  return outcomes.skipped + outcomes.failed;
}
