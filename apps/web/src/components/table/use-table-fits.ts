import { useMediaQuery } from '@mantine/hooks';

/** Beside the content: the sidebar, the padding of the main area, and a scroll bar. */
const besideRem = 13.5 + 3 + 1;
/** Narrower windows are phones, which always show cards. */
const windowRemMin = 48;

/** Whether a table of this width fits into the content. If not, its actions would be cut off. */
export function useTableFits(widthRem: number): boolean {
  const windowRem = Math.max(windowRemMin, widthRem + besideRem);
  return useMediaQuery(`(min-width: ${windowRem}em)`, undefined, { getInitialValueInEffect: false });
}
