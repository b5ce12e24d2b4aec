import { type Part, partWords } from './composition.ts';
import classes from './composition-bar.module.css';

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

/** A progress bar that shows the composition of a finished stage. */
export function CompositionProgress({ label, value, parts, total, piece }: ProgressBarProps) {
  const words = parts.map(partWords).join(', ');
  return (
    <div
      className={classes.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      aria-valuetext={words === '' ? `${value}%` : `${value}%: ${words}`}
    >
      {parts.length === 0 && value > 0 && (
        <div className={classes.part} data-kind={piece} style={{ width: `${value}%` }} />
      )}
      <Parts parts={parts} total={total} />
    </div>
  );
}

/** A bar of the composition without progress. */
export function CompositionBar({ parts, total }: CompositionProps) {
  return (
    <div className={classes.bar} role="img" aria-label={parts.map(partWords).join(', ')}>
      <Parts parts={parts} total={total} />
    </div>
  );
}

function Parts({ parts, total }: CompositionProps) {
  const counted = parts.reduce((sum, { count }) => sum + count, 0);
  const whole = Math.max(1, total, counted);
  return parts.map((part) => (
    <div
      key={part.kind}
      className={classes.part}
      data-kind={part.kind}
      style={{ width: `${(100 * part.count) / whole}%` }}
    />
  ));
}
