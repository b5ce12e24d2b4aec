import { Stacked } from '../../../ui/charts/stacked.tsx';
import { type Part, partWords } from './composition.ts';
import classes from './status.module.css';

type CompositionProps = {
  parts: readonly Part[];
  total: number;
};

type ProgressBarProps = CompositionProps & {
  label: string;
  /** Percent. */
  value: number;
  /** Without parts: one piece up to `value`. */
  piece: 'running' | 'whole' | 'stopped' | 'idle';
};

const broughtKinds: readonly string[] = ['created', 'updated', 'unchanged'];

/** Of a failed import only products in the store fill the bar. */
const broughtParts = (parts: readonly Part[]) => parts.filter(({ kind }) => broughtKinds.includes(kind));

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
  isStopped?: boolean;
};

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
