import { isPlainKey } from './search-field.ts';
import { useListener } from './use-listener.ts';

/** `key`: a small letter. */
export function useScreenKey(key: string, act: (event: KeyboardEvent) => void): void {
  // On the window, after the document's shortcuts: `g` and a letter open a screen.
  useListener('window', 'keydown', (event) => {
    if (event.key !== key || event.repeat || event.defaultPrevented || !isPlainKey(event)) return;
    event.preventDefault();
    act(event);
  });
}
