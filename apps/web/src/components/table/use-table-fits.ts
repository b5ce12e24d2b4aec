import { useMediaQuery } from '@mantine/hooks';

/** Whether the wide tables fit next to the sidebar. If not, their actions would be cut off. */
export function useTablesFit(): boolean {
  return useMediaQuery('(min-width: 1200px)', undefined, { getInitialValueInEffect: false });
}
