import { countOf, formatCount } from '../../../lib/intl.ts';
import { StackedBar } from '../../../ui/charts/bars.tsx';
import type { ShownImport } from '../imports-api.ts';
import classes from './status.module.css';

/** Before a push, a product's class. After a push, the product's outcome. */
export type ClassOrOutcome =
  | 'valid'
  | 'warning'
  | 'error'
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'skipped'
  | 'failed';

export type ProductCount = { kind: ClassOrOutcome; count: number };

export type CountedImport = Pick<
  ShownImport,
  'status' | 'failedIn' | 'outcomes' | 'validProducts' | 'warningProducts' | 'errorProducts'
>;

/** Counts products by class or outcome. Empty while a stage runs, so that the bar is one piece. */
export function compositionOf(record: CountedImport): ProductCount[] {
  if (record.status === 'queued' || record.status === 'processed') return someOf(classParts(record));
  const isPushed =
    record.status === 'completed' || (record.status === 'failed' && record.failedIn === 'push');
  return isPushed ? someOf(outcomeParts(record.outcomes)) : [];
}

export const classParts = (
  record: Pick<CountedImport, 'validProducts' | 'warningProducts' | 'errorProducts'>,
): ProductCount[] => [
  { kind: 'valid', count: record.validProducts },
  { kind: 'warning', count: record.warningProducts },
  { kind: 'error', count: record.errorProducts },
];

export function outcomeParts(outcomes: CountedImport['outcomes']): ProductCount[] {
  const kinds = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const;
  return kinds.map((kind) => ({ kind, count: outcomes[kind] }));
}

/** Returns the number of products that were created or updated, for 'N uploaded to Shopify'. */
export const countUploaded = ({
  createdProducts,
  outcomes,
}: Pick<ShownImport, 'createdProducts' | 'outcomes'>): number => createdProducts - outcomes.unchanged;

export const someOf = (parts: readonly ProductCount[]): ProductCount[] =>
  parts.filter(({ count }) => count > 0);

export function partWords({ kind, count }: ProductCount): string {
  if (kind === 'warning' || kind === 'error') return countOf(count, kind);
  return `${formatCount(count)} ${kind}`;
}

/** True if rows caused the failure. A retry cannot help then, so the review comes first. */
export const isFailedByRows = ({ failedIn, outcomes }: Pick<ShownImport, 'failedIn' | 'outcomes'>): boolean =>
  failedIn === 'push' && outcomes.skipped > 0 && outcomes.failed === 0;

export const lossesOf = ({ outcomes }: Pick<ShownImport, 'outcomes'>): number =>
  outcomes.skipped + outcomes.failed;

type CompositionProps = { parts: readonly ProductCount[]; total: number };

type ProgressBarProps = CompositionProps & {
  label: string;
  /** Progress in percent. */
  value: number;
  /** The look of the bar if it has no parts. It is then one piece up to `value`. */
  piece: 'running' | 'whole' | 'stopped' | 'idle';
};

const broughtKinds: readonly string[] = ['created', 'updated', 'unchanged'];

/** Parts that fill the bar of a failed import: products that are in the store. */
const broughtParts = (parts: readonly ProductCount[]) =>
  parts.filter(({ kind }) => broughtKinds.includes(kind));

export function CompositionProgress({ label, value, parts, total, piece }: ProgressBarProps) {
  const words = parts.map(partWords).join(', ');
  const isStopped = piece === 'stopped';
  return (
    <div
      className={`${classes.bar} flex`}
      data-stopped={isStopped || undefined}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      aria-valuetext={words === '' ? `${value}%` : `${value}%: ${words}`}
    >
      {parts.length === 0 && value > 0 && !isStopped ? (
        <StackedBar parts={[{ kind: piece, count: value }]} whole={100} />
      ) : (
        <StackedBar parts={isStopped ? broughtParts(parts) : parts} whole={total} />
      )}
    </div>
  );
}

type CompositionBarProps = CompositionProps & { isStopped?: boolean };

export const CompositionBar = ({ parts, total, isStopped = false }: CompositionBarProps) => (
  <div
    className={`${classes.bar} flex`}
    data-stopped={isStopped || undefined}
    role="img"
    aria-label={parts.map(partWords).join(', ')}
  >
    <StackedBar parts={isStopped ? broughtParts(parts) : parts} whole={total} />
  </div>
);

type ClassesBarProps = { of: { products: number; valid: number; warnings: number; errors: number } };

export const ClassesBar = ({ of: { products, valid, warnings, errors } }: ClassesBarProps) => (
  <CompositionBar
    total={products}
    parts={someOf(classParts({ validProducts: valid, warningProducts: warnings, errorProducts: errors }))}
  />
);
