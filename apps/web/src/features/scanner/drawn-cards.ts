import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/** More than most screens show. A card takes more than a millisecond to draw, and a library has thousands. */
export const drawnFirst = 36;
const drawnMore = 60;
/** Cards are drawn when they are nearer than two heights of the screen. */
const nearness = '200%';

/**
 * Draws more cards when the last card that is drawn comes near the screen. `drawnCount`: the number of drawn cards;
 * `lastId`: the product of the last one, undefined if all are drawn. Returns the ref of the list.
 */
export function useDrawnCards(
  { drawnCount, lastId }: { drawnCount: number; lastId: string | undefined },
  onDraw: (count: number) => void,
): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  const draw = useEffectEvent(() => onDraw(drawnCount + drawnMore));
  useEffect(() => {
    const last = list.current?.lastElementChild;
    if (!last || lastId === undefined) return;
    // A busy browser reports several changes at once, the newest last.
    const observer = new IntersectionObserver((changes) => changes.at(-1)?.isIntersecting && draw(), {
      rootMargin: `${nearness} 0px`,
    });
    observer.observe(last);
    return () => observer.disconnect();
  }, [lastId]);
  return list;
}
