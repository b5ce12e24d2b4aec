import { useLayoutEffect, useState } from 'react';

/**
 * `opened`, one render later, for a lazy dialog that opens again. Mantine returns the focus only to what had it when
 * `opened` changed, and looks at it in an effect: in this render that is before the dialog takes the focus.
 */
export function useOpened(opened: boolean): boolean {
  const [isOpened, setOpened] = useState(false);
  useLayoutEffect(() => setOpened(opened), [opened]);
  return isOpened;
}
