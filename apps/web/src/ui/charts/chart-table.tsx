import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import classes from './charts.module.css';
import { itemAt, itemByKey } from './geometry.ts';

type ChartTableProps = {
  caption: string;
  head: readonly string[];
  /** The first cell names the row. */
  rows: readonly (readonly string[])[];
};

/** For screen readers. A table ignores the size of hidden text, so an element around it hides it. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place, several may have one name
          <tr key={place}>
            <th scope="row">{name}</th>
            {cells.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Places on the scale, 0 to 1. */
export type EndsOf = {
  /** One if they are the same. */
  words: readonly [string, string?];
  places: readonly [number, number];
};

/** The chart's table has them for screen readers. */
export const Ends = ({ words, places: [first, last] }: EndsOf) => (
  <div className={`${classes.ends} small line-above numbers`} aria-hidden>
    <span style={{ flexGrow: first }} />
    <div style={{ flexGrow: last - first }}>
      <span>{words[0]}</span>
      {words[1] !== undefined && <span>{words[1]}</span>}
    </div>
    <span style={{ flexGrow: 1 - last }} />
  </div>
);

/** `bind` makes the chart a slider, for arrow keys and screen readers. */
export function useChoice({ label, words }: { label: string; words: readonly string[] }) {
  const [at, setAt] = useState<number | null>(null);
  const count = words.length;
  const chosen = at === null || at >= count ? null : at;
  const read = chosen ?? Math.max(0, count - 1);
  const byPointer = (event: PointerEvent<Element>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(itemAt((event.clientX - left) / Math.max(1, width), count));
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
      const next = itemByKey(event.key, chosen, count);
      if (next === null) return;
      event.preventDefault();
      setAt(next);
    },
  } as const;
  return { chosen, bind };
}
