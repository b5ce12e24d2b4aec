import { useEffect, useEffectEvent } from 'react';
import { listenForScanner } from './listen-for-scanner.ts';

/**
 * Hears codes that a USB or Bluetooth scanner types anywhere on the page. `onScan` gets the code as it was transmitted,
 * and the field that had the focus, which keeps its content. `enabled`: false while another dialog is open.
 */
export function useKeyboardScanner(
  onScan: (text: string, field: HTMLElement | null) => void,
  enabled = true,
): void {
  const report = useEffectEvent(onScan);
  useEffect(() => (enabled ? listenForScanner((text, field) => report(text, field)) : undefined), [enabled]);
}
