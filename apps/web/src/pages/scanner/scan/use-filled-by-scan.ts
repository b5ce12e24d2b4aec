import { useEffect, useEffectEvent } from 'react';
import { lookUp } from '../../../api/scan-codes.ts';
import { type Prefill, prefillOf } from './prefill.ts';
import type { NewCode } from './scanning.tsx';

/**
 * Fills a form with a scanned code and what is known about it. If nothing is known yet, the sources are asked
 * meanwhile: their values come later, into fields that are still empty.
 */
export function useFilledByScan(scanned: NewCode | null, fill: (prefill: Prefill) => void): void {
  const take = useEffectEvent(fill);
  useEffect(() => {
    if (scanned === null) return;
    const { code, scan, reply } = scanned;
    take(prefillOf(scan, reply));
    if (reply?.asked !== 'later') return;
    const asking = new AbortController();
    lookUp(code, { ask: true, signal: asking.signal })
      .catch(() => null)
      .then((answer) => {
        // The code itself may have been corrected meanwhile.
        if (!asking.signal.aborted) take({ ...prefillOf(scan, answer), code: {} });
      });
    return () => asking.abort();
  }, [scanned]);
}
