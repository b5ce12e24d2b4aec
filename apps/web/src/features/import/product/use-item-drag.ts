import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/** An item on its way from one place to another. */
export type ItemDrag = { from: number; to: number };

/** A shorter movement is a press. */
const dragPxMin = 5;
/** A finger that moves earlier scrolls. */
const holdMs = 300;

/**
 * Moves an item of a list with the pointer: with a mouse at once, with a finger after holding it. `onDrop`: null while
 * nothing can be moved. The items stay where they are in the page until they are dropped, and are drawn in their new
 * order by `order` of CSS: an item that is moved in the page would lose the pointer.
 */
export function useItemDrag(
  list: RefObject<HTMLElement | null>,
  onDrop: ((from: number, to: number) => void) | null,
) {
  const [drag, setDrag] = useState<ItemDrag | null>(null);
  const isDragging = useRef(false);
  // The browser only asks a listener that was there before the finger.
  useEffect(() => {
    const keepFromScrolling = (event: TouchEvent) => isDragging.current && event.preventDefault();
    const element = list.current;
    element?.addEventListener('touchmove', keepFromScrolling, { passive: false });
    return () => element?.removeEventListener('touchmove', keepFromScrolling);
  }, [list]);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const from = placeAt(event.currentTarget, event);
    if (onDrop === null || event.button !== 0 || !event.isPrimary || from === null) return;
    const { currentTarget, pointerId, clientX, clientY } = event;
    const ended = new AbortController();
    const show = (to: number) => {
      isDragging.current = true;
      setDrag({ from, to });
    };
    const isMouse = event.pointerType === 'mouse';
    const held = isMouse ? undefined : setTimeout(show, holdMs, from);
    let to = from;
    const onMove = (at: globalThis.PointerEvent) => {
      const isFar = Math.hypot(at.clientX - clientX, at.clientY - clientY) >= dragPxMin;
      if (!isDragging.current && isFar && !isMouse) ended.abort();
      if (!isDragging.current && (!isFar || !isMouse)) return;
      to = placeAt(currentTarget, at) ?? to;
      show(to);
      itemAt(currentTarget, at)?.scrollIntoView({ block: 'nearest' });
    };
    const onUp = () => {
      const isMoved = isDragging.current;
      ended.abort();
      if (isMoved) onDrop(from, to);
    };
    ended.signal.addEventListener('abort', () => {
      clearTimeout(held);
      isDragging.current = false;
      setDrag(null);
    });
    const options = { signal: ended.signal };
    currentTarget.setPointerCapture(pointerId);
    currentTarget.addEventListener('pointermove', onMove, options);
    currentTarget.addEventListener('pointerup', onUp, options);
    currentTarget.addEventListener('lostpointercapture', () => ended.abort(), options);
  };
  return { drag, onPointerDown };
}

type Point = { clientX: number; clientY: number };

/** The item of the list that is drawn at a point. */
function itemAt(list: HTMLElement, { clientX, clientY }: Point): HTMLElement | undefined {
  const hit = document.elementFromPoint(clientX, clientY);
  return [...list.children].find((item): item is HTMLElement => item.contains(hit));
}

/** The place that the item at a point is drawn at; null: there is none. */
function placeAt(list: HTMLElement, point: Point): number | null {
  const item = itemAt(list, point);
  if (item === undefined) return null;
  return item.style.order === '' ? [...list.children].indexOf(item) : Number(item.style.order);
}
