import { useEffect, useEffectEvent } from 'react';
import { isPlainKey } from './search-field.ts';

/** Runs `act` when a small letter is pressed that is a key of the screen. */
export function useScreenKey(key: string, act: (event: KeyboardEvent) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== key || event.repeat || event.defaultPrevented || !isPlainKey(event)) return;
    event.preventDefault();
    act(event);
  });
  useEffect(() => {
    // On the window, after the document's shortcuts: `g` and a letter open a screen.
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
