import type { ReactNode } from 'react';
import { ChartTable, Ends, useChoice } from './chart-table.tsx';
import classes from './charts.module.css';
import { largestOf, linePath } from './geometry.ts';

type SparkProps = {
  label: string;
  /** Null: a gap. */
  values: readonly (number | null)[];
  /** Shown while the value is chosen. */
  words: readonly string[];
  heightPx: number;
  /** Compared with the values. */
  level: number | null;
  ends: readonly [string, string];
  /** Shown while no value is chosen. */
  summary: ReactNode;
  table: { head: readonly string[]; rows: readonly (readonly string[])[] };
};

export function Spark({ label, values, words, heightPx, level, ends, summary, table }: SparkProps) {
  const { chosen, bind } = useChoice({ label, words });
  // Room above, so that the highest part of the line is whole.
  const largest = 1.05 * Math.max(largestOf(values.map((value) => value ?? 0)), level ?? 0);
  const place = (at: number) => (values.length > 1 ? (100 * at) / (values.length - 1) : 0);
  const value = chosen === null ? null : (values[chosen] ?? null);
  return (
    <div className="gap-tight stack">
      <div {...bind} className={`${classes.plot} relative`}>
        <svg
          className={`${classes.svg} block full`}
          height={heightPx}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden
        >
          {level !== null && largest > 0 && (
            <line
              className={classes.level}
              x2={100}
              y1={100 - (100 * level) / largest}
              y2={100 - (100 * level) / largest}
            />
          )}
          <path className={classes.line} d={linePath(values, largest)} />
          {chosen !== null && (
            <line className={classes.cursor} x1={place(chosen)} x2={place(chosen)} y2={100} />
          )}
        </svg>
        {chosen !== null && value !== null && (
          <span
            className={classes.dot}
            style={{ left: `${place(chosen)}%`, top: heightPx * (1 - value / Math.max(1e-9, largest)) }}
            aria-hidden
          />
        )}
        <Ends words={ends} places={[0, 1]} />
      </div>
      <p className={`${classes.readout} flush small numbers`}>{chosen === null ? summary : words[chosen]}</p>
      <ChartTable caption={label} {...table} />
    </div>
  );
}
