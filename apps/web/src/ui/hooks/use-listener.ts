import { useEffect, useEffectEvent } from 'react';

type Events = WindowEventMap & DocumentEventMap;

/**
 * Listens to an event of the window or the document while the component is there and `isOn`. The window's listeners
 * hear a key after those of the document.
 */
export function useListener<Name extends keyof Events>(
  of: 'window' | 'document',
  name: Name,
  handler: (event: Events[Name]) => void,
  { isOn = true, capture = false }: { isOn?: boolean; capture?: boolean } = {},
): void {
  const handle = useEffectEvent(handler);
  useEffect(() => {
    if (!isOn) return;
    const target: EventTarget = of === 'window' ? window : document;
    const listener = (event: Event) => handle(event as Events[Name]);
    target.addEventListener(name, listener, { capture });
    return () => target.removeEventListener(name, listener, { capture });
  }, [of, name, isOn, capture]);
}
