import { useRef, useState } from 'react';

/** A call that a line or a button waits for. 'many': the line is one of those that a button decides about. */
export type Running = 'take' | 'dismiss' | 'undo' | 'many';

type Calls = ReadonlyMap<string, Running>;
const none: Calls = new Map();

/** The calls that run now, by the keys of the lines and buttons that wait for them. */
export function useRunning() {
  const now = useRef(none);
  const [shown, setShown] = useState(none);
  const change = (next: Calls) => {
    now.current = next;
    setShown(next);
  };
  /** Does some work, whose result is whether it succeeded. While a call for the first key runs, it does nothing. */
  const run = async (
    keys: readonly (readonly [string, Running])[],
    work: () => Promise<boolean>,
  ): Promise<boolean> => {
    if (keys[0] !== undefined && now.current.has(keys[0][0])) return false;
    const added = new Map(keys.filter(([key]) => !now.current.has(key)));
    change(new Map([...now.current, ...added]));
    try {
      return await work();
    } finally {
      change(new Map([...now.current].filter(([key]) => !added.has(key))));
    }
  };
  return { runningAt: (key: string) => shown.get(key) ?? null, run };
}
