import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { itemAt, itemByKey } from './geometry.ts';

/**
 * The item of a chart that is chosen by pointer, touch or keys; null for none. `bind` makes its element a slider, so
 * that arrow keys choose and screen readers read each item. A mouse and the focus choose as long as they are there.
 */
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
