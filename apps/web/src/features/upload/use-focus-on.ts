import { useLayoutEffect, useRef, useState } from 'react';

/** Moves the focus to the name of a row after the control that had it is gone. */
export function useFocusOn() {
  const within = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<{ key: string | null } | null>(null);
  useLayoutEffect(() => {
    if (wanted === null) return;
    const row =
      wanted.key === null ? null : within.current?.querySelector(`[data-row="${wanted.key}"] [data-name]`);
    const next = row ?? within.current?.querySelector('[data-choose]');
    if (next instanceof HTMLElement) next.focus();
  }, [wanted]);
  return {
    within,
    /** Null, or the key of a row that is gone: the button to choose files. */
    on: (key: string | null) => setWanted({ key }),
  };
}
