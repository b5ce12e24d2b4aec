import { useEffect, useRef, useState } from 'react';

/** The state of a menu that a click has loaded: it opens when it appears, and its button `target` takes the focus. */
export function useOpenedMenu() {
  const target = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    target.current?.focus();
    setOpened(true);
  }, []);
  return { target, opened, setOpened };
}
