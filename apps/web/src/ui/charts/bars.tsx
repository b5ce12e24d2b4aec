import { type ReactNode, useId } from 'react';
import {
  ChartTable,
  chooseLabelledBars,
  computeStackHeights,
  findLargest,
  type ScaleEnds,
  ScaleLabels,
  useChartSlider,
} from './chart-table.tsx';
import './kinds.css';
import classes from './charts.module.css';

export type Bar = {
  /** Shown below the bar if `named` is set. */
  name: string;
  /** Shown while the bar is chosen. */
  words: string;
  /** Parts from the bottom up. `kind` is a `data-kind` of kinds.css, which sets the color. */
  parts: readonly { kind: string; count: number }[];
  /** Shown above the bar. */
  value: string;
};

type BarsProps = {
  label: string;
  bars: readonly Bar[];
  heightPx: number;
  named?: boolean;
  /** Labels below the scale. */
  ends?: ScaleEnds;
  /** `place`: position on the scale from 0 to 1. */
  marks?: readonly { place: number; words: string }[];
  /** Shown while no bar is chosen. */
  summary: ReactNode;
  /** Called on a mouse click or Enter. */
  onOpen?: (at: number) => void;
  /** Returns a link to show after the words of a bar that is chosen by touch. */
  linkOf?: (at: number) => ReactNode;
  table: { head: readonly string[]; rows: readonly (readonly string[])[] };
};

/** Minimum distance between two labels, as a number of bars. */
const labelDistance = 3;
/** Share of a slot's width that the bar fills, from 0 to 1. */
const barShare = 0.84;
const labelHeightPx = 16;

/** A bar chart. The highest bar is labelled with its value, and so is the last bar, unless it is near the highest. */
export function Bars({ label, bars, heightPx, named, marks = [], summary, table, ...opens }: BarsProps) {
  const { chosen, bind } = useChartSlider({ label, words: bars.map(({ words }) => words) });
  const totals = bars.map(totalOf);
  const scale = { slot: 100 / Math.max(1, bars.length), largest: findLargest(totals), heightPx };
  const labelled = chosen === null ? chooseLabelledBars(totals, labelDistance) : [chosen];
  const { onOpen, linkOf, ends } = opens;
  return (
    <div className="gap-tight stack">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: `bind` gives it the role slider */}
      <div
        {...bind}
        className={`${classes.plot} relative`}
        data-opens={onOpen !== undefined || undefined}
        onClick={() => chosen !== null && matchMedia('(hover: hover)').matches && onOpen?.(chosen)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && chosen !== null) onOpen?.(chosen);
          else bind.onKeyDown(event);
        }}
      >
        <Drawing bars={bars} chosen={chosen} marks={marks} scale={scale} />
        {labelled.map((at) => (
          <BarValue key={at} bar={bars[at]} at={at} scale={scale} />
        ))}
        {named && (
          <div className={`${classes.names} flex line-above`} aria-hidden>
            {bars.map(({ name }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
              <span key={at} className="numbers">
                {name}
              </span>
            ))}
          </div>
        )}
        {ends && <ScaleLabels {...ends} />}
      </div>
      <p className={`${classes.readout} flush small numbers`}>
        {chosen === null ? (
          summary
        ) : (
          <>
            {bars[chosen]?.words} {linkOf?.(chosen)}
          </>
        )}
      </p>
      <ChartTable caption={label} {...table} />
    </div>
  );
}

const totalOf = ({ parts }: Bar) => parts.reduce((sum, { count }) => sum + count, 0);

/** `slot`: width of a bar with its gap, in percent. `largest`: the value of a bar of full height. */
type Scale = { slot: number; largest: number; heightPx: number };

type DrawingProps = Required<Pick<BarsProps, 'bars' | 'marks'>> & { chosen: number | null; scale: Scale };

function Drawing({ bars, chosen, marks, scale }: DrawingProps) {
  const hatch = useId();
  const bottom = scale.heightPx + labelHeightPx;
  return (
    <svg className={`${classes.svg} block full`} height={bottom} aria-hidden>
      <defs>
        <pattern id={hatch} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line y2={4} className={classes.hatchLine} />
        </pattern>
      </defs>
      {bars.map((bar, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position, several may have one name
        <g key={at} data-chosen={at === chosen || undefined} className={classes.bar}>
          <BarParts bar={bar} at={at} scale={scale} hatch={hatch} />
        </g>
      ))}
      {marks.map(({ place, words }) => (
        <line
          key={words}
          className={classes.mark}
          x1={`${100 * place}%`}
          x2={`${100 * place}%`}
          y1={labelHeightPx - 4}
          y2={bottom}
        />
      ))}
    </svg>
  );
}

type BarPartsProps = { bar: Bar; at: number; scale: Scale; hatch: string };

function BarParts({ bar: { parts }, at, scale: { slot, largest, heightPx }, hatch }: BarPartsProps) {
  const counts = parts.map(({ count }) => count);
  const heights = computeStackHeights(counts, largest, heightPx);
  let top = heightPx + labelHeightPx;
  return parts.map(({ kind }, place) => {
    const height = heights[place] ?? 0;
    top -= height;
    const box = {
      x: `${at * slot + (slot * (1 - barShare)) / 2}%`,
      width: `${slot * barShare}%`,
      y: top,
      // A gap of one pixel between parts.
      height: Math.max(0, height - (place > 0 && height > 2 ? 1 : 0)),
    };
    const isLoss = kind === 'skipped' || kind === 'failed';
    return (
      <g key={kind}>
        <rect {...box} rx={1} className={classes.fill} data-kind={kind} />
        {isLoss && height > 4 && <rect {...box} fill={`url(#${hatch})`} />}
      </g>
    );
  });
}

type BarValueProps = { bar: Bar | undefined; at: number; scale: Scale };

/** Distance from an edge, in percent, below which a label is aligned with the end of its bar. */
const edgePercent = 8;

function BarValue({ bar, at, scale: { slot, heightPx, largest } }: BarValueProps) {
  if (bar === undefined) return null;
  const [height = 0] = computeStackHeights([totalOf(bar)], largest, heightPx);
  const middle = (at + 0.5) * slot;
  const align = middle < edgePercent ? 'start' : middle > 100 - edgePercent ? 'end' : 'middle';
  const left = { start: at * slot, middle, end: (at + 1) * slot }[align];
  return (
    <span
      className={`${classes.value} small nowrap numbers`}
      data-align={align}
      style={{ left: `${left}%`, top: heightPx - height }}
      aria-hidden
    >
      {bar.value}
    </span>
  );
}

type StackedProps = {
  /** Parts from left to right. `kind` is a `data-kind` of kinds.css, which sets the color. */
  parts: readonly { kind: string; count: number }[];
  whole: number;
};

/**
 * A bar of parts. The parts are elements instead of SVG, so that a small part is at least 3 pixels wide and changes of
 * length are animated. Most screens load this bar first, so it shares no code with other charts.
 */
export function StackedBar({ parts, whole }: StackedProps) {
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
