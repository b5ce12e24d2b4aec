import classes from './charts.module.css';

/** The first and the last value of what a chart shows, and where they lie on its scale, from 0 to 1. */
export type EndsOf = {
  /** One, if they are the same. */
  words: readonly [string, string?];
  places: readonly [number, number];
};

/** The first and the last value, below a chart. Its table has them for screen readers. */
export function Ends({ words, places: [first, last] }: EndsOf) {
  return (
    <div className={`${classes.ends} small line-above numbers`} aria-hidden>
      <span style={{ flexGrow: first }} />
      <div style={{ flexGrow: last - first }}>
        <span>{words[0]}</span>
        {words[1] !== undefined && <span>{words[1]}</span>}
      </div>
      <span style={{ flexGrow: 1 - last }} />
    </div>
  );
}
