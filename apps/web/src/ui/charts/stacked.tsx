import './kinds.css';
import classes from './charts.module.css';

type StackedProps = {
  /** Kinds are those of kinds.css. */
  parts: readonly { kind: string; count: number }[];
  whole: number;
};

/**
 * Boxes, not SVG: a small part keeps at least 3 pixels at every width, and lengths change smoothly. Most screens load
 * it first, so it shares no code with the other charts.
 */
export function Stacked({ parts, whole }: StackedProps) {
  const counted = parts.reduce((sum, { count }) => sum + count, 0);
  const scale = Math.max(1, whole, counted);
  return parts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => (
      <div
        key={kind}
        className={classes.part}
        data-kind={kind}
        style={{ width: `${(100 * count) / scale}%` }}
      />
    ));
}
