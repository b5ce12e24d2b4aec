import classes from './charts.module.css';

/** The first and the last value of a scale, below a chart. Its table has them for screen readers. */
export function Ends({ ends: [first, last] }: { ends: readonly [string, string] }) {
  return (
    <div className={`${classes.ends} numbers`} aria-hidden>
      <span>{first}</span>
      <span>{last}</span>
    </div>
  );
}
