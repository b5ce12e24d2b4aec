import './kinds.css';
import classes from './charts.module.css';

type StackedProps = {
  /** The bar's parts, from its start. Kinds are those of kinds.css. */
  parts: readonly { kind: string; count: number }[];
  /** The number that the whole bar stands for. */
  whole: number;
};

/**
 * The parts of a level bar. They are boxes, not SVG: boxes keep a small part at least 3 pixels wide at every width, and
 * their lengths change smoothly. Most screens load them first, so they share no code with the other charts.
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
