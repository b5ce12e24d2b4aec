import { useEffect, useEffectEvent } from 'react';

type Events = WindowEventMap & DocumentEventMap;

/** The window's listeners hear a key after the document's. */
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
