import { useMediaQuery } from '@mantine/hooks';

/** As narrow as a phone; known at the first render. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
