import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * The state of a list below a button that a click has loaded: the button, which is drawn again with it, takes the
 * focus, and the list opens.
 */
export function useOpenedAtOnce(): {
  target: RefObject<HTMLButtonElement | null>;
  opened: boolean;
  setOpened: (opened: boolean) => void;
} {
  const target = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    target.current?.focus();
    setOpened(true);
  }, []);
  return { target, opened, setOpened };
}
