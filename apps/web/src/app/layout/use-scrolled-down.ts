import { useEffect, useState } from 'react';

/** A finger moves a page by less than this without meaning to. */
const stepMin = 12;
/** Near the top of the page nothing needs to get out of the way. */
const topMax = 96;

/** Whether the page was last scrolled down, away from its top. Always false unless `enabled`. */
export function useScrolledDown(enabled: boolean): boolean {
  const [isDown, setDown] = useState(false);
  useEffect(() => {
    if (!enabled) return;
    let last = window.scrollY;
    const onScroll = () => {
      // Some browsers scroll beyond both ends and back.
      const end = document.documentElement.scrollHeight - window.innerHeight;
      const place = Math.min(Math.max(window.scrollY, 0), Math.max(end, 0));
      if (place > topMax && Math.abs(place - last) < stepMin) return;
      setDown(place > last && place > topMax);
      last = place;
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
      setDown(false);
    };
  }, [enabled]);
  return isDown;
}
