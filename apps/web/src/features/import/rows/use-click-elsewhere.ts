import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Calls `onLeft` after a click that takes the focus out of the row. Not before what it does: the row becomes lower, and
 * something else would be under the pointer. The buttons that save and discard all rows do that themselves.
 */
export function useClickElsewhere(
  row: RefObject<HTMLElement | null>,
  isOn: boolean,
  onLeft: () => void,
): void {
  const leave = useEffectEvent(onLeft);
  useEffect(() => {
    if (!isOn) return;
    let isLeft = false;
    const onPress = ({ target }: Event) => {
      const hadFocus = row.current?.contains(document.activeElement) === true;
      const isOfRow =
        target instanceof Element && (row.current?.contains(target) || target.closest('[data-edit-bar]'));
      isLeft = hadFocus && !isOfRow;
    };
    const onRelease = () => {
      if (isLeft) setTimeout(leave);
      isLeft = false;
    };
    const ending = new AbortController();
    const options = { capture: true, signal: ending.signal };
    document.addEventListener('pointerdown', onPress, options);
    // A disabled button has no click.
    document.addEventListener('pointerup', onRelease, options);
    return () => ending.abort();
  }, [row, isOn]);
}
