import { countOf, formatCount } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';

/** Parts of an import: products by class before a push, by outcome after it. */
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

/** An import with the counts of its products. */
export type CountedImport = Pick<
  ShownImport,
  'status' | 'failedIn' | 'outcomes' | 'validProducts' | 'warningProducts' | 'errorProducts'
>;

/** The parts of an import that have products, in a fixed order. Empty while a stage runs: the bar is then one piece. */
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

/** The 'N uploaded to Shopify' of a push: products that it has created or updated. */
export const uploadedOf = ({
  createdProducts,
  outcomes,
}: Pick<ShownImport, 'createdProducts' | 'outcomes'>): number => createdProducts - outcomes.unchanged;

export function someOf(parts: readonly Part[]): Part[] {
  return parts.filter(({ count }) => count > 0);
}

/** '2 warnings', '12 skipped'. */
export function partWords({ kind, count }: Part): string {
  if (kind === 'warning' || kind === 'error') return countOf(count, kind);
  return `${formatCount(count)} ${kind}`;
}

/** Whether a push failed because of the rows. A retry cannot help then: the review comes first. */
export function failedByRows({ failedIn, outcomes }: Pick<ShownImport, 'failedIn' | 'outcomes'>): boolean {
  return failedIn === 'push' && outcomes.skipped > 0 && outcomes.failed === 0;
}

/** The number of products that a push skipped or could not send. */
export function lossesOf({ outcomes }: Pick<ShownImport, 'outcomes'>): number {
  return outcomes.skipped + outcomes.failed;
}
