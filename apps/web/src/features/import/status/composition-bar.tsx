import { Stacked } from '../../../ui/charts/stacked.tsx';
import { type Part, partWords } from './composition.ts';
import classes from './status.module.css';

type CompositionProps = {
  /** The bar's segments. */
  parts: readonly Part[];
  /** The number of products that the whole bar stands for. */
  total: number;
};

type ProgressBarProps = CompositionProps & {
  label: string;
  /** The percentage, 0 to 100. */
  value: number;
  /** The look without parts: one piece up to `value`. */
  piece: 'running' | 'whole' | 'stopped' | 'idle';
};

const broughtKinds: readonly string[] = ['created', 'updated', 'unchanged'];

/** The products in the store. Elsewhere the bar of a failed import is empty. */
const broughtParts = (parts: readonly Part[]) => parts.filter(({ kind }) => broughtKinds.includes(kind));

/** A progress bar that shows the composition of a finished stage. */
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
        <Stacked parts={[{ kind: piece, count: value }]} whole={100} />
      ) : (
        <Stacked parts={isStopped ? broughtParts(parts) : parts} whole={total} />
      )}
    </div>
  );
}

type CompositionBarProps = CompositionProps & {
  /** Whether the import has failed. */
  isStopped?: boolean;
};

/** A bar of the composition without progress. */
export function CompositionBar({ parts, total, isStopped = false }: CompositionBarProps) {
  return (
    <div
      className={`${classes.bar} flex`}
      data-stopped={isStopped || undefined}
      role="img"
      aria-label={parts.map(partWords).join(', ')}
    >
      <Stacked parts={isStopped ? broughtParts(parts) : parts} whole={total} />
    </div>
  );
}
