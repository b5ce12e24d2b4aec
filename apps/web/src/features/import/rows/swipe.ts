import type { Direction } from './use-problems.ts';

type Point = { x: number; y: number };

/** Shorter movements are taps. */
const swipePxMin = 60;
/** A swipe is this many times as wide as it is high; else the finger scrolls. */
const swipeSlopeMin = 2;

/** The problem that a finger's movement leads to, as pages are turned; null if it is no swipe. */
export function swipeOf(from: Point | null, to: Point | null): Direction | null {
  if (from === null || to === null) return null;
  const [right, down] = [to.x - from.x, to.y - from.y];
  if (Math.abs(right) < swipePxMin || Math.abs(right) < swipeSlopeMin * Math.abs(down)) return null;
  return right < 0 ? 'next' : 'previous';
}
