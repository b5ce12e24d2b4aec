import type { ReactNode } from 'react';
import {
  buildLinePath,
  ChartTable,
  computeStack,
  findLargest,
  ScaleLabels,
  useChartSlider,
} from './chart-table.tsx';
import './kinds.css';
import classes from './charts.module.css';

type SparkProps = {
  label: string;
  /** Null values are gaps. */
  values: readonly (number | null)[];
  /** Shown while the value is chosen. */
  words: readonly string[];
  heightPx: number;
  /** A horizontal line to compare the values with. */
  level: number | null;
  ends: readonly [string, string];
  /** Shown while no value is chosen. */
  summary: ReactNode;
  table: { head: readonly string[]; rows: readonly (readonly string[])[] };
};

export function LineChart({ label, values, words, heightPx, level, ends, summary, table }: SparkProps) {
  const { chosen, bind } = useChartSlider({ label, words });
  // A margin of 5% above the highest value, so that the line is not cut there.
  const largest = 1.05 * Math.max(findLargest(values.map((value) => value ?? 0)), level ?? 0);
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
          <path className={classes.line} d={buildLinePath(values, largest)} />
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
        <ScaleLabels words={ends} places={[0, 1]} />
      </div>
      <p className={`${classes.readout} flush small numbers`}>{chosen === null ? summary : words[chosen]}</p>
      <ChartTable caption={label} {...table} />
    </div>
  );
}

export type TimeSpan = {
  kind: string;
  name: string;
  when: string;
  took: string;
  lengthMs: number;
};

/** Minimum length of a span, in percent of the axis. */
const leastPercent = 1.5;
const heightPx = 12;

/** A chart of time spans. A table below the axis describes the spans, also for screen readers. */
export function Timeline({ label, spans }: { label: string; spans: readonly TimeSpan[] }) {
  const lengths = spans.map(({ lengthMs }) => Math.max(1, lengthMs));
  const extents = computeStack(lengths, 0, leastPercent);
  return (
    <div className="gap-tight stack">
      <svg className={`${classes.svg} block full`} height={heightPx} aria-hidden>
        {spans.map(({ kind }, at) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a span is identified by its position
            key={at}
            className={classes.fill}
            data-kind={kind}
            x={`${extents[at]?.from ?? 0}%`}
            width={`${Math.max(0.4, (extents[at]?.length ?? 0) - 0.3)}%`}
            height={heightPx}
            rx={1}
          />
        ))}
      </svg>
      <table className={`${classes.spans} size-sm`} aria-label={label}>
        <tbody>
          {spans.map(({ kind, name, when, took }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a span is identified by its position
            <tr key={at}>
              <th scope="row">
                <span className={classes.key} data-kind={kind} aria-hidden />
                {name}
              </th>
              <td className="numbers">{when}</td>
              <td className="numbers">{took}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type GaugeProps = {
  label: string;
  value: number;
  max: number;
  words: string;
  mark: { value: number; words: string } | null;
};

const gaugeHeightPx = 10;

/** A gauge, whose value is also shown in words. */
export function Gauge({ label, value, max, words, mark }: GaugeProps) {
  const placeOf = (value: number) => (max <= 0 ? 0 : Math.min(100, Math.max(0, (100 * value) / max)));
  return (
    <div>
      <meter className="visually-hidden" aria-label={label} max={Math.max(0, max)} value={Math.max(0, value)}>
        {mark === null ? words : `${words}. ${mark.words}`}
      </meter>
      <svg className={`${classes.svg} block full`} height={gaugeHeightPx} aria-hidden>
        <rect className={classes.track} width="100%" height={gaugeHeightPx} rx={3} />
        <rect
          className={classes.fill}
          data-kind="level"
          width={`${placeOf(value)}%`}
          height={gaugeHeightPx}
          rx={3}
        />
        {mark !== null && (
          <line
            className={classes.mark}
            x1={`${placeOf(mark.value)}%`}
            x2={`${placeOf(mark.value)}%`}
            y2={gaugeHeightPx}
          />
        )}
      </svg>
    </div>
  );
}
