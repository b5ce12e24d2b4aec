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

/** The width of the content in a window that is no phone, in whole rem. */
export function useContentRem(): number {
  return useSyncExternalStore(onResize, () => Math.floor(window.innerWidth / rootPx() - besideRem));
}

const onResize = (changed: () => void) => {
  window.addEventListener('resize', changed);
  return () => window.removeEventListener('resize', changed);
};

const rootPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
