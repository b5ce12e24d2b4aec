import classes from './charts.module.css';
import { stackOf } from './geometry.ts';

type StackedProps = {
  /** The bar's parts, from its start. Kinds are those of charts.module.css. */
  parts: readonly { kind: string; count: number }[];
  /** The number that the whole bar stands for. */
  whole: number;
};

/**
 * The parts of a level bar. They are boxes, not SVG: boxes keep a small part at least 3 pixels wide at every width, and
 * their lengths change smoothly.
 */
export function Stacked({ parts, whole }: StackedProps) {
  const extents = stackOf(
    parts.map(({ count }) => count),
    whole,
  );
  return parts.map(({ kind }, at) => (
    <div
      key={kind}
      className={classes.part}
      data-kind={kind}
      style={{ width: `${extents[at]?.length ?? 0}%` }}
    />
  ));
}
