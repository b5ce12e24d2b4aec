import { useEffect, useEffectEvent } from 'react';
import { lookUp } from '../scan-codes-api.ts';
import { type Prefill, prefillOf } from './prefill.ts';
import type { NewCode } from './scanning.tsx';

type Fill = {
  /** Gets the code, and what is known about it at once. */
  first: (scanned: NewCode, prefill: Prefill) => void;
  /** Gets what the sources have answered, if nothing was known at first. */
  later: (id: string, prefill: Prefill) => void;
};

/**
 * Fills a form with a scanned code and what is known about it. If nothing is known yet, the sources are asked
 * meanwhile: their values come later, into fields that are still empty.
 */
export function useFilledByScan(scanned: NewCode | null, { first, later }: Fill): void {
  const onFirst = useEffectEvent(first);
  const onLater = useEffectEvent(later);
  useEffect(() => {
    if (scanned === null) return;
    const { id, code, scan, reply } = scanned;
    onFirst(scanned, prefillOf(scan, reply));
    if (reply?.asked !== 'later') return;
    const asking = new AbortController();
    lookUp(code, { ask: true, signal: asking.signal })
      .catch(() => null)
      .then((answer) => {
        if (!asking.signal.aborted) onLater(id, prefillOf(scan, answer));
      });
    return () => asking.abort();
  }, [scanned]);
}
