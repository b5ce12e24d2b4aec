import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import classes from './charts.module.css';

type ChartTableProps = {
  caption: string;
  head: readonly string[];
  /** Cells of each row. The first one names the row. */
  rows: readonly (readonly string[])[];
};

/** A chart's values for screen readers. The hidden element is a `div`, because a table would ignore its set size. */
export const ChartTable = ({ caption, head, rows }: ChartTableProps) => (
  <div className="visually-hidden">
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position, and names may repeat
          <tr key={place}>
            <th scope="row">{name}</th>
            {cells.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its column
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Labels at two positions of a scale. `places` are positions from 0 to 1. */
export type ScaleEnds = {
  /** A single label if both ends would have the same label. */
  words: readonly [string, string?];
  places: readonly [number, number];
};

/** Labels at the ends of a scale. Screen readers get the chart's table instead. */
export const ScaleLabels = ({ words, places: [first, last] }: ScaleEnds) => (
  <div className={`${classes.ends} small line-above numbers`} aria-hidden>
    <span style={{ flexGrow: first }} />
    <div style={{ flexGrow: last - first }}>
      <span>{words[0]}</span>
      {words[1] !== undefined && <span>{words[1]}</span>}
    </div>
    <span style={{ flexGrow: 1 - last }} />
  </div>
);

/** Makes a chart a slider for arrow keys and screen readers. Spread `bind` over the chart's element. */
export function useChartSlider({ label, words }: { label: string; words: readonly string[] }) {
  const [at, setAt] = useState<number | null>(null);
  const count = words.length;
  const chosen = at === null || at >= count ? null : at;
  const read = chosen ?? Math.max(0, count - 1);
  const byPointer = (event: PointerEvent<Element>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(findItemAt((event.clientX - left) / Math.max(1, width), count));
  };
  const bind = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-orientation': 'horizontal',
    'aria-valuemin': 1,
    'aria-valuemax': Math.max(1, count),
    'aria-valuenow': read + 1,
    'aria-valuetext': words[read] ?? 'Nothing to show',
    onPointerMove: byPointer,
    onPointerDown: byPointer,
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && setAt(null),
    onBlur: () => setAt(null),
    onKeyDown: (event: KeyboardEvent) => {
      const next = chooseItemByKey(event.key, chosen, count);
      if (next === null) return;
      event.preventDefault();
      setAt(next);
    },
  } as const;
  return { chosen, bind };
}

/** A part of a scale, in percent. */
type Extent = { from: number; length: number };

export const findLargest = (values: readonly number[]): number =>
  values.reduce((largest, value) => Math.max(largest, value), 0);

/** Returns the values as extents in percent of `whole`. A value above 0 gets at least `leastPercent`, to be visible. */
export function computeStack(values: readonly number[], whole: number, leastPercent = 0): Extent[] {
  const scale = Math.max(whole, sumOf(values));
  if (scale <= 0) return values.map(() => ({ from: 0, length: 0 }));
  const wide = values.map((value) => (value > 0 ? Math.max(leastPercent, (100 * value) / scale) : 0));
  const excess = Math.max(0, sumOf(wide) - 100);
  const spare = sumOf(wide.map((length) => Math.max(0, length - leastPercent)));
  const share = spare > 0 ? Math.min(1, excess / spare) : 0;
  const fitting = wide.map((length) => length - Math.max(0, length - leastPercent) * share);
  // If even the minimum lengths do not fit, all parts shrink.
  const shrink = Math.min(1, 100 / sumOf(fitting));
  let from = 0;
  return fitting.map((length) => {
    const extent = { from, length: length * shrink };
    from += extent.length;
    return extent;
  });
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Returns the heights of stacked parts in pixels, from the bottom up. A part above 0 is at least 2 pixels high. */
export const computeStackHeights = (values: readonly number[], largest: number, heightPx: number): number[] =>
  values.map((value) => {
    if (value <= 0 || largest <= 0) return 0;
    return Math.max(2, (heightPx * value) / largest);
  });

/** Returns the indexes of the highest bar and, if it is at least `distance` bars further right, of the last bar. */
export function chooseLabelledBars(totals: readonly number[], distance: number): number[] {
  const largest = findLargest(totals);
  if (largest === 0) return [];
  const highest = totals.lastIndexOf(largest);
  const last = totals.length - 1;
  return (totals[last] ?? 0) > 0 && last - highest >= distance ? [highest, last] : [highest];
}

/** Returns an SVG path in a box of 100 × 100 whose bottom is 0. Null values are gaps. */
export function buildLinePath(values: readonly (number | null)[], largest: number): string {
  const step = values.length > 1 ? 100 / (values.length - 1) : 0;
  let isDrawing = false;
  const parts: string[] = [];
  values.forEach((value, at) => {
    if (value === null) {
      isDrawing = false;
      return;
    }
    const y = largest <= 0 ? 100 : 100 - Math.min(100, (100 * value) / largest);
    const point = `${rounded(at * step)} ${rounded(y)}`;
    parts.push(isDrawing ? `L${point}` : `M${point}`);
    // A single point between two gaps gets a line of length 0, which its round ends show as a dot.
    if (!isDrawing && (values[at + 1] ?? null) === null) parts.push(`L${point}`);
    isDrawing = true;
  });
  return parts.join('');
}

const rounded = (value: number) => Math.round(value * 100) / 100;

/** Returns the index of the item at a position from 0 to 1; null if there are no items. */
export const findItemAt = (place: number, count: number): number | null =>
  count === 0 ? null : Math.min(count - 1, Math.max(0, Math.floor(place * count)));

/** Returns the index that a key chooses; null if it chooses none. */
export function chooseItemByKey(key: string, current: number | null, count: number): number | null {
  if (count === 0) return null;
  const at = current ?? count;
  const next = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1 }[key];
  if (next !== undefined) return Math.min(count - 1, Math.max(0, current === null ? count - 1 : next));
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
