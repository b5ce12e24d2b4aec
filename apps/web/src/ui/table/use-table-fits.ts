import { useMediaQuery } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';

/** The sidebar, the padding of the main area, and a scroll bar. */
const besideRem = 13.5 + 3 + 1;
/** Narrower windows are phones, which always show cards. */
const windowRemMin = 48;

/** A table that does not fit would cut off its actions. */
export function useTableFits(widthRem: number): boolean {
  const windowRem = Math.max(windowRemMin, widthRem + besideRem);
  return useMediaQuery(`(min-width: ${windowRem}em)`, undefined, { getInitialValueInEffect: false });
}

/** Half rem steps, in a window that is no phone. */
export function useContentRem(): number {
  return useSyncExternalStore(onResize, () => {
    contentRem ??= measureContentRem();
    return contentRem;
  });
}

/** Kept until a resize: measuring makes the browser compute all styles that were just drawn. */
let contentRem: number | undefined;

function measureContentRem(): number {
  const rootPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.floor(2 * (window.innerWidth / rootPx - besideRem)) / 2;
}

function onResize(changed: () => void): () => void {
  const measureAgain = () => {
    contentRem = measureContentRem();
    changed();
  };
  // Resizes were not heard until now.
  contentRem = undefined;
  window.addEventListener('resize', measureAgain);
  return () => window.removeEventListener('resize', measureAgain);
}
