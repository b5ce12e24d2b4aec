import { useMediaQuery } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';

/** Beside the content: the sidebar, the padding of the main area, and a scroll bar. */
const besideRem = 13.5 + 3 + 1;
/** Narrower windows are phones, which always show cards. */
const windowRemMin = 48;

/** Whether a table of this width fits into the content. If not, its actions would be cut off. */
export function useTableFits(widthRem: number): boolean {
  const windowRem = Math.max(windowRemMin, widthRem + besideRem);
  return useMediaQuery(`(min-width: ${windowRem}em)`, undefined, { getInitialValueInEffect: false });
}

/** The width of the content in a window that is no phone, in half rem. */
export function useContentRem(): number {
  return useSyncExternalStore(onResize, () => {
    contentRem ??= measureContentRem();
    return contentRem;
  });
}

/** Kept until the window is resized: measuring makes the browser compute the styles of all that was just drawn. */
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
  // Nobody has listened until now.
  contentRem = undefined;
  window.addEventListener('resize', measureAgain);
  return () => window.removeEventListener('resize', measureAgain);
}
