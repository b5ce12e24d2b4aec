import { useMediaQuery } from '@mantine/hooks';

/** Whether the wide tables fit beside the sidebar; where not, they would hide their actions beyond the edge. */
export function useTablesFit(): boolean {
  return useMediaQuery('(min-width: 1200px)', undefined, { getInitialValueInEffect: false });
}
